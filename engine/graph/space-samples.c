/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of pieces of code, which are not those of functions. */
#include "base/memory.h"
#include "base/run.h"
#include "graph/samples.h"
#include "profile/kept-rows.h"
#include "profile/profile.h"
#include "select/filters.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

double *
samples_by_space(struct run *run, const struct symbols *symbols, struct scan *scan,
                 const struct profile *profile, const uint64_t *start, uint32_t count, double *all)
{
	static const struct filters nothing_filtered;
	struct sample_rules rules = {.symbols = symbols,
	                             .filters = &nothing_filtered,
	                             .scan = scan,
	                             .spaces = {start, NULL, count, false}};
	struct sample_credits to = {0};

	samples_prepare(run, &rules);
	/* Bins of which no piece gets any are not worth the decoding of code. */
	rules.by_likelihood = rules.by_likelihood && count > 0;
	memory_array(run, to.self, (size_t)count + 1);
	for (uint32_t i = 0; i < profile->histogram_count; i++)
		samples_credit(run, &rules, profile, &profile->histograms[i], NULL, &to);
	samples_credit_sparse(run, &rules, profile, sparse_rows(&profile->sparse),
	                      profile->sparse.count, NULL, &to);
	samples_finish(run, &rules);
	if (all)
		*all = to.all;
	return to.self;
}
