/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the GNU binutils call the machine of an image: GNU gprof names one whose calls it does not
 * know.
 */
#include "object.h"

#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

enum { ANY = 0, LITTLE = 1, BIG = 2 };

/* Machines with names of their own, by what else has to be so; the others are in functions below.
 */
static const struct {
	uint16_t machine;
	uint8_t pointer_bytes, order;
	const char *name;
} names_of_machines[] = {
	{EM_SPARC, 4, BIG, "sparc"},
	{EM_386, 4, LITTLE, "i386"},
	{EM_68K, 4, BIG, "m68k"},
	{6, 4, LITTLE, "iamcu"},
	{EM_MIPS, ANY, ANY, "mips"},
	{11, 8, BIG, "sparc:v9"},
	{EM_PARISC, 4, BIG, "hppa"},
	{17, 4, ANY, "powerpc:common"},
	{EM_SPARC32PLUS, 4, BIG, "sparc:v8plus"},
	{EM_PPC, 4, ANY, "powerpc:common"},
	{EM_PPC64, 8, ANY, "powerpc:common64"},
	{EM_S390, 4, BIG, "s390:31-bit"},
	{EM_S390, 8, BIG, "s390:64-bit"},
	{EM_ARM, 4, ANY, "arm"},
	{EM_SH, 4, ANY, "sh"},
	{EM_SPARCV9, 8, BIG, "sparc:v9"},
	{EM_IA_64, 8, ANY, "ia64-elf64"},
	{EM_X86_64, 4, LITTLE, "i386:x64-32"},
	{EM_X86_64, 8, LITTLE, "i386:x86-64"},
	{EM_M32R, 4, ANY, "m32r"},
	{EM_AARCH64, ANY, ANY, "aarch64"},
	{EM_RISCV, 4, ANY, "riscv:rv32"},
	{EM_RISCV, 8, ANY, "riscv:rv64"},
	{0x9025, 4, ANY, "powerpc:common"},
	{EM_ALPHA, 8, LITTLE, "alpha"},
	{0x9041, 4, ANY, "m32r"},
	{0xa390, 4, BIG, "s390:31-bit"},
	{0xa390, 8, BIG, "s390:64-bit"},
};

/* ColdFire is recognized by the instructions it has, everything else by bits of its own. */
static const char *
m68k_name(uint32_t flags)
{
	enum { ISA = 0xf, APLUS = 3, FIRST_B = 4, LAST = 7, FLOATS = 0x40 };
	/* Without a multiplier of sums, with one, with an enhanced one. */
	static const char *const isa_a[] = {"m68k", "m68k:isa-a:mac", "m68k:isa-a:emac", "m68k"};
	static const char *const aplus[] = {"m68k:isa-aplus", "m68k:isa-aplus:mac",
	                                    "m68k:isa-aplus:emac", "m68k:isa-aplus"};
	static const char *const floats[] = {"m68k:isa-b:float", "m68k:isa-b:float:mac",
	                                     "m68k:isa-b:float:emac", "m68k:isa-b:float"};
	static const char *const later[][4] = {
		{"m68k:isa-b:nousp", "m68k:isa-b:nousp:mac", "m68k:isa-b:nousp:emac",
	         "m68k:isa-b:nousp"},
		{"m68k:isa-b", "m68k:isa-b:mac", "m68k:isa-b:emac", "m68k:isa-b"},
		{"m68k:isa-c", "m68k:isa-c:mac", "m68k:isa-c:emac", "m68k:isa-c"},
		{"m68k:isa-c:nodiv", "m68k:isa-c:nodiv:mac", "m68k:isa-c:nodiv:emac",
	         "m68k:isa-c:nodiv"},
	};
	uint32_t isa = flags & ISA, sums = flags >> 4 & 3;

	switch (flags & 0x03818000) {
	case 0x01000000:
		return "m68k:68000";
	case 0x00810000:
		return "m68k:cpu32";
	case 0x02000000:
		return "m68k:fido";
	default:
		break;
	}
	if (isa == APLUS)
		return aplus[sums];
	if (flags & FLOATS)
		return floats[sums];
	if (isa >= FIRST_B && isa <= LAST)
		return later[isa - FIRST_B][sums];
	if (sums == 0 || sums == 3)
		return isa == 1 ? "m68k:isa-a:nodiv" : isa == 2 ? "m68k:isa-a" : "m68k";
	return isa_a[sums];
}

static const char *
sh_name(uint32_t flags)
{
	static const char *const names[] = {
		[0] = "sh",
		[1] = "sh",
		[2] = "sh2",
		[3] = "sh3",
		[4] = "sh-dsp",
		[5] = "sh3-dsp",
		[6] = "sh4al-dsp",
		[8] = "sh3e",
		[9] = "sh4",
		[11] = "sh2e",
		[12] = "sh4a",
		[13] = "sh2a",
		[16] = "sh4-nofpu",
		[17] = "sh4a-nofpu",
		[18] = "sh4-nommu-nofpu",
		[19] = "sh2a-nofpu",
		[20] = "sh3-nommu",
		[21] = "sh2a-nofpu-or-sh4-nommu-nofpu",
		[22] = "sh2a-nofpu-or-sh3-nommu",
		[23] = "sh2a-or-sh4",
		[24] = "sh2a-or-sh3e",
	};
	uint32_t number = flags & 0x1f;

	return number < sizeof names / sizeof names[0] ? names[number] : NULL;
}

/* Images of HP-UX and Linux only; what else there is has no name. */
static const char *
hppa_name(const struct object *object)
{
	uint8_t system = object->image->bytes[EI_OSABI];

	if (system != ELFOSABI_HPUX && system != ELFOSABI_LINUX)
		return NULL;
	switch (object->flags & 0xffff) {
	case EFA_PARISC_1_1:
		return "hppa1.1";
	case EFA_PARISC_2_0:
		return "hppa2.0";
	default:
		return "hppa1.0";
	}
}

