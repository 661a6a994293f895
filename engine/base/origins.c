/* SPDX-License-Identifier: Apache-2.0 */
#include "base/origins.h"

const struct engine_origin *
run_origin(const struct run *run, uint64_t setting)
{
	static const struct engine_origin nowhere;

	return run->origins && setting != 0 ? &run->origins->setting[__builtin_ctzll(setting)]
	                                    : &nowhere;
}
