/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads profiles in dumps of memory as text: what devices without files print on their consoles,
 * and debuggers and programmers write.  The bytes go to the reader of the format that they have.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <gprofx/reader.h>

#include "../shared/text-lines.h"
#include "capture.h"
#include "line.h"
#include "record.h"
#include "start.h"

enum {
	LOOKED_AT = 256 << 10, /* bytes in which a dump has to start */
	LOOKED_AT_LINE = 1024,
	HEAD = 512, /* bytes that show whether a file is a text */
	PLAIN_HEAD = 32,
	CERTAIN = 95,
	LIKELY = 70
};

/* A console can send what moves its cursor, and no other control characters. */
static bool
is_text(const struct gprofx_file *file)
{
	size_t count = file->length < HEAD ? (size_t)file->length : HEAD;

	for (size_t i = 0; i < count; i++) {
		uint8_t c = file->bytes[i];

		if ((c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != 0x1b && c != '\a' &&
		     c != '\b') ||
		    c == 0x7f)
			return false;
	}
	return count > 0;
}

/* What is known of a file from its first lines. */
struct weighing {
	uint8_t bytes[LOOKED_AT_LINE / 2 + 1];
	char plain[LOOKED_AT_LINE];
	struct line line;
	struct form form;
	bool has_form, has_place;
	uint64_t next, base;
	/* The first bytes of the last line without an address, and of this one. */
	uint8_t head[2 * PLAIN_HEAD];
	size_t head_count;
};

static bool
goes_on(const struct weighing *w)
{
	uint64_t octal = 0, decimal = 0;
	const char *at;

	if (!w->has_form || w->line.kind != w->form.kind || w->line.what != LINE_DATA)
		return false;
	if (w->line.address == w->next)
		return true;
	for (at = w->line.digits; at && at < w->line.past_digits && text_is_digit(*at); at++) {
		octal = octal * 8 + (uint64_t)(*at - '0');
		decimal = decimal * 10 + (uint64_t)(*at - '0');
	}
	return at == w->line.past_digits && (octal == w->next || decimal == w->next);
}

/* Whether this line without an address and the one before it are the start of a profile. */
static bool
starts_plain(struct weighing *w, uint32_t item_bytes)
{
	size_t count = w->line.count < PLAIN_HEAD ? w->line.count : PLAIN_HEAD;
	bool is_start;

	memcpy(w->head + w->head_count, w->bytes, count);
	is_start = hexdump_start(w->head, w->head_count + count, item_bytes) != START_UNKNOWN;
	memcpy(w->head, w->bytes, count);
	w->head_count = count;
	return is_start;
}

static int
weigh_line(struct weighing *w, const char *text, const char *end)
{
	const struct form *form = w->has_form ? &w->form : NULL;
	uint32_t item_bytes;

	if (memchr(text, HEXDUMP_ESCAPE, (size_t)(end - text))) {
		end = w->plain + hexdump_plain(w->plain, text, (size_t)(end - text));
		text = w->plain;
	}
	while (end > text && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	if (hexdump_record(&w->line, text, end, &w->base, w->bytes))
		return w->line.what == LINE_CUT || w->line.what == LINE_BAD_CHECKSUM ||
		                       w->line.what == LINE_BAD_RECORD
		               ? 0
		               : LIKELY;
	hexdump_line(&w->line, text, end, form, w->bytes);
	/* The dump before can be of another form. */
	if (form && !goes_on(w))
		hexdump_line(&w->line, text, end, NULL, w->bytes);
	if (w->line.kind == LINE_PLAIN && w->line.what == LINE_ADDRESS)
		w->has_place = true;
	if (w->line.kind == LINE_OTHER || w->line.what != LINE_DATA)
		return 0;
	item_bytes = w->line.item_bytes <= 8 ? w->line.item_bytes : 1;
	if (hexdump_start(w->bytes, w->line.count, item_bytes) != START_UNKNOWN)
		return CERTAIN;
	if (w->line.kind != LINE_ADDRESSED)
		return starts_plain(w, item_bytes) ? CERTAIN : w->has_place ? LIKELY : 0;
	/* An address with one number is a count in texts of other formats. */
	if (goes_on(w) && (w->line.has_colon || w->line.count > w->line.item_bytes))
		return LIKELY;
	hexdump_learn(&w->form, &w->line, text);
	w->has_form = true;
	w->next = w->line.address + w->line.count;
	return 0;
}

static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	struct text_lines lines = {(const char *)file->bytes, NULL, 0};
	struct weighing weighing = {.has_form = false};
	const char *text;
	size_t length;
	int certainty = 0;

	(void)target;
	if (file->strict || !is_text(file))
		return 0;
	lines.end = lines.at + (file->length < LOOKED_AT ? (size_t)file->length : LOOKED_AT);
	while (certainty == 0 && text_lines_next(&lines, &text, &length))
		certainty = weigh_line(&weighing, text,
		                       text + (length < LOOKED_AT_LINE ? length : LOOKED_AT_LINE));
	return certainty;
}

static struct gprofx_diagnostic
at_line(const struct gprofx_file *file, uint32_t line, const char *id, const char *hint)
{
	return (struct gprofx_diagnostic){
		.id = id,
		.file = file->name,
		.place = line > 0 ? GPROFX_AT_LINE : GPROFX_NOWHERE,
		.line = line,
		.hint = hint,
	};
}

