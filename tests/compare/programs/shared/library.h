/* SPDX-License-Identifier: Apache-2.0 */
/* What the library of this program offers. */
unsigned common_name(unsigned n);
unsigned only_in_library(unsigned n, unsigned (*function)(unsigned));
