/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a report that tells of profile files; it is complete once they have been read. */
#include "base/memory.h"
#include "base/run.h"
#include "profile/facts.h"
#include "profile/profile.h"
#include "report/model.h"

struct report_model *
report_build_files(struct run *run, const struct profile *profile)
{
	struct report_model *model = memory_alloc(run, sizeof *model);

	model->run = run;
	report_set_origin(run, model);
	model->public.files = facts_list(run, profile, &model->public.file_count);
	model->public.rounding = profile->rounding;
	return model;
}
