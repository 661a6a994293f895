/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unwind information of what this process has loaded. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include "cfi-tables.h"

/* In glibc from 2.35 on; it takes no locks. */
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

bool
cfi_find(uint64_t pc, struct function *function)
{
	struct dl_find_object object;
	struct cfi_image image;

	if (!_dl_find_object || pc == 0 || _dl_find_object((void *)(uintptr_t)pc, &object) != 0 ||
	    !object.dlfo_eh_frame)
		return false;
	image = (struct cfi_image){object.dlfo_eh_frame, object.dlfo_map_start,
	                           object.dlfo_map_end};
	return cfi_find_in(&image, pc, function);
}
