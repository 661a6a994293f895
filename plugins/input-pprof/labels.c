/* SPDX-License-Identifier: Apache-2.0 */
#include "labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../shared/grown.h"

enum { MOST_TIMES = 1000, FREE_BYTES = 1 << 16, FEWEST_BYTES = 256, SHOWN_BYTES = 60 };

/* Numbers of fields. */
enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4, LABEL_FIELDS = 4 };

void
pprof_begin_labels(const struct pprof *p, const char *key, struct pprof_labels *labels)
{
	*labels = (struct pprof_labels){.key = key,
	                                .bytes_left = MOST_TIMES * p->file->length + FREE_BYTES};
}

void
pprof_release_labels(const struct pprof *p, struct pprof_labels *labels)
{
	p->gx->host->release(p->gx, labels->text);
}

void
pprof_begin_label(struct pprof_labels *labels)
{
	labels->length = 0;
}

static enum gprofx_result
add_text(const struct pprof *p, struct pprof_labels *labels, const char *text)
{
	const struct gprofx_diagnostic large = {
		.id = "pprof.too-large",
		.file = p->file->name,
		.hint = "if you trust the file, read it without input-pprof.label"};
	size_t length = strlen(text);

	if (length > labels->bytes_left || length > UINT32_MAX / 2 - labels->length)
		return gprofx_fail(p->gx, &large,
		                   "expected at most %d bytes of labels for each byte of the "
		                   "file, found more",
		                   MOST_TIMES);
	labels->bytes_left -= length;
	/* With room for a NUL. */
	labels->text = grown(p->gx, labels->text, 1, &labels->room,
	                     labels->length + (uint32_t)length + 1, FEWEST_BYTES);
	memcpy(labels->text + labels->length, text, length);
	labels->length += (uint32_t)length;
	return GPROFX_OK;
}

static void
note_other(struct pprof_labels *labels, uint64_t key)
{
	for (uint32_t i = 0; i < labels->other_count; i++)
		if (labels->others[i] == key)
			return;
	if (labels->other_count < PPROF_OTHER_LABELS)
		labels->others[labels->other_count++] = key;
}

/* A value in the form of Go: a text, or a number with its unit; neither, and there is no label. */
static enum gprofx_result
add_value(const struct pprof *p, struct pprof_labels *labels, const uint64_t *fields)
{
	char number[sizeof "-9223372036854775808 "];
	bool is_text = fields[LABEL_TEXT] != 0;

	if (!is_text && fields[LABEL_NUMBER] == 0 && fields[LABEL_UNIT] == 0)
		return GPROFX_OK;
	if (labels->length > 0) {
		if (add_text(p, labels, ",") != GPROFX_OK)
			return GPROFX_FAILED;
	} else {
		labels->samples++;
		if (add_text(p, labels, labels->key) != GPROFX_OK ||
		    add_text(p, labels, "=") != GPROFX_OK)
			return GPROFX_FAILED;
	}
	if (is_text)
		return add_text(p, labels, pprof_text(p, fields[LABEL_TEXT]));
	snprintf(number, sizeof number, "%" PRId64 "%s", (int64_t)fields[LABEL_NUMBER],
	         fields[LABEL_UNIT] != 0 ? " " : "");
	if (add_text(p, labels, number) != GPROFX_OK)
		return GPROFX_FAILED;
	return fields[LABEL_UNIT] == 0 ? GPROFX_OK
	                               : add_text(p, labels, pprof_text(p, fields[LABEL_UNIT]));
}

enum gprofx_result
pprof_add_label(const struct pprof *p, struct pprof_labels *labels, struct wire wire)
{
	const uint8_t *begin = wire.at;
	uint64_t fields[LABEL_FIELDS + 1] = {0};
	struct wire_field field;

	while (wire_next(&wire, &field)) {
		if (field.number > LABEL_FIELDS)
			continue;
		if (field.type != WIRE_NUMBER)
			return pprof_fail(p, begin, "pprof.damaged", "a label of numbers",
			                  "another field");
		fields[field.number] = field.value;
	}
	if (wire.fault)
		return pprof_fail(p, wire.at, "pprof.damaged", "fields of a label", wire.fault);
	for (uint32_t i = LABEL_KEY; i <= LABEL_UNIT; i++)
		if (i != LABEL_NUMBER && fields[i] != 0 && fields[i] >= p->texts.count)
			return pprof_fail(p, begin, "pprof.bad-reference",
			                  "texts of the profile in a label", "a larger number");
	if (strcmp(pprof_text(p, fields[LABEL_KEY]), labels->key) == 0)
		return add_value(p, labels, fields);
	note_other(labels, fields[LABEL_KEY]);
	return GPROFX_OK;
}

uint32_t
pprof_place_of_label(const struct pprof *p, struct gprofx_profile *profile,
                     struct pprof_labels *labels)
{
	char none[SHOWN_BYTES + sizeof "[no ]"];
	struct gprofx_raw_place row = {.function = none};
	uint32_t number;

	if (labels->length > 0) {
		labels->text[labels->length] = '\0';
		row.function = labels->text;
	} else {
		snprintf(none, sizeof none, "[no %.*s]", SHOWN_BYTES, labels->key);
	}
	profile->builder->places(p->gx, profile, &row, 1, &number);
	return number;
}

void
pprof_report_labels(const struct pprof *p, const struct pprof_labels *labels)
{
	char others[PPROF_OTHER_LABELS * (SHOWN_BYTES + sizeof "\", \"")] = "none";
	size_t length = 0;
	const struct gprofx_diagnostic diagnostic = {
		.id = "pprof.no-label",
		.file = p->file->name,
		.hint = "set input-pprof.label to one of these, or leave it out"};

	if (*labels->key == '\0' || labels->samples > 0)
		return;
	for (uint32_t i = 0; i < labels->other_count; i++)
		length += (size_t)snprintf(others + length, sizeof others - length, "%s\"%.*s\"",
		                           i > 0 ? ", " : "", SHOWN_BYTES,
		                           pprof_text(p, labels->others[i]));
	gprofx_warn(p->gx, &diagnostic, "expected samples with the label \"%.*s\", found %s",
	            SHOWN_BYTES, labels->key, others);
}
