/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machines of a.out images.  Their numbers are those of a.out(5) of SunOS, NetBSD, OpenBSD,
 * FreeBSD and Linux.
 */
#include <elf.h>

#include <gprofx/plugin.h>

#include "headers.h"

/* Machines that <elf.h> of older systems lacks. */
enum { MACHINE_NS32K = 97, MACHINE_OR1K = 92, MACHINE_RISCV = 243 };

enum { BOTH = AOUT_LITTLE | AOUT_BIG };

/* Numbers of 10 bits, which BSD systems and Linux use. */
static const struct aout_machine machines[] = {
	{100, EM_386, AOUT_LITTLE, 4, 8, AOUT_LINUX, 4096, "i386"},
	{134, EM_386, AOUT_LITTLE, 4, 8, AOUT_NETWORK, 4096, "i386"},
	{135, EM_68K, AOUT_BIG, 4, 8, AOUT_NETWORK, 8192, "m68k"},
	{136, EM_68K, AOUT_BIG, 4, 8, AOUT_NETWORK, 4096, "m68k"},
	{137, MACHINE_NS32K, AOUT_LITTLE, 4, 8, AOUT_NETWORK, 4096, "ns32k:32532"},
	{138, EM_SPARC, AOUT_BIG, 4, 12, AOUT_NETWORK, 8192, "sparc"},
	{139, EM_MIPS, AOUT_LITTLE, 4, 0, AOUT_NETWORK, 4096, "mips:3000"},
	{140, EM_VAX, AOUT_LITTLE, 4, 8, AOUT_NETWORK, 1024, "vax"},
	{141, EM_ALPHA, AOUT_LITTLE, 8, 0, AOUT_NETWORK, 8192, "alpha"},
	{142, EM_MIPS, AOUT_BIG, 4, 0, AOUT_NETWORK, 4096, "mips:3000"},
	{143, EM_ARM, AOUT_LITTLE, 4, 8, AOUT_NETWORK, 4096, "arm"},
	{144, EM_68K, AOUT_BIG, 4, 8, AOUT_NETWORK, 2048, "m68k"},
	{145, EM_SH, BOTH, 4, 0, AOUT_NETWORK, 4096, "sh"},
	{148, EM_PPC64, AOUT_BIG, 8, 0, AOUT_NETWORK, 4096, "powerpc:common64"},
	{149, EM_PPC, AOUT_BIG, 4, 0, AOUT_NETWORK, 4096, "powerpc:common"},
	{150, EM_VAX, AOUT_LITTLE, 4, 8, AOUT_NETWORK, 4096, "vax"},
	{151, EM_MIPS, BOTH, 4, 0, AOUT_NETWORK, 4096, "mips:3000"},
	{152, EM_MIPS, BOTH, 4, 0, AOUT_NETWORK, 4096, "mips:6000"},
	{153, EM_88K, AOUT_BIG, 4, 0, AOUT_NETWORK, 4096, NULL},
	{154, EM_PARISC, AOUT_BIG, 4, 0, AOUT_NETWORK, 4096, "hppa1.0"},
	{156, EM_SPARCV9, AOUT_BIG, 8, 0, AOUT_NETWORK, 8192, "sparc:v9"},
	{157, EM_X86_64, AOUT_LITTLE, 8, 0, AOUT_NETWORK, 4096, "i386:x86-64"},
	{159, EM_IA_64, AOUT_LITTLE, 8, 0, AOUT_NETWORK, 8192, "ia64-elf64"},
	{184, MACHINE_OR1K, AOUT_BIG, 4, 0, AOUT_NETWORK, 8192, "or1k"},
	{200, EM_68K, AOUT_BIG, 4, 8, AOUT_PAGED, 4096, "m68k"},
	{300, EM_68K, AOUT_BIG, 4, 8, AOUT_PAGED, 4096, "m68k"},
};

/* Numbers of 8 bits; before them stands the version of the tools, and whether it is dynamic. */
static const struct aout_machine sun_machines[] = {
	{1, EM_68K, AOUT_BIG, 4, 8, AOUT_SUN, 8192, "m68k:68010"},
	{2, EM_68K, AOUT_BIG, 4, 8, AOUT_SUN, 8192, "m68k:68020"},
	{3, EM_SPARC, AOUT_BIG, 4, 12, AOUT_SUN, 8192, "sparc"},
};

static const struct aout_machine unknown_machine = {0, 0, BOTH, 4, 0, AOUT_OLD, 4096, NULL};

const char *const aoutsym_machine_names[] = {"unknown", "alpha", "arm",   "i386",    "m68k",
                                             "m88k",    "mips",  "ns32k", "powerpc", "sh",
                                             "sparc",   "vax",   NULL};

const struct aout_machine *
aoutsym_machine_named(uint32_t index)
{
	static const uint16_t ids[] = {0, 141, 143, 134, 135, 153, 142, 137, 149, 145, 138, 150};

	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		if (machines[i].id == ids[index])
			return &machines[i];
	return &unknown_machine;
}

const struct aout_machine *
aoutsym_machine(uint32_t word, bool *is_known)
{
	*is_known = true;
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		if (machines[i].id == (word >> 16 & 0x3ff))
			return &machines[i];
	for (size_t i = 0; i < sizeof sun_machines / sizeof sun_machines[0]; i++)
		if (sun_machines[i].id == (word >> 16 & 0xff))
			return &sun_machines[i];
	*is_known = false;
	return &unknown_machine;
}
