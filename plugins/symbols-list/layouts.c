/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layouts that lists of symbols have:
 *
 *     bsd     ADDRESS [SIZE] TYPE NAME     nm, nm -S, System.map, /proc/kallsyms
 *     posix   NAME TYPE ADDRESS [SIZE]     nm -P
 *     sysv    NAME|ADDRESS|TYPE|KIND|SIZE|LINE|SECTION     nm -f sysv
 *
 * One list has one layout, which the first line that fits only one of them decides.
 */
#include "list.h"

#include <string.h>

#include <gprofx/symbols.h>

/* What a line is. */
enum kind {
	LINE_SYMBOL,  /* of a function */
	LINE_OTHER,   /* of something else, or undefined */
	LINE_NO_LINE, /* blank, or a heading */
	LINE_UNFIT
};

/* Takes a line apart.  Of one that does not fit, *unfit is the place where it does not. */
typedef enum kind layout_reader(struct stretch line, struct entry *entry, const char **unfit);

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *
skip_blanks(struct stretch text)
{
	while (text.at < text.end && is_blank(*text.at))
		text.at++;
	return text.at;
}

static struct stretch
trim(struct stretch text)
{
	text.at = skip_blanks(text);
	while (text.end > text.at && (is_blank(text.end[-1]) || text.end[-1] == '\r'))
		text.end--;
	return text;
}

/* Takes the first word off a text; it is empty if there is none. */
static struct stretch
take_word(struct stretch *text)
{
	struct stretch word = {skip_blanks(*text), NULL};

	for (word.end = word.at; word.end < text->end && !is_blank(*word.end); word.end++)
		;
	text->at = word.end;
	return word;
}

/* Takes the last word off a text without blanks at its end. */
static struct stretch
take_last_word(struct stretch *text)
{
	struct stretch word = {text->end, text->end};

	while (word.at > text->at && !is_blank(word.at[-1]))
		word.at--;
	text->end = word.at;
	*text = trim(*text);
	return word;
}

/* Whether a word is a number of at most 64 bits, and which. */
static bool
read_number(struct stretch word, uint64_t *number)
{
	const char *end;

	if (word.end - word.at > 2 && word.at[0] == '0' && (word.at[1] | 0x20) == 'x')
		word.at += 2;
	return symlist_digits(word, number, &end) && end == word.end && end > word.at;
}

/* Letters of types; those of functions first. */
static const char types[] = "TtWwUAaBbCcDdGgIiNnPpRrSsuVv-?";
enum { FUNCTION_TYPES = 4 };

static bool
is_type(struct stretch word)
{
	return word.end - word.at == 1 && *word.at != '\0' && strchr(types, *word.at);
}

/* What a symbol of this type with an address is. */
static enum kind
kind_of(char type, struct entry *entry)
{
	entry->flags = GPROFX_SYMBOL_FUNCTION;
	if (type == 't')
		entry->flags |= GPROFX_SYMBOL_LOCAL;
	return memchr(types, type, FUNCTION_TYPES) ? LINE_SYMBOL : LINE_OTHER;
}

static bool
is_name(struct stretch name)
{
	return name.at < name.end && !memchr(name.at, '\0', (size_t)(name.end - name.at));
}

static enum kind
unfit_at(const char *at, const char **unfit)
{
	*unfit = at;
	return LINE_UNFIT;
}

/* A demangled name has blanks.  Behind a tab nm has the source line, and Linux the module. */
static struct stretch
bsd_name(struct stretch text)
{
	const char *tab, *bracket;

	text.at = skip_blanks(text);
	tab = memchr(text.at, '\t', (size_t)(text.end - text.at));
	if (tab)
		text.end = tab;
	text = trim(text);
	if (text.at < text.end && text.end[-1] == ']') {
		for (bracket = text.end - 1; bracket > text.at && *bracket != '['; bracket--)
			;
		if (bracket > text.at && bracket[-1] == ' ')
			text.end = bracket;
	}
	return trim(text);
}

