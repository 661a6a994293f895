/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of tables of differences: their headings, and what they are. */
#ifndef PLUGINS_SHARED_DIFFERENCES_LOOKS_H
#define PLUGINS_SHARED_DIFFERENCES_LOOKS_H

struct differences_look {
	int width;                 /* 0: as wide as what is in it */
	const char *upper, *lower; /* NULL: the dimension */
	const char *explanation;
};

/* By enum differences_column; in texts '@' stands for a member and '#' for several. */
extern const struct differences_look differences_looks[];

#endif
