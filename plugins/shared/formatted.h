/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of any length, made as printf does. */
#ifndef PLUGINS_SHARED_FORMATTED_H
#define PLUGINS_SHARED_FORMATTED_H

#include <gprofx/plugin.h>

/* A format filled in, with run lifetime. */
const char *formatted(struct gprofx *gx, const char *format, ...) GPROFX_PRINTF(2, 3);
const char *
formatted_with(struct gprofx *gx, const char *format, va_list arguments) GPROFX_PRINTF(2, 0);

#endif
