/* SPDX-License-Identifier: Apache-2.0 */
#include "glossary.h"

#include <stdbool.h>

const struct glossary_word glossary_words[] = {
#define WORD(topic, title, alias, text) {topic, title, alias, text},
#include "glossary.def"
#undef WORD
};

const size_t glossary_count = sizeof glossary_words / sizeof glossary_words[0];

/* Whether a text is a topic, but for capitals, blanks as dashes and brackets around it. */
static bool
is_spelled(const char *text, const char *topic)
{
	bool is_bracketed = text[0] == '<';

	for (text += is_bracketed; *topic != '\0'; text++, topic++) {
		char c = *text;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c == ' ' ? '-' : c) != *topic)
			return false;
	}
	return is_bracketed ? text[0] == '>' && text[1] == '\0' : text[0] == '\0';
}

const struct glossary_word *
glossary_find(const char *topic)
{
	for (size_t i = 0; i < glossary_count; i++) {
		const struct glossary_word *word = &glossary_words[i];

		if (is_spelled(topic, word->topic) ||
		    (word->alias[0] != '\0' && is_spelled(topic, word->alias)))
			return word;
	}
	return NULL;
}
