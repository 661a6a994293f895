/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the debug information of an image is: in the image or in a file of its own.
 */
#include "debug-file.h"

#include <elf.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <string.h>
#include <sys/types.h>

#include "../shared/separate-file.h"

enum {
	/*
	 * Decompressed sections: this much in any file, or this multiple of the size of the file.
	 * Debug files of ceph, of up to 230 MB, have up to 2.91 times.
	 */
	INFLATED_FREE = 1 << 24,
	INFLATED_RATIO = 16,
	/* Relocations of an object: this multiple of its size, since tables do not overlap. */
	RELOCATED_RATIO = 2
};

/* A search for separate files, and where what it finds goes. */
struct search {
	struct separate_finder finder; /* first */
	struct dwarfsym_file *file;
};

static void
close_file(struct gprofx *gx, struct dwarfsym_file *file)
{
	elf_end(file->elf);
	file->elf = NULL;
	separate_close(gx, &file->file);
}

static bool
is_proven(Elf *elf, const struct separate_file *file, const struct separate_proof *proof)
{
	const void *build_id = NULL;
	ssize_t bytes = proof->build_id ? dwelf_elf_gnu_build_id(elf, &build_id) : 0;

	if (proof->build_id && (bytes <= 0 || !separate_is_id(proof, build_id, (size_t)bytes)))
		return false;
	return !proof->has_checksum ||
	       separate_checksum(file->bytes, file->length) == proof->checksum;
}

/* Takes an open file if it is the right one. */
static bool
take_file(struct separate_finder *finder, const struct separate_file *file)
{
	Elf *elf = elf_memory((char *)file->bytes, file->length);

	if (elf && elf_kind(elf) == ELF_K_ELF && is_proven(elf, file, &finder->proof)) {
		*((struct search *)finder)->file = (struct dwarfsym_file){elf, *file};
		return true;
	}
	elf_end(elf);
	return false;
}

/* What the sections of a file say about its debug information. */
struct survey {
	bool has_debug_info;
	uint64_t text;            /* address of .text */
	uint64_t bytes_inflated;  /* all compressed sections together */
	uint64_t bytes_relocated; /* all tables of relocations together */
};

static struct survey
take_survey(Elf *elf)
{
	struct survey survey = {0};
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return survey;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr shdr;
		GElf_Chdr chdr;
		const char *name;
		ssize_t bytes = 0;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
			continue;
		if (shdr.sh_type == SHT_REL || shdr.sh_type == SHT_RELA)
			survey.bytes_relocated += shdr.sh_size < UINT32_MAX ? shdr.sh_size
			                                                    : UINT32_MAX;
		name = elf_strptr(elf, names, shdr.sh_name);
		if (!name)
			continue;
		if (strcmp(name, ".text") == 0)
			survey.text = shdr.sh_addr;
		if (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0)
			survey.has_debug_info = true;
		if ((shdr.sh_flags & SHF_COMPRESSED) && gelf_getchdr(scn, &chdr))
			survey.bytes_inflated += chdr.ch_size < UINT32_MAX ? chdr.ch_size
			                                                   : UINT32_MAX;
		else if (strncmp(name, ".zdebug", 7) == 0 &&
		         (bytes = dwelf_scn_gnu_compressed_size(scn)) > 0)
			survey.bytes_inflated += (uint64_t)bytes;
	}
	return survey;
}

/* Whether the sections of a file grow out of proportion when they are decompressed. */
static bool
is_bloated(Elf *elf, const struct survey *survey)
{
	size_t bytes = 0;

	return survey->bytes_inflated > INFLATED_FREE && elf_rawfile(elf, &bytes) &&
	       survey->bytes_inflated / INFLATED_RATIO > bytes;
}

/* Whether the relocations of an object are the same ones again and again. */
static bool
is_relocated_again(Elf *elf, const struct survey *survey)
{
	size_t bytes = 0;

	return elf_rawfile(elf, &bytes) && survey->bytes_relocated / RELOCATED_RATIO > bytes;
}

