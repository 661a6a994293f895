/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the debug information of an image is: in the image or in a file of its own.
 */
#ifndef DWARFSYM_DEBUG_FILE_H
#define DWARFSYM_DEBUG_FILE_H

#include <gprofx/symbols.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <libelf.h>

#include "../shared/separate-file.h"

/* Options of the plugin. */
struct dwarfsym_options {
	const char *debug_folder; /* of separate debug files; colon-separated list */
};

/* A file opened by this plugin. */
struct dwarfsym_file {
	Elf *elf; /* NULL: none */
	struct separate_file file;
};

/* The debug information of one image.  Closed by dwarfsym_close(). */
struct dwarfsym_debug {
	Dwarf *dwarf;           /* NULL: none was found */
	const char *name;       /* the file it is in */
	const char *found;      /* what was found instead, for a message, … */
	const char *wrong;      /* … and more about it; NULL: nothing is wrong */
	uint32_t address_bytes; /* of the machine: 4 or 8 */
	/*
	 * Added to addresses of symbols it gives those of the debug information.  Not 0 only in a
	 * relocatable object: its sections were spread out, and GNU takes all its symbols for
	 * symbols of .text.
	 */
	uint64_t shift;
	/* What is open. */
	Elf *image_elf;
	struct dwarfsym_file file, shared; /* separate debug file; the one it shares with others */
	Dwarf *shared_dwarf;
	Dwfl *dwfl;       /* of a relocatable object … */
	char *copy;       /* … and its bytes */
	uint8_t *wrapped; /* what stands for an image that is no ELF file */
	/* The image's section headers as they were, where they are, and how many bytes. */
	uint8_t *headers, *headers_place;
	size_t headers_bytes;
};

/* Finds and opens the debug information of an image.  options: may be NULL. */
void dwarfsym_open(struct gprofx *gx, const struct gprofx_image *image,
                   const struct dwarfsym_options *options, struct dwarfsym_debug *debug);
void dwarfsym_close(struct gprofx *gx, struct dwarfsym_debug *debug);

/*
 * wrap.c: an ELF file with the debug information of an image of another format, to be released;
 * NULL: it has none, or states what cannot be.
 */
uint8_t *dwarfsym_wrap(struct gprofx *gx, const struct gprofx_image *image, uint64_t *length);

#endif