static enum kind
read_bsd(struct stretch line, struct entry *entry, const char **unfit)
{
	struct stretch rest = line, word = take_word(&rest), size;

	if (is_type(word) && !read_number(word, &entry->address))
		return is_name(bsd_name(rest)) ? LINE_OTHER : unfit_at(rest.at, unfit);
	if (!read_number(word, &entry->address))
		return unfit_at(word.at, unfit);
	word = take_word(&rest);
	entry->bytes = 0;
	if (!is_type(word)) {
		size = word;
		word = take_word(&rest);
		if (!read_number(size, &entry->bytes) || !is_type(word))
			return unfit_at(size.at, unfit);
	}
	entry->name = bsd_name(rest);
	if (!is_name(entry->name))
		return unfit_at(entry->name.at, unfit);
	return kind_of(*word.at, entry);
}

/* From the end, as a demangled name has blanks. */
static enum kind
read_posix(struct stretch line, struct entry *entry, const char **unfit)
{
	struct stretch rest = line, words[3];
	bool is_undefined;
	int count = 0;

	do
		words[count++] = take_last_word(&rest);
	while (!is_type(words[count - 1]) && count < 3);
	is_undefined = count == 1;
	entry->name = rest;
	entry->bytes = 0;
	if (!is_type(words[count - 1]) || (is_undefined && !strchr("Uwv", *words[0].at)))
		return unfit_at(words[0].at, unfit);
	if (!is_name(rest))
		return unfit_at(line.at, unfit);
	if (is_undefined)
		return LINE_OTHER;
	if (!read_number(words[count - 2], &entry->address))
		return unfit_at(words[count - 2].at, unfit);
	if (count == 3 && !read_number(words[0], &entry->bytes))
		return unfit_at(words[0].at, unfit);
	return kind_of(*words[count - 1].at, entry);
}

/* The fields from the end, as a demangled name can have a bar. */
enum { SYSV_SECTION, SYSV_LINE, SYSV_SIZE, SYSV_KIND, SYSV_TYPE, SYSV_ADDRESS, SYSV_FIELDS };

static bool
is_word(struct stretch text, const char *word)
{
	size_t length = (size_t)(text.end - text.at);

	return strlen(word) == length && memcmp(text.at, word, length) == 0;
}

static enum kind
read_sysv(struct stretch line, struct entry *entry, const char **unfit)
{
	struct stretch fields[SYSV_FIELDS], rest = line;

	for (int i = 0; i < SYSV_FIELDS; i++) {
		const char *bar = rest.end;

		while (bar > rest.at && bar[-1] != '|')
			bar--;
		if (bar == rest.at)
			return unfit_at(line.at, unfit);
		fields[i] = trim((struct stretch){bar, rest.end});
		rest.end = bar - 1;
	}
	entry->name = trim(rest);
	entry->bytes = 0;
	if (!is_name(entry->name))
		return unfit_at(line.at, unfit);
	if (!is_type(fields[SYSV_TYPE]))
		return unfit_at(fields[SYSV_TYPE].at, unfit);
	if (fields[SYSV_ADDRESS].at == fields[SYSV_ADDRESS].end)
		return LINE_OTHER;
	if (!read_number(fields[SYSV_ADDRESS], &entry->address))
		return unfit_at(fields[SYSV_ADDRESS].at, unfit);
	if (fields[SYSV_SIZE].at < fields[SYSV_SIZE].end &&
	    !read_number(fields[SYSV_SIZE], &entry->bytes))
		return unfit_at(fields[SYSV_SIZE].at, unfit);
	if (kind_of(*fields[SYSV_TYPE].at, entry) == LINE_OTHER)
		return LINE_OTHER;
	if (is_word(fields[SYSV_KIND], "NOTYPE") || is_word(fields[SYSV_KIND], "OBJECT"))
		entry->flags &= (uint8_t)~GPROFX_SYMBOL_FUNCTION;
	return LINE_SYMBOL;
}

