/* SPDX-License-Identifier: Apache-2.0 */
#include "base/codec.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_WORDS = 8 };

void
codec_words(struct codec *codec, char *text, size_t bytes)
{
	const char *known = NULL;

	if (codec->writes) {
		bytes_put_text(&codec->out, text);
		return;
	}
	codec_text(codec, &known);
	if (!known || strlen(known) >= bytes) {
		codec_fail(codec);
		return;
	}
	snprintf(text, bytes, "%s", known);
}

void
codec_rows(struct codec *codec, uint64_t **rows, uint32_t *count, uint32_t words)
{
	uint64_t last[MOST_WORDS] = {0};

	codec_count(codec, count, words);
	if (!codec->writes)
		memory_array(codec->run, *rows, (size_t)*count * words + 1);
	for (uint32_t i = 0; *rows && i < *count && !codec_has_failed(codec); i++) {
		uint64_t *row = *rows + (size_t)i * words;

		/* The last one is a count. */
		for (uint32_t k = 0; k + 1 < words; k++)
			codec_near(codec, &row[k], &last[k]);
		codec_u64(codec, &row[words - 1]);
	}
}
