/* SPDX-License-Identifier: Apache-2.0 */
int
bare(int x)
{
	return x * 3;
}