/* Attributes of an ARM image that name its processor. */
struct arm_processor {
	uint64_t architecture;
	char name[16]; /* cut short if longer */
};

static uint64_t
take_uleb(struct gprofx_cursor *at)
{
	uint64_t value = 0, byte;
	uint32_t shift = 0;

	do {
		byte = gprofx_number(at, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static void
take_text(struct gprofx_cursor *at, char *to, size_t room)
{
	size_t length = 0;
	uint64_t byte;

	while ((byte = gprofx_number(at, 1)) != 0)
		if (length + 1 < room)
			to[length++] = (char)byte;
	to[length] = '\0';
}

/* Those of the file as a whole, in the part that the ABI defines. */
static void
take_attributes(struct gprofx_cursor *at, struct arm_processor *processor)
{
	enum { RAW_NAME = 4, NAME = 5, ARCHITECTURE = 6, COMPATIBILITY = 32 };
	char ignored[1];

	while (gprofx_left(at) > 0) {
		uint64_t tag = take_uleb(at);

		if (tag == COMPATIBILITY)
			take_uleb(at);
		if (tag == NAME)
			take_text(at, processor->name, sizeof processor->name);
		else if (tag == RAW_NAME || tag == COMPATIBILITY ||
		         (tag > COMPATIBILITY && tag % 2))
			take_text(at, ignored, sizeof ignored);
		else if (tag == ARCHITECTURE)
			processor->architecture = take_uleb(at);
		else
			take_uleb(at);
	}
}

static void
read_attributes(const struct object *object, struct arm_processor *processor)
{
	enum { LENGTH_BYTES = 4, WHOLE_FILE = 1, SHT_ATTRIBUTES = 0x70000003 };
	static const char vendor[] = "aeabi";
	const struct section *section = symelf_section(object, ".ARM.attributes");
	struct gprofx_cursor at = {.big_endian = object->target.big_endian};
	uint64_t length;
	char name[8];

	if (!section || !section->in_file || section->type != SHT_ATTRIBUTES)
		return;
	at.bytes = object->image->bytes + section->offset;
	at.length = section->bytes;
	if (gprofx_number(&at, 1) != 'A')
		return;
	while ((length = gprofx_number(&at, LENGTH_BYTES)) > LENGTH_BYTES) {
		const uint8_t *bytes = gprofx_take(&at, length - LENGTH_BYTES);
		struct gprofx_cursor part = at;

		if (!bytes)
			return;
		part.bytes = bytes;
		part.length = length - LENGTH_BYTES;
		part.at = 0;
		take_text(&part, name, sizeof name);
		if (strcmp(name, vendor) != 0 || gprofx_number(&part, 1) != WHOLE_FILE)
			continue;
		length = gprofx_number(&part, LENGTH_BYTES);
		if (length < 1 + LENGTH_BYTES || length - 1 - LENGTH_BYTES > gprofx_left(&part))
			return;
		part.length = part.at + length - 1 - LENGTH_BYTES;
		take_attributes(&part, processor);
		return;
	}
}

static const char *
arm_name(const struct object *object)
{
	static const char *const names[] = {
		"armv3m",   "armv4",    "armv4t",  "armv5t",         "armv5te",      "armv5tej",
		"armv6",    "armv6kz",  "armv6t2", "armv6k",         "armv7",        "armv6-m",
		"armv6s-m", "armv7e-m", "armv8-a", "armv8-r",        "armv8-m.base", "armv8-m.main",
		"arm",      "arm",      "arm",     "armv8.1-m.main", "armv9-a",
	};
	enum { MAVERICK = 0x800, V5TE = 4 };
	struct arm_processor processor = {0};

	if (object->flags & MAVERICK)
		return "ep9312";
	read_attributes(object, &processor);
	if (processor.architecture == V5TE && strcmp(processor.name, "XSCALE") == 0)
		return "xscale";
	if (processor.architecture == V5TE && strcmp(processor.name, "IWMMXT") == 0)
		return "iwmmxt";
	if (processor.architecture == V5TE && strcmp(processor.name, "IWMMXT2") == 0)
		return "iwmmxt2";
	return processor.architecture < sizeof names / sizeof names[0]
	               ? names[processor.architecture]
	               : "arm";
}

/* Names that depend on more than the machine; NULL: it has none. */
static const char *
name_of_kind(const struct object *object, const char *name)
{
	uint32_t flags = object->flags;

	switch (object->target.machine) {
	case EM_68K:
		return m68k_name(flags);
	case EM_PARISC:
		return hppa_name(object);
	case EM_SPARC32PLUS:
		return flags & 0xb00 ? name : NULL;
	case EM_ARM:
		return arm_name(object);
	case EM_SH:
		return sh_name(flags);
	case EM_M32R:
	case 0x9041:
		return (flags & 0x30000000) == 0x10000000   ? "m32rx"
		       : (flags & 0x30000000) == 0x20000000 ? "m32r2"
		                                            : name;
	default:
		return name;
	}
}

const char *
symelf_architecture(const struct object *object)
{
	const struct gprofx_target *target = &object->target;
	uint8_t order = target->big_endian ? BIG : LITTLE;

	for (size_t i = 0; i < sizeof names_of_machines / sizeof names_of_machines[0]; i++)
		if (names_of_machines[i].machine == target->machine &&
		    (names_of_machines[i].pointer_bytes == ANY ||
		     names_of_machines[i].pointer_bytes == target->pointer_bytes) &&
		    (names_of_machines[i].order == ANY || names_of_machines[i].order == order))
			return name_of_kind(object, names_of_machines[i].name);
	return NULL;
}
