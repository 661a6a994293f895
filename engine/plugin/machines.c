/* SPDX-License-Identifier: Apache-2.0 */
/* Scanners known by name, so that no manifest has to be read, and one to install can be named. */
#include <elf.h>

#include "base/run.h"
#include "plugin/plugins.h"

enum { OLD_SPARCV9 = 11 };

static const struct {
	uint16_t machine;
	const char *plugin;
} usual[] = {
	{EM_386, "findcall-x86"},           {EM_X86_64, "findcall-x86"},
	{EM_AARCH64, "findcall-aarch64"},   {EM_ARM, "findcall-arm"},
	{EM_MIPS, "findcall-mips"},         {EM_SPARC, "findcall-sparc"},
	{EM_SPARC32PLUS, "findcall-sparc"}, {EM_SPARCV9, "findcall-sparc"},
	{OLD_SPARCV9, "findcall-sparc"},    {EM_ALPHA, "findcall-alpha"},
	{EM_PPC, "findcall-ppc"},           {EM_PPC64, "findcall-ppc"},
	{EM_S390, "findcall-s390x"},        {EM_RISCV, "findcall-riscv"},
	{EM_68K, "findcall-m68k"},          {EM_VAX, "findcall-vax"},
};

const char *
plugin_usual_scanner(uint16_t machine)
{
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		if (usual[i].machine == machine)
			return usual[i].plugin;
	return NULL;
}
