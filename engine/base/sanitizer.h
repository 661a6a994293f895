/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the address sanitizer watches: it looks at malloc() and maps terabytes. */
#ifndef ENGINE_BASE_SANITIZER_H
#define ENGINE_BASE_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#define HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define HAS_ADDRESS_SANITIZER 0
#endif

#endif
