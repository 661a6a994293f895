/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Votes for a load address: the number to take off all callee addresses so that they lie just
 * behind entries of the image.  A program is loaded at a multiple of its page size, so one callee
 * and one entry that belong together leave few candidates, and all other callees judge them.
 */
#include <inttypes.h>

#include "base/memory.h"
#include "findings/parts.h"

enum { PAGE = 4096, NEAR_BYTES = 64, FEWEST_VOTERS = 8, MOST_VOTERS = 64, MOST_CANDIDATES = 65536 };

struct vote {
	const struct entries *entries;
	uint64_t voters[MOST_VOTERS];
	uint32_t voter_count;
	uint64_t best;
	uint32_t most, second; /* votes of the best candidate, and of the next */
};

static uint32_t
votes_for(const struct vote *vote, uint64_t slide)
{
	uint32_t votes = 0;

	for (uint32_t i = 0; i < vote->voter_count; i++) {
		uint64_t address = vote->voters[i] - slide;
		uint32_t entry = entries_at_or_below(vote->entries, address);

		votes += entry != NO_SYMBOL &&
		         address - vote->entries->address[entry] <= NEAR_BYTES;
	}
	return votes;
}

static void
try_candidates(struct vote *vote, uint64_t anchor)
{
	uint32_t tried = 0;

	for (uint32_t i = 0; i < vote->entries->count && tried < MOST_CANDIDATES; i++) {
		uint64_t apart = anchor - vote->entries->address[i],
			 slide = apart & ~(uint64_t)(PAGE - 1);
		uint32_t votes;

		if (apart % PAGE > NEAR_BYTES || slide == 0 || slide == vote->best)
			continue;
		tried++;
		votes = votes_for(vote, slide);
		if (votes > vote->most) {
			vote->second = vote->most;
			vote->most = votes;
			vote->best = slide;
		} else if (votes > vote->second) {
			vote->second = votes;
		}
	}
}

/* Only a clear winner counts: nearly all votes, and the next candidate far behind. */
static bool
solve(struct findings *findings, struct vote *vote)
{
	const struct targets *targets = &findings->targets;

	vote->entries = findings_entries(findings);
	if (targets->count < FEWEST_VOTERS)
		return false;
	vote->voter_count = targets->count < MOST_VOTERS ? targets->count : MOST_VOTERS;
	for (uint32_t i = 0; i < vote->voter_count; i++)
		vote->voters[i] =
			targets->address[(uint64_t)i * targets->count / vote->voter_count];
	/* Three anchors: one of them can be a callee without a name. */
	for (uint32_t i = 0; i < 3; i++)
		try_candidates(vote, vote->voters[i * (vote->voter_count - 1) / 2]);
	return vote->most >= vote->voter_count - vote->voter_count / 10 &&
	       vote->second <= vote->voter_count / 4 * 3;
}

void
findings_advise_slide(struct findings *findings, enum finding kind)
{
	struct vote vote = {.most = 0};
	bool is_below;
	const char *advice;

	if (!solve(findings, &vote))
		return;
	is_below = vote.best > INT64_MAX;
	/* Where samples fit as they are, only calls have to be moved, which that option does not
	 * do. */
	advice = text_format(
		findings->run,
		kind == FINDING_NO_SAMPLE_FITS
			? "if it is this program, it ran at another address: with --slide=%s0x%" PRIx64
			  ", %u of %u called addresses fit"
			: "if it is this program, its calls were recorded %s0x%" PRIx64
			  " too high, which --slide=auto mends; %u of %u called addresses fit then",
		is_below ? "-" : "", is_below ? -vote.best : vote.best, vote.most,
		vote.voter_count);
	finding_advise(findings, kind, advice);
}
