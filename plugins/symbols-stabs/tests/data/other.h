/* SPDX-License-Identifier: Apache-2.0 */
static inline int
inl(int x)
{
	int k = 0;
	while (x-- > 0)
		k ^= x;
	return k;
}