static layout_reader *const layouts[] = {read_bsd, read_posix, read_sysv};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* What nm writes above the symbols of a file. */
static bool
is_heading(struct stretch line)
{
	static const char *const beginnings[] = {"Symbols from ", "Undefined symbols from ",
	                                         "Name  "};
	size_t length = (size_t)(line.end - line.at);

	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
		if (length > strlen(beginnings[i]) &&
		    memcmp(line.at, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return line.end[-1] == ':';
}

/* Takes a line off the text. */
static struct stretch
take_line(struct stretch *text)
{
	const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
	struct stretch line = {text->at, newline ? newline : text->end};

	text->at = newline ? newline + 1 : text->end;
	return trim(line);
}

static enum kind
read_line(layout_reader *layout, struct stretch line, struct entry *entry, const char **unfit)
{
	enum kind kind;

	if (line.at == line.end)
		return LINE_NO_LINE;
	kind = layout(line, entry, unfit);
	return kind == LINE_UNFIT && is_heading(line) ? LINE_NO_LINE : kind;
}

static layout_reader *
find_layout(struct stretch text)
{
	while (text.at < text.end) {
		struct stretch line = take_line(&text);
		layout_reader *fitting = NULL;
		struct entry entry;
		const char *unfit;
		int fit = 0;

		for (size_t i = 0; i < LAYOUTS; i++) {
			enum kind kind = read_line(layouts[i], line, &entry, &unfit);

			if (kind == LINE_SYMBOL || kind == LINE_OTHER) {
				fitting = layouts[i];
				fit++;
			}
		}
		if (fit == 1)
			return fitting;
	}
	return layouts[0];
}

/* The lines that do not fit. */
struct unfit {
	uint64_t count;
	uint64_t line, column; /* of the first */
};

static struct gprofx_diagnostic
about_line(const struct list *list, const struct unfit *unfit)
{
	return (struct gprofx_diagnostic){
		.id = "list.bad-line",
		.file = list->file->name,
		.place = GPROFX_AT_LINE,
		.line = unfit->line < UINT32_MAX ? (uint32_t)unfit->line : UINT32_MAX,
		.column = unfit->column < UINT32_MAX ? (uint32_t)unfit->column : UINT32_MAX,
		.hint = "create the list again with: nm PROGRAM",
		.number = {unfit->count},
	};
}

static enum gprofx_result
judge(const struct list *list, const struct unfit *unfit)
{
	struct gprofx_diagnostic diagnostic = about_line(list, unfit);
	const struct gprofx_symtab *symtab = list->symtab;
	uint32_t hidden = 0;

	if (unfit->count > 0 && symtab->count == 0)
		return gprofx_fail(list->gx, &diagnostic,
		                   "expected an address, a type and a name, found something else "
		                   "here, and no line with a function in the list");
	if (unfit->count > 0)
		gprofx_warn(list->gx, &diagnostic,
		            "expected an address, a type and a name, found something else here%s; "
		            "these lines are left out",
		            unfit->count > 1 ? " and elsewhere" : "");
	while (hidden < symtab->count && symtab->rows.address[hidden] == 0)
		hidden++;
	if (hidden < 2 || hidden < symtab->count)
		return GPROFX_OK;
	diagnostic.id = "list.hidden-addresses";
	diagnostic.place = GPROFX_NOWHERE;
	diagnostic.hint = "read /proc/kallsyms as root, or use the kernel's System.map";
	diagnostic.number[0] = hidden;
	return gprofx_fail(list->gx, &diagnostic,
	                   "expected addresses of %u functions, found 0 for each of them", hidden);
}

enum gprofx_result
symlist_read(struct list *list)
{
	struct stretch text = list_text(list);
	struct unfit unfit = {0};
	layout_reader *layout;
	uint64_t number = 0;

	/* Some editors begin a file with a mark of its encoding. */
	if (text.end - text.at >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
		text.at += 3;
	layout = find_layout(text);
	while (text.at < text.end) {
		const char *begin = text.at, *place = begin;
		struct stretch line = take_line(&text);
		struct entry entry;

		number++;
		switch (read_line(layout, line, &entry, &place)) {
		case LINE_SYMBOL:
			symlist_add(list, &entry);
			break;
		case LINE_UNFIT:
			if (unfit.count++ == 0) {
				unfit.line = number;
				unfit.column = (uint64_t)(place - begin) + 1;
			}
			break;
		default:
			break;
		}
	}
	return judge(list, &unfit);
}
