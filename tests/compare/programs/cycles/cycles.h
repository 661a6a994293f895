/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in circles. */
void burn(unsigned amount);
unsigned descend(unsigned depth);
unsigned expression(unsigned budget);
unsigned term(unsigned budget);
unsigned factor(unsigned budget);
unsigned ring_a(unsigned n);
unsigned ring_b(unsigned n);
unsigned ring_c(unsigned n);
unsigned inner(unsigned n, unsigned level);
unsigned outer(unsigned n, unsigned level);