static int
find_nothing(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
             const char *file, const char *link, GElf_Word sum, char **found)
{
	(void)module, (void)userdata, (void)name, (void)base;
	(void)file, (void)link, (void)sum, (void)found;
	return -1;
}

static int
put_at_zero(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
            const char *section, GElf_Word number, const GElf_Shdr *header, Dwarf_Addr *address)
{
	(void)module, (void)userdata, (void)name, (void)base;
	(void)section, (void)number, (void)header;
	*address = 0;
	return 0;
}

/*
 * Opens the debug information of a relocatable object, relocated.  Relocation writes into the
 * bytes, and a second one would go wrong: it gets a copy.
 */
static void
open_relocatable(struct gprofx *gx, Elf *elf, struct dwarfsym_debug *debug)
{
	static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_nothing,
	                                         .section_address = put_at_zero};
	Dwfl_Module *module = NULL;
	Dwarf_Addr bias;
	size_t bytes;
	const char *raw = elf_rawfile(elf, &bytes);

	debug->dwfl = dwfl_begin(&callbacks);
	if (raw && debug->dwfl) {
		debug->copy = gprofx_alloc(gx, bytes);
		memcpy(debug->copy, raw, bytes);
		dwfl_report_begin(debug->dwfl);
		module = dwfl_report_offline_memory(debug->dwfl, debug->name, debug->name,
		                                    debug->copy, bytes);
		dwfl_report_end(debug->dwfl, NULL, NULL);
	}
	if (module)
		debug->dwarf = dwfl_module_getdwarf(module, &bias);
	if (debug->dwarf)
		debug->shift = take_survey(dwarf_getelf(debug->dwarf)).text;
	else
		debug->wrong = dwfl_errmsg(-1);
}

/* Opens the debug information in a file, if there is any. */
static void
open_dwarf(struct gprofx *gx, Elf *elf, const struct survey *survey, struct dwarfsym_debug *debug)
{
	GElf_Ehdr header;

	if (!survey->has_debug_info || !gelf_getehdr(elf, &header))
		return;
	debug->found = "an unreadable file";
	if (is_bloated(elf, survey))
		debug->wrong = "its compressed sections are too large";
	else if (header.e_type == ET_REL && is_relocated_again(elf, survey))
		debug->wrong = "its relocations overlap";
	else if (header.e_type == ET_REL)
		open_relocatable(gx, elf, debug);
	else if (!(debug->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL)))
		debug->wrong = dwarf_errmsg(-1);
}

/* Opens the separate debug file of an image without debug information. */
static void
open_separate(struct search *search, const struct gprofx_image *image, struct dwarfsym_debug *debug)
{
	struct separate_finder *finder = &search->finder;
	const void *build_id;
	ssize_t bytes = dwelf_elf_gnu_build_id(debug->image_elf, &build_id);
	GElf_Word sum;
	const char *link;
	struct survey survey;
	bool found;

	search->file = &debug->file;
	found = bytes > 0 && separate_find_by_build_id(finder, build_id, (size_t)bytes);
	if (!found && (link = dwelf_elf_gnu_debuglink(debug->image_elf, &sum)) != NULL) {
		finder->proof = (struct separate_proof){.has_checksum = true, .checksum = sum};
		found = separate_find_by_name(finder, link, image->name);
	}
	if (!found)
		return;
	debug->name = debug->file.file.path;
	survey = take_survey(debug->file.elf);
	open_dwarf(finder->gx, debug->file.elf, &survey, debug);
}

/* Opens the file that keeps what several debug files have in common. */
static void
open_shared(struct search *search, struct dwarfsym_debug *debug)
{
	struct separate_finder *finder = &search->finder;
	const char *name;
	const void *build_id;
	ssize_t bytes = dwelf_dwarf_gnu_debugaltlink(debug->dwarf, &name, &build_id);
	bool found;

	if (bytes <= 0)
		return;
	search->file = &debug->shared;
	finder->proof = (struct separate_proof){.build_id = build_id,
	                                        .build_id_bytes = (size_t)bytes};
	found = *name == '/' ? separate_find_path(finder, name)
	                     : separate_find_by_name(finder, name, debug->name);
	if (found) {
		struct survey survey = take_survey(debug->shared.elf);

		if (!is_bloated(debug->shared.elf, &survey))
			debug->shared_dwarf = dwarf_begin_elf(debug->shared.elf, DWARF_C_READ,
			                                      NULL);
	}
	if (debug->shared_dwarf) {
		dwarf_setalt(debug->dwarf, debug->shared_dwarf);
	} else {
		debug->found = "no file of the name that keeps a part of it";
		debug->wrong = name;
	}
}

