/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The headers of a PE image or a COFF object, and the view of the file that libbfd gets to see: it
 * reads nothing of a hostile file that was not checked, or made harmless, before.
 */
#ifndef SYMBOLS_PE_HEADERS_H
#define SYMBOLS_PE_HEADERS_H

#include <gprofx/symbols.h>

/* Sizes of headers. */
enum { COFF_HEADER = 20, SECTION_HEADER = 40 };

/* What a file is, by its headers. */
struct pe_headers {
	struct gprofx *gx;
	const struct gprofx_image *image;
	struct gprofx_target target;
	const char *architecture;  /* in the words of the GNU binutils */
	const char *format;        /* libbfd's word for such files */
	uint64_t at;               /* of the COFF header */
	uint64_t directories;      /* at the end of the optional header, 0: there are none */
	uint64_t sections, past;   /* first section header, end of the last one */
	uint64_t symbols, strings; /* tables; the one of strings stands behind the symbols */
	uint64_t strings_bytes;    /* with its own size in front; 0: there is none */
	uint32_t section_count;
	uint32_t row_count;    /* rows of the symbol table, with the auxiliary ones */
	uint32_t symbol_count; /* without them */
	uint32_t row_bytes;
};

/* The file as libbfd sees it: the image, but for two ranges of it that were copied and changed. */
struct pe_view {
	const struct gprofx_image *image;
	struct pe_patch {
		uint64_t at, bytes;
		uint8_t *copy;
	} patches[2];
};

/* Ends in GPROFX_FAILED: the file is no image. */
#define SYMPE_REJECT(headers, where, advice, ...)                               \
	gprofx_fail((headers)->gx,                                              \
	            &(struct gprofx_diagnostic){.id = "image.not-an-object",    \
	                                        .file = (headers)->image->name, \
	                                        .place = GPROFX_AT_OFFSET,      \
	                                        .offset = (where),              \
	                                        .hint = (advice)},              \
	            __VA_ARGS__)

/* Ends in GPROFX_FAILED: the image's symbols cannot be read.  library_words: libbfd's. */
#define SYMPE_BAD_TABLE(headers, where, library_words, ...)                     \
	gprofx_fail((headers)->gx,                                              \
	            &(struct gprofx_diagnostic){.id = "image.bad-symtab",       \
	                                        .file = (headers)->image->name, \
	                                        .place = GPROFX_AT_OFFSET,      \
	                                        .offset = (where),              \
	                                        .hint = sympe_copy_again,       \
	                                        .text = {(library_words)}},     \
	            __VA_ARGS__)

/* Advice for damaged files, and for files of another kind. */
extern const char sympe_copy_again[], sympe_give_the_program[];

/* How sure the first bytes of a file are those of such an image. */
int sympe_probe(const uint8_t *head, size_t bytes);

/* Checks the headers and that the tables lie inside the file; fails on a file that is no image. */
enum gprofx_result
sympe_read_headers(struct pe_headers *headers, struct gprofx *gx, const struct gprofx_image *image);

/* Makes the view; it ends with sympe_close_view(). */
void sympe_open_view(struct pe_view *view, const struct pe_headers *headers);
void sympe_close_view(struct pe_view *view, struct gprofx *gx);
/* Copies at most "bytes" bytes of the view; returns how many there were. */
uint64_t sympe_read_view(const struct pe_view *view, void *to, uint64_t offset, uint64_t bytes);

/* debug-sections.c: states where debug information is. */
void sympe_find_debug(const struct pe_headers *headers, struct gprofx_symtab *symtab);

/*
 * The number in a section's name that is the offset of its long name in the table of strings;
 * false: the name is no such.
 */
bool sympe_name_offset(const uint8_t name[8], uint64_t *offset);

/* libraries.c: states which libraries the image imports from. */
void sympe_find_libraries(const struct pe_headers *headers, struct gprofx_symtab *symtab);

/* Row "index" of the symbol table as it stands in the file, and how many auxiliary rows follow. */
const uint8_t *sympe_row(const struct pe_headers *headers, uint32_t index);
uint32_t sympe_auxiliary(const struct pe_headers *headers, const uint8_t *row);

#endif
