/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that have to be part of their callers. */
#ifndef ENGINE_BASE_INLINE_H
#define ENGINE_BASE_INLINE_H

#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

#endif
