/* SPDX-License-Identifier: Apache-2.0 */
/* The words of tables and summaries, which are topics of --help. */
#ifndef CLI_GLOSSARY_H
#define CLI_GLOSSARY_H

#include <stddef.h>

struct glossary_word {
	const char *topic; /* in lower case, with dashes for blanks */
	const char *title; /* as tables have it */
	const char *alias; /* a further topic, or "" */
	const char *text;
};

extern const struct glossary_word glossary_words[];
extern const size_t glossary_count;

/* The word that a topic names, also as "<Spontaneous>" or "not sampled"; NULL: it is none. */
const struct glossary_word *glossary_find(const char *topic);

#endif
