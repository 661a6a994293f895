/* SPDX-License-Identifier: Apache-2.0 */
/* The same on processors of which nothing is known. */
#undef __SSE2__
#include "words.c"
