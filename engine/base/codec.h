/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both directions of partial profiles in one description: each function writes the value that it
 * gets, or replaces it by the one that it reads.
 */
#ifndef ENGINE_BASE_CODEC_H
#define ENGINE_BASE_CODEC_H

#include "base/bytes.h" /* IWYU pragma: export */
#include "base/run.h"

struct codec {
	struct run *run;
	bool writes;
	struct bytes_out out; /* if it writes */
	struct bytes_in in;   /* else */
};

static inline bool
codec_has_failed(const struct codec *codec)
{
	return !codec->writes && codec->in.has_failed;
}

/* What was read cannot be right. */
static inline void
codec_fail(struct codec *codec)
{
	codec->in.has_failed = true;
}

static inline void
codec_u64(struct codec *codec, uint64_t *value)
{
	if (codec->writes)
		bytes_put_number(&codec->out, *value);
	else
		*value = bytes_take_number(&codec->in);
}

/* One that is at most so large. */
static inline void
codec_up_to(struct codec *codec, uint32_t *value, uint32_t most)
{
	if (codec->writes)
		bytes_put_number(&codec->out, *value);
	else
		*value = (uint32_t)bytes_take_up_to(&codec->in, most);
}

static inline void
codec_u32(struct codec *codec, uint32_t *value)
{
	codec_up_to(codec, value, UINT32_MAX);
}

static inline void
codec_u8(struct codec *codec, uint8_t *value)
{
	uint32_t number = *value;

	codec_up_to(codec, &number, UINT8_MAX);
	*value = (uint8_t)number;
}

static inline void
codec_bool(struct codec *codec, bool *value)
{
	uint32_t number = *value;

	codec_up_to(codec, &number, 1);
	*value = number != 0;
}

/* Each of several members. */
static inline void
codec_each_u64(struct codec *codec, uint64_t *const *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		codec_u64(codec, values[i]);
}

static inline void
codec_each_u32(struct codec *codec, uint32_t *const *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		codec_u32(codec, values[i]);
}

static inline void
codec_each_bool(struct codec *codec, bool *const *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		codec_bool(codec, values[i]);
}

/* A number that can be anything, as often as not a large one. */
static inline void
codec_i64(struct codec *codec, int64_t *value)
{
	if (codec->writes)
		bytes_put_fixed(&codec->out, (uint64_t)*value);
	else
		*value = (int64_t)bytes_take_fixed(&codec->in);
}

static inline void
codec_double(struct codec *codec, double *value)
{
	if (codec->writes)
		bytes_put_double(&codec->out, *value);
	else
		*value = bytes_take_double(&codec->in);
}

/* Run lifetime; can be NULL. */
static inline void
codec_text(struct codec *codec, const char **value)
{
	if (codec->writes)
		bytes_put_text(&codec->out, *value);
	else
		*value = bytes_take_text(codec->run, &codec->in);
}

/* A number of rows of at least least_bytes each. */
static inline void
codec_count(struct codec *codec, uint32_t *count, size_t least_bytes)
{
	if (codec->writes)
		bytes_put_number(&codec->out, *count);
	else
		*count = bytes_take_count(&codec->in, least_bytes);
}

/* A number that is near the one before; *last starts with 0. */
static inline void
codec_near(struct codec *codec, uint64_t *value, uint64_t *last)
{
	uint64_t distance = *value - *last;

	/* Small ones of either sign become small ones. */
	distance = distance << 1 ^ (distance >> 63 ? UINT64_MAX : 0);
	codec_u64(codec, &distance);
	if (!codec->writes)
		*value = *last + (distance >> 1 ^ (distance & 1 ? UINT64_MAX : 0));
	*last = *value;
}

/* A text in an array of this size, with the NUL at its end. */
void codec_words(struct codec *codec, char *text, size_t bytes);

/* Rows of so many 64-bit numbers each, which the caller has or gets; *rows is replaced. */
void codec_rows(struct codec *codec, uint64_t **rows, uint32_t *count, uint32_t words);

#endif
