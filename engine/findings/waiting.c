/* SPDX-License-Identifier: Apache-2.0 */
/* Whether threads wait most of the time, and below which function of the user's own code. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "profile/profile.h"
#include "symbols/late.h"
#include "symbols/needed.h"
#include "symbols/symbols.h"

enum {
	LEAST_SECONDS = 1, /* half of that: less is of no interest */
	SELDOM = 20        /* threads were looked at less often if by one part of this number */
};

bool
findings_is_users_code(const struct symbol_image *image)
{
	return !image->late || (image->late->kind != GPROFX_IMAGE_NAMES &&
	                        !symbols_is_of_system(image->path ? image->path : image->name));
}

const struct stacks *
findings_metric(const struct stacks *stacks, const char *name)
{
	if (stacks->metric_name && strcmp(stacks->metric_name, name) == 0)
		return stacks;
	for (uint32_t i = 0; i < stacks->other_count; i++)
		if (strcmp(stacks->others[i]->metric_name, name) == 0)
			return stacks->others[i];
	return NULL;
}

/* The user's function that is innermost in a frame and its callers, by frame; NO_SYMBOL: none. */
static uint32_t *
find_users(struct findings *findings, const struct stacks *stacks)
{
	const struct symbols *symbols = findings->symbols;
	struct stack_sweep at = {0};
	uint32_t *users;

	memory_array(findings->run, users, (size_t)stacks->frame_count + 1);
	while (stacks_sweep(stacks, &at)) {
		uint32_t symbol = stacks->function[stacks->place[at.frame]];

		users[at.frame] = at.above == NO_FRAME ? NO_SYMBOL : users[at.above];
		if (symbol < symbols->count && !symbols_import(symbols, symbol) &&
		    findings_is_users_code(symbols_image_at(symbols, symbols->address[symbol])))
			users[at.frame] = symbols_function(symbols, symbol);
	}
	return users;
}

/* The function below which most of it is waited, and the weight of that. */
static uint32_t
find_heaviest(struct findings *findings, const struct stacks *stacks, const struct stacks *waits,
              double *weight)
{
	struct run *run = findings->run;
	uint32_t *users, heaviest = NO_SYMBOL;
	double *below;

	*weight = 0;
	if (!stacks->function)
		return NO_SYMBOL;
	users = find_users(findings, stacks);
	memory_array(run, below, (size_t)findings->symbols->count + 1);
	for (uint32_t i = 0; i < waits->weighed; i++) {
		uint32_t frame = stacks_end(stacks, i);

		if (frame != NO_FRAME && users[frame] != NO_SYMBOL)
			below[users[frame]] += (double)waits->weight[i];
	}
	for (uint32_t i = 0; i < findings->symbols->count; i++)
		if (below[i] > *weight) {
			*weight = below[i];
			heaviest = i;
		}
	memory_release(run, below);
	memory_release(run, users);
	return heaviest;
}

/* A name that shells and selections take as it is. */
static bool
is_plain(const char *name)
{
	for (; *name != '\0'; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* How often it was seen whether threads wait, if that was less often than the rate says. */
static const char *
looks_of(struct findings *findings, uint32_t rate)
{
	const struct profile *profile = findings->profile;
	double looks = 0, ticks = 0;

	for (uint32_t i = 0; i < profile->file_count; i++)
		if (profile->files[i].is_recording) {
			looks += (double)profile->files[i].recording.looks;
			ticks += (double)profile->files[i].recording.look_ticks;
		}
	if (looks <= 0 || ticks - looks <= ticks / SELDOM)
		return "";
	return text_format(
		findings->run,
		"; each thread was looked at %.3g times a second on average and not %u, so "
		"that looking takes little time",
		(double)rate * looks / ticks, rate);
}

void
findings_inspect_waiting(struct findings *findings)
{
	const struct stacks *stacks = &findings->profile->stacks;
	const struct stacks *waits = findings_metric(stacks, "wait"),
			    *runs = findings_metric(stacks, "cpu");
	struct run *run = findings->run;
	double waited, ran, weight;
	const char *place = "";
	uint32_t heaviest;

	/* Who sorts by waiting knows. */
	if (!waits || runs != stacks || waits->rate == 0 || runs->rate == 0 ||
	    strcmp(waits->dimension, "seconds") != 0 || strcmp(runs->dimension, "seconds") != 0)
		return;
	waited = (double)waits->total / waits->rate;
	ran = (double)runs->total / runs->rate;
	if (waited <= ran || 2 * waited < LEAST_SECONDS)
		return;
	heaviest = find_heaviest(findings, stacks, waits, &weight);
	if (heaviest != NO_SYMBOL)
		place = text_format(run, "; %.0f %% of that is in %s and below",
		                    100 * weight / (double)waits->total,
		                    findings_name(run, findings->symbols, heaviest));
	finding_add(
		findings, FINDING_WAITING, NULL,
		text_format(run, "threads wait for %.0f %% of the time, which cpu does not show%s",
	                    100 * waited / (waited + ran), place),
		text_format(run, "%.2f s of waiting and %.2f s of processor time, of all threads%s",
	                    waited, ran, looks_of(findings, waits->rate)));
	if (heaviest != NO_SYMBOL && is_plain(findings->symbols->name[heaviest]))
		finding_advise(
			findings, FINDING_WAITING,
			text_format(run,
		                    "see where it waits: gprofx --metric=wait --entry=%s PROGRAM",
		                    findings->symbols->name[heaviest]));
}
