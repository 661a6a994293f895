/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a register was set last, in code of instructions of 4 bytes: looked for backwards, from the
 * few places where that matters.
 */
#ifndef PLUGINS_SHARED_DEFINITION_H
#define PLUGINS_SHARED_DEFINITION_H

#include <gprofx/code.h>

/* What an instruction does to a register that is looked for. */
enum effect {
	EFFECT_NONE, /* nothing */
	EFFECT_SETS, /* it sets it, or can do so */
	EFFECT_ENDS  /* the one behind it comes from elsewhere, or the register is lost */
};

enum { DEFINITION_FARTHEST = 64 };

/*
 * Finds the instruction that set a register before the one at the offset *at, in the same stretch
 * of code, and changes *at to its offset.  Code can be entered from elsewhere in between: then what
 * is found is one of several places that set it.
 */
static inline bool
find_definition(const struct gprofx_code *code, bool big_endian, uint32_t reg,
                enum effect (*effect)(uint32_t word, uint32_t reg), uint64_t *at, uint32_t *word)
{
	uint64_t place = *at;

	for (int i = 0; i < DEFINITION_FARTHEST && place >= 4; i++) {
		enum effect found;

		place -= 4;
		*word = gprofx_word_at(code->bytes + place, big_endian);
		found = effect(*word, reg);
		if (found == EFFECT_ENDS)
			return false;
		if (found == EFFECT_SETS) {
			*at = place;
			return true;
		}
	}
	return false;
}

#endif