/*
 * Where sections are compressed, libelf writes into the headers that they are not, in the image
 * itself; a library that opened it after that would take them as they are.
 */
static void
keep_headers(struct gprofx *gx, const struct gprofx_image *image, struct dwarfsym_debug *debug)
{
	GElf_Ehdr header;
	size_t count;

	if (!gelf_getehdr(debug->image_elf, &header) ||
	    elf_getshdrnum(debug->image_elf, &count) != 0 || header.e_shoff > image->length ||
	    header.e_shentsize == 0 ||
	    count > (image->length - header.e_shoff) / header.e_shentsize)
		return;
	debug->headers_bytes = count * header.e_shentsize;
	debug->headers_place = image->bytes + header.e_shoff;
	debug->headers = gprofx_alloc(gx, debug->headers_bytes);
	memcpy(debug->headers, debug->headers_place, debug->headers_bytes);
}

static void
restore_headers(struct gprofx *gx, struct dwarfsym_debug *debug)
{
	if (!debug->headers)
		return;
	/* What was not changed is not written to, so that the pages stay those of the file. */
	if (memcmp(debug->headers_place, debug->headers, debug->headers_bytes) != 0)
		memcpy(debug->headers_place, debug->headers, debug->headers_bytes);
	gx->host->release(gx, debug->headers);
}

/* Opens the debug information of an image of another format. */
static void
open_wrapped(struct gprofx *gx, const struct gprofx_image *image, struct dwarfsym_debug *debug)
{
	struct survey survey;
	uint64_t length = 0;

	debug->wrapped = dwarfsym_wrap(gx, image, &length);
	if (!debug->wrapped)
		return;
	debug->image_elf = elf_memory((char *)debug->wrapped, length);
	if (!debug->image_elf)
		return;
	debug->address_bytes = image->target->pointer_bytes;
	survey = take_survey(debug->image_elf);
	open_dwarf(gx, debug->image_elf, &survey, debug);
}

void
dwarfsym_open(struct gprofx *gx, const struct gprofx_image *image,
              const struct dwarfsym_options *options, struct dwarfsym_debug *debug)
{
	struct search search = {
		.finder = {.gx = gx,
	                   .folders = options ? options->debug_folder : "",
	                   .take = take_file},
	};
	struct survey survey;

	memset(debug, 0, sizeof *debug);
	debug->name = image->name;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return;
	if (image->length < SELFMAG || memcmp(image->bytes, ELFMAG, SELFMAG) != 0) {
		open_wrapped(gx, image, debug);
		return;
	}
	debug->image_elf = elf_memory((char *)image->bytes, image->length);
	if (!debug->image_elf || elf_kind(debug->image_elf) != ELF_K_ELF)
		return;
	debug->address_bytes = gelf_getclass(debug->image_elf) == ELFCLASS32 ? 4 : 8;
	survey = take_survey(debug->image_elf);
	if (survey.has_debug_info) {
		keep_headers(gx, image, debug);
		open_dwarf(gx, debug->image_elf, &survey, debug);
	} else {
		open_separate(&search, image, debug);
	}
	if (debug->dwarf)
		open_shared(&search, debug);
}

void
dwarfsym_close(struct gprofx *gx, struct dwarfsym_debug *debug)
{
	if (debug->dwfl)
		dwfl_end(debug->dwfl);
	else
		dwarf_end(debug->dwarf);
	dwarf_end(debug->shared_dwarf);
	close_file(gx, &debug->file);
	close_file(gx, &debug->shared);
	elf_end(debug->image_elf);
	restore_headers(gx, debug);
	gx->host->release(gx, debug->copy);
	gx->host->release(gx, debug->wrapped);
}
