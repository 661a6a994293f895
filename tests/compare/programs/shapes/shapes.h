/* SPDX-License-Identifier: Apache-2.0 */
/* Areas of shapes, from two directories. */
double flat_area(const double *sides, int count);
double solid_area(const double *sides, int count);
