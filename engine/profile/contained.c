/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles that a file of another format contains: they are noted, and read after it. */
#include "base/memory.h"
#include "base/run.h"
#include "profile/parts.h"
#include "profile/profile.h"

void
profile_build_contained(struct gprofx *gx, struct gprofx_profile *public,
                        const struct gprofx_file *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct gprofx_file file;

	profile_take(run, "the contained profile", &file, sizeof file, given);
	profile_expect_rows(run, file.name, 1, "name of a contained profile");
	if (file.length > 0)
		profile_expect_rows(run, file.bytes, 1, "range of bytes of a contained profile");
	profile->contained = memory_room(run, profile->contained, sizeof *profile->contained,
	                                 profile->contained_count, &profile->contained_room, 1);
	profile->contained[profile->contained_count++] = (struct contained_profile){
		.name = file.name,
		.bytes = file.bytes,
		.length = file.length,
		.padding_bytes = file.padding_bytes};
}
