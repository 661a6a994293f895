/* SPDX-License-Identifier: Apache-2.0 */
/* Credits sparse samples: each is all of the function that its address lies in. */
#include "base/run.h"
#include "graph/graph.h"
#include "graph/samples.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* How many ticks of the report's rate a tick of a sample counts as. */
static double
weight_of(const struct run *run, const struct profile *profile, const struct sparse_sample *sample)
{
	if (!run_corrects(run, GPROFX_CORRECT_RATES) || sample->rate == profile->rate ||
	    sample->rate == 0 || profile->rate == 0)
		return 1;
	return (double)profile->rate / sample->rate;
}

static void
add_to_account(const struct sample_rules *rules, const struct sparse_sample *sample,
               uint32_t symbol, double ticks, struct gprofx_account_part *account)
{
	const struct symbols *symbols = rules->symbols;
	enum account_kind kind = ACCOUNT_OUTSIDE;

	if (symbol < symbols->count)
		kind = samples_kind(rules, symbol);
	else if (!symbols_overlap_code(symbols, sample->address, symbols_past(sample->address, 1)))
		kind = ACCOUNT_BEYOND;
	account[kind].samples += (double)sample->weight;
	account[kind].ticks += ticks;
}

void
samples_credit_sparse(struct run *run, const struct sample_rules *rules,
                      const struct profile *profile, const struct sparse_sample *rows,
                      uint32_t count, struct gprofx_account_part *account,
                      struct sample_credits *to)
{
	for (uint32_t i = 0; i < count; i++) {
		double ticks = (double)rows[i].weight * weight_of(run, profile, &rows[i]);
		uint32_t symbol = symbols_space_owner(&rules->spaces, rows[i].address);

		to->total += ticks;
		to->all += ticks;
		if (account)
			add_to_account(rules, &rows[i], symbol, ticks, account);
		if (symbol == NO_SYMBOL && rules->spaces.shows_outside)
			symbol = rules->symbols->count;
		if (symbol < LOST_SYMBOL)
			samples_give(rules, symbol, ticks, to);
	}
}
