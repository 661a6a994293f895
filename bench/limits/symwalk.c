/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit for reading a symbol table: symwalk libelf|raw qsort|radix PROGRAM
 *
 * Walks .symtab, keeps the functions of .text and sorts them by address; once through libelf and
 * once by bare pointers, to show what the library costs.
 */
#include "common.h"

#include <gelf.h>

static struct image
read_by_libelf(const char *path)
{
	struct image image = {0};
	Elf_Scn *section = NULL, *table = NULL;
	GElf_Shdr header, table_header = {0};
	size_t names, text = 0;

	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(open(path, O_RDONLY), ELF_C_READ_MMAP, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names))
		fail(path);
	while ((section = elf_nextscn(elf, section))) {
		gelf_getshdr(section, &header);
		if (header.sh_type == SHT_SYMTAB) {
			table = section;
			table_header = header;
		}
		const char *name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, ".text"))
			text = elf_ndxscn(section);
	}
	if (!table)
		fail(path);
	Elf_Data *data = elf_getdata(table, NULL);
	size_t n = table_header.sh_size / table_header.sh_entsize;
	image.function = need(n, sizeof *image.function);
	for (size_t i = 0; i < n; i++) {
		GElf_Sym s;
		gelf_getsym(data, (int)i, &s);
		if (s.st_shndx == text && GELF_ST_TYPE(s.st_info) == STT_FUNC)
			image.function[image.functions++] = (struct function){s.st_value, s.st_name,
			                                                      (uint32_t)i};
	}
	elf_end(elf);
	return image;
}

int
main(int argc, char **argv)
{
	if (argc != 4) {
		fputs("usage: symwalk libelf|raw qsort|radix PROGRAM\n", stderr);
		return 2;
	}
	double began = milliseconds();
	struct image image = strcmp(argv[1], "raw") ? read_by_libelf(argv[3]) : read_image(argv[3]);
	double read = milliseconds();
	if (strcmp(argv[2], "radix"))
		qsort(image.function, image.functions, sizeof *image.function, compare_functions);
	else
		radix_sort(image.function, image.functions);
	double sorted = milliseconds();
	printf("%zu functions, ms: read %.2f  sort %.2f\n", image.functions, read - began,
	       sorted - read);
	free(image.function);
	return 0;
}
