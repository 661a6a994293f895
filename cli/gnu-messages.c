/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which diagnostic GNU gprof words how.  A diagnostic without a row is one that it does not have,
 * or for which it prints nothing that depends on its input alone.
 */
#include "gnu-messages.h"

#include <inttypes.h>
#include <string.h>

/*
 * In the text: %P the program, %F the file, %f the file and a colon unless its name is empty (as
 * perror() writes them), %E the system's error text, %0 and %1 the figures,
 * %- the first figure as a signed 32-bit number, %a and %b the words, %A and %B their first byte,
 * which may be NUL.
 */
static const struct {
	const char *id, *text;
} rows[] = {
	{"bsd.bad-header", "%P: file '%F' does not appear to be in gmon.out format\n"},
	{"bsd.bad-version", "%P: file `%F' has bad magic cookie\n"},
	{"bsd.short-bins", "%P: unexpected EOF after reading %-/%1 bins\n"},
	{"bsd.short-header", "%F: file too short to be a gmon file\n"},
	{"gmon.bad-cookie", "%P: file `%F' has bad magic cookie\n"},
	{"gmon.bad-tag", "%P: %F: found bad tag %0 (file corrupted?)\n"},
	{"gmon.short-bins", "%P: %F: unexpected EOF after reading %0 of %1 samples\n"},
	{"gmon.short-record", "%P: %F: unexpected end of file\n"},
	{"gmon.unsupported-version", "%P: file `%F' has unsupported version %-\n"},
	{"image.bad-symtab", "%P: %F: %a\n"},
	{"image.cannot-open", "%f%E\n"},
	{"image.no-symbols", "%P: file `%F' has no symbols\n"},
	{"image.no-text", "%P: can't find .text section in %F\n"},
	{"image.not-an-object", "%P: %F: not in executable format\n"},
	{"list.cannot-open", "%P: could not open %F.\n"},
	{"list.is-a-folder", "%P: file `%F' has no symbols\n"},
	{"list.no-symbols", "%P: file `%F' has no symbols\n"},
	{"list.too-large", "%P: file `%F' has too many symbols\n"},
	{"map.bad-line", "%P: unable to parse mapping file %F.\n"},
	{"map.cannot-open", "%P: could not open %F.\n"},
	{"output.beside-failed", "%F: %E\n"},
	{"profile.abbreviation-changed",
         "%P: dimension abbreviation changed between histogram records\n%P: from '%A'\n%P: to '%B'\n"},
	{"profile.blocks-ignored",
         "%P: warning: ignoring basic-block exec counts (use -l or --line)\n"},
	{"profile.cannot-open", "%f%E\n"},
	{"profile.cannot-seek", "%f%E\n"},
	{"profile.dimension-changed",
         "%P: dimension unit changed between histogram records\n%P: from '%a'\n%P: to '%b'\n"},
	{"profile.first-differs", "%F: incompatible with first gmon file\n"},
	{"profile.is-a-folder", "%F: file too short to be a gmon file\n"},
	{"profile.not-a-profile", "%P: file '%F' does not appear to be in gmon.out format\n"},
	{"profile.overlap", "%P: overlapping histogram records\n"},
	{"profile.rate-differs", "%F: profiling rate incompatible with first gmon file\n"},
	{"profile.scale-changed", "%P: different scales in histogram records"},
	{"profile.short-file", "%F: file too short to be a gmon file\n"},
	{"reader.prof-unsupported", "%P: sorry, file format `prof' is not yet supported\n"},
	{"report.no-arcs", "%P: gmon.out file is missing call-graph data\n"},
	{"report.no-histogram", "%P: gmon.out file is missing histogram\n"},
	{"source.cannot-open", "%F: %E\n"},
	{"source.not-found", "%P: could not locate `%F'\n"},
	{"scan.unknown-machine", "%P: -c not supported on architecture %a\n"},
	{"sum.write-failed", "%f%E\n"},
	{"usage.conflicting-orderings",
         "%P: Only one of --function-ordering and --file-ordering may be specified.\n"},
	{"usage.unknown-format", "%a: unknown file format %P\n"},
	{"usage.unknown-style", "%P: unknown demangling style `%a'\n"},
};

static const char *
text_of(const char *id)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(rows[i].id, id) == 0)
			return rows[i].text;
	return NULL;
}

static void
put_place(struct message *message, char place, const char *program,
          const struct gprofx_diagnostic *diagnostic)
{
	const char *words[2] = {diagnostic->text[0] ? diagnostic->text[0] : "",
	                        diagnostic->text[1] ? diagnostic->text[1] : ""};

	switch (place) {
	case 'P':
		message_put(message, program);
		break;
	case 'F':
		message_put(message, diagnostic->file ? diagnostic->file : "");
		break;
	case 'f':
		if (diagnostic->file && diagnostic->file[0] != '\0')
			message_format(message, "%s: ", diagnostic->file);
		break;
	case 'E':
		message_put(message, strerror(diagnostic->system_error));
		break;
	case '0':
	case '1':
		message_format(message, "%" PRIu64, diagnostic->number[place - '0']);
		break;
	case '-':
		message_format(message, "%" PRId32, (int32_t)(uint32_t)diagnostic->number[0]);
		break;
	case 'a':
	case 'b':
		message_put(message, words[place - 'a']);
		break;
	case 'A':
	case 'B':
		message_put_bytes(message, words[place - 'A'], 1);
		break;
	default:
		break;
	}
}

bool
gnu_message(struct message *message, const char *program,
            const struct gprofx_diagnostic *diagnostic)
{
	const char *text = text_of(diagnostic->id);

	if (!text)
		return false;
	while (*text != '\0') {
		size_t plain = strcspn(text, "%");

		message_put_bytes(message, text, plain);
		text += plain;
		if (*text == '%') {
			put_place(message, text[1], program, diagnostic);
			text += 2;
		}
	}
	return true;
}
