/* SPDX-License-Identifier: Apache-2.0 */
static inline __attribute__((always_inline)) unsigned
mix(unsigned x)
{
	for (int i = 0; i < 8; i++)
		x = x * 1664525u + 1013904223u;
	return x;
}