static enum gprofx_result
fail_no_profile(struct gprofx *gx, const struct capture *capture)
{
	const struct dump *first = capture->dump_count > 0 ? &capture->dumps[0] : NULL;
	const struct gprofx_diagnostic diagnostic = at_line(
		capture->file, first ? first->first_line : 0, "hexdump.no-profile",
		"dump the buffer with the profile from its first byte to its last one");

	if (!first)
		return gprofx_fail(gx, &diagnostic, "expected a dump of a profile, found none");
	return gprofx_fail(gx, &diagnostic,
	                   "expected a dump that starts as a profile, found %" PRIu32
	                   " that do not, this one first",
	                   capture->dump_count);
}

static void
warn_skipped(struct gprofx *gx, const struct capture *capture)
{
	struct gprofx_diagnostic diagnostic = at_line(
		capture->file, capture->first_skipped, "hexdump.skipped-lines",
		capture->interrupted > 0
			? "keep only lines of dumps in the file, after a look at what is missing"
			: "nothing has to be done if these lines are prompts or messages");

	if (capture->skipped == 0)
		return;
	diagnostic.number[0] = capture->skipped;
	gprofx_warn(gx, &diagnostic, "%" PRIu32 " lines are not part of a dump, this one first",
	            capture->skipped);
}

/* Addresses would show whether lines of the dump were lost. */
static void
warn_interrupted(struct gprofx *gx, const struct capture *capture)
{
	struct gprofx_diagnostic diagnostic = at_line(
		capture->file, capture->first_interrupted, "hexdump.interrupted",
		"compare the lines with those that were sent, or dump the memory with addresses");

	if (capture->interrupted == 0)
		return;
	diagnostic.number[0] = capture->interrupted;
	gprofx_warn(gx, &diagnostic,
	            "other lines interrupt a dump without addresses, of which bytes can be "
	            "missing: %" PRIu32 " times, this one first",
	            capture->interrupted);
}

static void
warn_several(struct gprofx *gx, const struct capture *capture, uint32_t profiles)
{
	struct gprofx_diagnostic diagnostic = at_line(
		capture->file, 0, "hexdump.several-profiles",
		"to report one of them, keep only its lines in the file");

	if (profiles < 2)
		return;
	diagnostic.number[0] = profiles;
	gprofx_warn(gx, &diagnostic,
	            "found dumps of %" PRIu32 " profiles, which are added up if they are whole",
	            profiles);
}

static void
warn_left_out(struct gprofx *gx, const struct capture *capture)
{
	const struct dump *first = NULL;
	struct gprofx_diagnostic diagnostic;
	uint32_t count = 0;

	for (uint32_t i = capture->dump_count; i-- > 0;) {
		const struct dump *dump = &capture->dumps[i];

		if (dump->is_damaged || capture_is_profile(capture, dump))
			continue;
		first = dump;
		count++;
	}
	if (!first)
		return;
	diagnostic = at_line(capture->file, first->first_line, "hexdump.left-out",
	                     "nothing has to be done if these are of other memory");
	diagnostic.number[0] = count;
	gprofx_warn(gx, &diagnostic,
	            "dumps left out, as they do not start as a profile: %" PRIu32
	            ", the first one of %zu bytes at 0x%" PRIx64,
	            count, first->count, first->address);
}

static void
pass(struct gprofx *gx, struct gprofx_profile *profile, struct capture *capture,
     const struct dump *dump, const struct gprofx_target *target)
{
	static const char format[] = "%s (decoded from line %u)";
	size_t room = strlen(capture->file->name) + sizeof format + 10;
	char *name = gprofx_alloc(gx, room);
	struct gprofx_file contained = {.size = sizeof contained, .name = name};

	snprintf(name, room, format, capture->file->name, (unsigned)dump->first_line);
	capture_bytes(capture, dump, !target->big_endian, &contained);
	profile->builder->contained(gx, profile, &contained);
}

static bool
is_passed(const struct capture *capture, const struct dump *dump)
{
	return !dump->is_damaged && capture_is_profile(capture, dump);
}

static void
warn_damaged(struct gprofx *gx, const struct capture *capture)
{
	if (capture->damaged == 0)
		return;
	gprofx_warn(gx, &capture->damage.diagnostic, "%s; damaged dumps left out: %" PRIu32,
	            capture->damage.text, capture->damaged);
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct capture capture = {.gx = gx, .file = file};
	uint32_t profiles = 0;

	(void)options;
	capture_read(&capture);
	if (capture.dump_count == 0) {
		capture = (struct capture){.gx = gx, .file = file, .takes_any = true};
		capture_read(&capture);
	}
	for (uint32_t i = 0; i < capture.dump_count; i++)
		profiles += is_passed(&capture, &capture.dumps[i]);
	if (capture.damaged > 0 && profiles == 0)
		return gprofx_fail(gx, &capture.damage.diagnostic, "%s", capture.damage.text);
	/* Old formats start with an address, which can be any. */
	if (profiles == 0 && capture.dump_count != 1)
		return fail_no_profile(gx, &capture);
	warn_skipped(gx, &capture);
	warn_interrupted(gx, &capture);
	if (profiles > 0)
		warn_left_out(gx, &capture);
	warn_damaged(gx, &capture);
	warn_several(gx, &capture, profiles);
	for (uint32_t i = 0; i < capture.dump_count; i++)
		if (profiles == 0 || is_passed(&capture, &capture.dumps[i]))
			pass(gx, profile, &capture, &capture.dumps[i], target);
	return GPROFX_OK;
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "hexdump",
	.read = read_file,
	.weigh = weigh,
	/* What is in it may do without the program. */
	.carries_names = true,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "input-hexdump",
	.version = "1.0",
	.summary = "Profiles in dumps of memory as text (xxd, hexdump, od, gdb, Intel HEX, "
		   "S-records, consoles)",
	.reader = &reader,
};
