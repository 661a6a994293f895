/* SPDX-License-Identifier: Apache-2.0 */
/* Scanners known by name, so that no manifest has to be read, and one to install can be named. */
#include <elf.h>

#include "base/run.h"
#include "plugin/plugins.h"

enum { OLD_SPARCV9 = 11 };

static const struct usual {
	uint16_t machine;
	bool gprof_knows; /* GNU gprof looks for calls in its code */
	const char *plugin;
} usual[] = {
	{EM_386, true, "findcall-x86"},
	{EM_X86_64, true, "findcall-x86"},
	{EM_AARCH64, true, "findcall-aarch64"},
	{EM_MIPS, true, "findcall-mips"},
	{EM_SPARC, true, "findcall-sparc"},
	{EM_SPARC32PLUS, true, "findcall-sparc"},
	{EM_SPARCV9, true, "findcall-sparc"},
	{OLD_SPARCV9, true, "findcall-sparc"},
	{EM_ALPHA, true, "findcall-alpha"},
	{EM_ARM, false, "findcall-arm"},
	{EM_PPC, false, "findcall-ppc"},
	{EM_PPC64, false, "findcall-ppc"},
	{EM_S390, false, "findcall-s390x"},
	{EM_RISCV, false, "findcall-riscv"},
	{EM_68K, false, "findcall-m68k"},
	/* To it, ELF images of VAX are of no known machine. */
	{EM_VAX, false, "findcall-vax"},
};

static const struct usual *
usual_for(uint16_t machine)
{
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		if (usual[i].machine == machine)
			return &usual[i];
	return NULL;
}

const char *
plugin_usual_scanner(uint16_t machine)
{
	const struct usual *row = usual_for(machine);

	return row ? row->plugin : NULL;
}

bool
plugin_gprof_scans(uint16_t machine)
{
	const struct usual *row = usual_for(machine);

	return row && row->gprof_knows;
}
