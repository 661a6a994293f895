/* SPDX-License-Identifier: Apache-2.0 */
/* What readers say of a profile whose address size or byte order is not that of the image. */
#ifndef SHARED_OTHER_LAYOUT_H
#define SHARED_OTHER_LAYOUT_H

#include <gprofx/reader.h>

/* Warns under an id of the reader's if the layouts differ. */
static inline void
warn_other_layout(struct gprofx *gx, const struct gprofx_file *file,
                  const struct gprofx_target *found, const struct gprofx_target *image,
                  const char *id, const char *hint)
{
	static const char *const orders[] = {"little-endian", "big-endian"};
	const struct gprofx_diagnostic diagnostic = gprofx_at(file, 0, id, hint);

	if (found->pointer_bytes == image->pointer_bytes && found->big_endian == image->big_endian)
		return;
	gprofx_warn(gx, &diagnostic,
	            "expected a %s profile with addresses of %u bytes as in the image, found a %s "
	            "one with addresses of %u bytes",
	            orders[image->big_endian], image->pointer_bytes, orders[found->big_endian],
	            found->pointer_bytes);
}

#endif
