/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Factors of the hash of call sites, which is that of blocks, too, and callees, for C and for
 * mcount: odd, without a pattern, and positive as numbers of 32 bits with a sign.
 */
#ifndef COLLECT_HASH_H
#define COLLECT_HASH_H

#define COLLECT_SITE_FACTOR 0x61c88647
#define COLLECT_CALLEE_FACTOR 0x2c1b3c6d

#endif
