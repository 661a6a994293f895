/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files share. */
struct range {
	unsigned low, high, unused;
};

void refill(unsigned index);
void drain(unsigned *slot);
unsigned more(unsigned seed);
