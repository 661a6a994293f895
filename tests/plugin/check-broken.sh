#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --check-plugin tells what is wrong with broken modules: each has an explanation that no other one has, and
# whatever a module does, the checker survives it.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

: >explanations
# explained MODULE STEP TEXT: the check fails, with this text about this step, which no module before had.
explained() {
	expect_status 1 "$GPROFX" --check-plugin="$1"
	expect_empty err
	grep -F "  FAILED  $2: " out >faults || fail "nothing is wrong with: $2"
	expect_in faults "$3"
	expect_match out '^  [0-9]+ passed, [1-9][0-9]* failed$'
	grep -F 'FAILED' out | sed "s,$scratch/,," | sort | tr '\n' '~' >explanation
	echo >>explanation
	! grep -qxFf explanation explanations || fail "$1 is explained as another module was"
	cat explanation >>explanations
}

# stub NAME MEMBERS [DECLARATIONS]: ./NAME.so, the stub with other members.
stub() {
	module "$1" "${@:4}" <<-END
		#include "stub.h"
		#include <stdlib.h>
		#include <unistd.h>
		${3-}
		STUB_PLUGIN, $2 };
	END
}

# The stub itself is in order, and so is it with a manifest.
stub input-stub ''
expect_status 0 "$GPROFX" --check-plugin=./input-stub.so
expect_empty err
expect_not_in out FAILED
expect_in out '  note    manifest: there is none'
expect_match out '^  7 passed, 0 failed$'
manifest input-stub <<-'END'
	name: input-stub
	abi: 1
	summary: Nothing
	reader: { format: stub }
END
expect_status 0 "$GPROFX" --check-plugin=input-stub.so
expect_not_in out note

# The file.
explained ./absent.so file 'No such file or directory'
printf 'This is a text, %0100d\n' 0 >text.so
explained text.so module 'invalid ELF header'
head -c 3000 input-stub.so >cut.so
explained cut.so file 'the file is incomplete'
cp input-stub.so foreign.so
printf '\xf3' | dd of=foreign.so bs=1 seek=18 conv=notrunc status=none
explained foreign.so file 'built for another machine (ELF machine 243)'

# What it needs.
module library <<<'int answer(void); int answer(void) { return 42; }'
explained library.so module 'expected a symbol gprofx_plugin_1, found none'
stub unresolved '.reader = &reader' 'extern int nobody_defines_this(const uint8_t *, size_t);
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "x", .probe = nobody_defines_this, .read = stub_read};'
explained unresolved.so module 'undefined symbol: nobody_defines_this'
expect_in out '  hint    module: link the module with all libraries that it uses; -Wl,-z,defs shows what is missing'
# All of them, functions and data, called or referred to; not those that libraries define, nor weak ones.
several='#include <stdio.h>
	extern int first(void), second(void), here(void), data; extern int perhaps(void) __attribute__((weak));
	static int probe(const uint8_t *head, size_t bytes) {
		return here() + first() + (perhaps ? perhaps() : 0) + printf("%d%s", data, (const char *)head) +
			(int)bytes + second(); }
	extern enum gprofx_result third(struct gprofx *, const struct gprofx_file *,
		const struct gprofx_target *, struct gprofx_profile *, const void *);
	static const struct gprofx_reader reader = {.size = sizeof reader, .format = "x", .probe = probe, .read = third};'
module libhere <<<'int here(void); int here(void) { return 1; }'
stub several '.reader = &reader' "$several" -Wl,--no-as-needed -L. -lhere
export LD_LIBRARY_PATH=.
explained several.so module 'undefined symbol: '
sed -n 's/.*found none for //p' out | tr -d ' ' | tr , '\n' | sort | diff - <(printf '%s\n' data first second third) >&2 ||
	fail 'other symbols than those that nobody defines'
stub bound '.reader = &reader' "$several" -Wl,--no-as-needed -L. -lhere -Wl,-z,now -Wl,--hash-style=gnu
explained bound.so module 'expected definitions of all symbols that it uses, found none for '
unset LD_LIBRARY_PATH
names=$(seq -f 'undefined_%g' 1 25)
stub many '.reader = &reader' "extern int $(echo $names | sed 's/ /(void), /g')(void);
	static int probe(const uint8_t *head, size_t bytes) { (void)head; (void)bytes;
		return $(echo $names | sed 's/ /() + /g')(); }
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = \"x\", .probe = probe, .read = stub_read};"
explained many.so module ' and 15 more'
[ "$(sed -n 's/.*found none for //p' out | grep -o 'undefined_' | wc -l)" -eq 10 ] || fail 'not ten are named'
module libneeded <<<'int needed(void); int needed(void) { return 1; }'
stub dependent '.reader = &reader' 'extern int needed(void);
	static int probe(const uint8_t *head, size_t bytes) { (void)head; (void)bytes; return needed(); }
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "x", .probe = probe, .read = stub_read};' \
	-L. -lneeded -Wl,--no-as-needed
explained dependent.so module 'libneeded.so: cannot open shared object file'
stub crash-at-once '' '__attribute__((constructor)) static void crash(void) { abort(); }'
explained crash-at-once.so module 'it was ended by signal 6 (Aborted)'

# The version.
module next <<<'extern const int gprofx_plugin_2; const int gprofx_plugin_2 = 0;'
explained next.so module 'for interface 1, found one for interface 2'
stub newer '.abi_minor = GPROFX_ABI_MINOR + 1'
ours=$(abi_minor)
explained newer.so descriptor "for interface 1.0 to 1.$ours, found one that needs 1.$((ours + 1))"

# The descriptor.
stub small '.size = 40'
explained small.so descriptor 'the descriptor is too small'
stub slashed '.name = "input/stub"'
explained slashed.so descriptor 'no valid name'
stub nameless '.name = "stub"'
explained nameless.so descriptor 'expected a name of the form KIND-WORD'
stub mismatch '.name = "output-stub"'
explained mismatch.so descriptor 'expected the interface that the name output-stub promises'
stub untold '.summary = ""'
explained untold.so descriptor 'expected a summary'
stub unnamed '.reader = &reader' 'static const struct gprofx_reader reader = {
	.size = sizeof reader, .format = "two words:one", .read = stub_read};'
explained unnamed.so descriptor 'expected a word as the format or syntax of the reader, found "two words:one"'
stub callbackless '.reader = &reader' \
	'static const struct gprofx_reader reader = {.size = sizeof reader, .format = "x"};'
explained callbackless.so descriptor 'no format or no read callback'

stub astray '.summary = (const char *)8'
explained astray.so descriptor 'following the pointers in its descriptor: it was ended by signal 11'
stub wild '.options = (const void *)8, .option_count = 1, .options_size = 8,
	.option_size = sizeof(struct gprofx_option)'
explained wild.so options 'following the pointers in its table of options: it was ended by signal 11'
module function <<<'int gprofx_plugin_1(void); int gprofx_plugin_1(void) { return 1; }'
explained function.so module 'found a function'
stub boastful '.size = 70000'
explained boastful.so module 'states 70000 bytes, but there are'

# options NAME ROWS: the stub with these options.
options() {
	stub "$1" 'GPROFX_OPTIONS(struct options, table)' "struct options { int64_t number; bool flag; };
		static const struct gprofx_option table[] = { $2 };"
}
flag='{"flag", GPROFX_BOOL, offsetof(struct options, flag), "true", 0, 0, NULL, "A flag"}'
options fine "$flag"
expect_status 0 "$GPROFX" --check-plugin=fine.so
options outside '{"number", GPROFX_INT, 4096, "0", 0, 9, NULL, "A number"}'
explained outside.so options 'number: its value lies outside the options struct'
options overlapping "$flag, "'{"number", GPROFX_INT, 8, "0", 0, 9, NULL, "A number"}'
explained overlapping.so options 'number: its value'
options initial '{"number", GPROFX_INT, 0, "10", 0, 9, NULL, "A number"}'
explained initial.so options 'number: expected a whole number from 0 to 9, found "10"'
options type '{"number", (enum gprofx_option_type)77, 0, "0", 0, 9, NULL, "A number"}'
expect_match out '^  hint    options: .*gprofx-plugin\(3\)'
explained type.so options 'number: its type is not known'
options twice "$flag, $flag"
explained twice.so options 'flag: it is listed twice'
options helpless '{"number", GPROFX_INT, 0, "0", 0, 9, NULL, NULL}'
explained helpless.so options 'number: expected a help text, found none'
options shouting '{"NUMBER", GPROFX_INT, 0, "0", 0, 9, NULL, "A number"}'
explained shouting.so options "NUMBER: expected lower-case words joined by '-'"

# The manifest: member by member.
cp input-stub.so input-other.so
manifest input-other <<-'END'
	name: input-other
	abi: 7
	summary: Something
	reader: { format: other }
	emitter: { format: other }
END
explained input-other.so manifest 'name: expected "input-stub", as the module says, found "input-other"'
expect_in faults 'abi: expected 1, as the module says, found 7'
expect_in faults 'summary: expected "Nothing", as the module says, found "Something"'
expect_in faults 'format or syntax of the reader: expected "stub", as the module says, found "other"'
expect_in faults 'emitter: the manifest has this interface, but the module does not'
manifest input-other <<-'END'
	name: input-other
	abi: 1
	emiter: { format: other }
END
explained input-other.so manifest 'input-other.yaml:3:1: unknown key of a manifest: "emiter"'

# reader NAME PROBE READ: a reader with these bodies.
reader() {
	stub "$1" '.reader = &reader' "
		static int probe(const uint8_t *head, size_t bytes) { (void)head; (void)bytes; $2 }
		static enum gprofx_result
		read_it(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
		        struct gprofx_profile *profile, const void *options) {
			(void)gx; (void)file; (void)target; (void)profile; (void)options; $3
		}
		static const struct gprofx_reader reader = {
			.size = sizeof reader, .format = \"x\", .probe = probe, .read = read_it};"
}
reader greedy 'return 50;' 'return GPROFX_DECLINED;'
explained greedy.so 'reader, random bytes' 'it claims 64 of 64 files of random bytes'
reader certain 'return 101;' 'return GPROFX_DECLINED;'
explained certain.so 'reader, random bytes' 'expected a certainty from 0 to 100, found 101'
reader empty 'return 0;' 'return file->bytes[file->length] ? GPROFX_OK : GPROFX_DECLINED;'
explained empty.so 'reader, empty file' \
	'reading an empty file: it was ended by signal 11 (Segmentation fault), past the end of the bytes that it was given'
reader silent 'return 0;' 'return file->length ? GPROFX_FAILED : GPROFX_DECLINED;'
explained silent.so 'reader, damaged files' 'reading random bytes: expected a reason for the failure, found none'
reader odd 'return 0;' 'return (enum gprofx_result)42;'
explained odd.so 'reader, empty file' 'expected a value of enum gprofx_result, found 42'
reader quitting 'return 0;' 'if (file->length > 5) exit(3); return GPROFX_DECLINED;'
explained quitting.so 'reader, damaged files' 'reading random bytes: it ended the process with status 3'
reader hungry 'return 0;' 'gprofx_alloc(gx, (size_t)1 << 40); return GPROFX_DECLINED;'
case ${GPROFX_SANITIZE:-} in
*address*) ;;
*) explained hungry.so 'reader, empty file' 'expected it to end, but ' ;;
esac
reader talking 'return 0;' 'if (write(1, "Hello\n", 6)) return GPROFX_DECLINED; return GPROFX_DECLINED;'
explained talking.so 'reader, empty file' 'expected it to print nothing itself, found "Hello"'
reader endless 'return 0;' 'for (volatile unsigned i = 0;; i++) if (!file->length) return GPROFX_DECLINED;'
explained endless.so 'reader, damaged files' 'it did not return within '
# One that takes whatever it is given, and finds samples in it, is in order.
reader lenient 'return 0;' 'struct gprofx_histogram histogram = {.size = sizeof histogram, .low = 0x1000,
	.high = 0x2000, .bin_count = 1, .rate = 100, .dimension = "seconds", .abbreviation = 115,
	.bins = file->bytes, .bin_bytes = 1};
	return file->length ? profile->builder->histogram(gx, profile, file, &histogram) : GPROFX_DECLINED;'
expect_status 0 "$GPROFX" --check-plugin=lenient.so
expect_not_in out FAILED

# emitter NAME BODY [MEMBERS]: an emitter that does this.
emitter() {
	stub "$1" '.name = "output-stub", .reader = NULL, .emitter = &emitter' "
		static enum gprofx_result
		emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
			const struct gprofx_report *report = emission->report;
			struct gprofx_writer *writer = emission->writer;
			(void)gx; (void)report; (void)writer; (void)options; $2
		}
		static const struct gprofx_needs needs = {.size = sizeof needs, .parts = GPROFX_PART_FLAT};
		static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = \"stub\",
			.extension = \"stub\", .emit = emit, .needs = &needs, ${3-}};"
}
emitter good 'gprofx_out(writer, "%u functions\n", report->graph->flat_count); return GPROFX_OK;'
expect_status 0 "$GPROFX" --check-plugin=good.so
expect_not_in out FAILED
emitter mute 'return GPROFX_OK;'
explained mute.so 'emitter, small report' 'expected some bytes, found none'
emitter choosy 'return report->graph->flat_count ? (gprofx_putc(writer, 10), GPROFX_OK) : GPROFX_FAILED;'
explained choosy.so 'emitter, empty report' 'writing an empty report: expected GPROFX_OK, found -1'
emitter wide 'memset(writer->at, 10, GPROFX_WRITER_ROOM + 1); return GPROFX_OK;'
explained wide.so 'emitter, small report' 'signal 11 (Segmentation fault), past the end of the bytes that it was given'
emitter far 'writer->at = writer->end + 1; return GPROFX_OK;'
explained far.so 'emitter, small report' 'expected it to write only into its buffer, found it outside'
emitter counting 'gprofx_putc(writer, 10); return report->graph->calls->some_unknown ? GPROFX_FAILED : GPROFX_OK;'
explained counting.so 'emitter, stacks' 'writing a report of stacks: expected GPROFX_OK, found -1'
emitter single 'gprofx_putc(writer, 10); return report->origin->metric_count > 1 ? GPROFX_FAILED : GPROFX_OK;'
explained single.so 'emitter, two metrics' 'writing a report of two metrics: expected GPROFX_OK, found -1'

needs='.needs_with = more'
emitter needy 'return GPROFX_OK; }
	static void more(const void *options, struct gprofx_needs *needs) { (void)options; needs->parts = 1u << 31;' "$needs"
explained needy.so 'emitter, empty report' 'parts of the report that this gprofx does not know: bits 0x80000000'
emitter undeclared 'gprofx_out(writer, "%u", report->files->count); return GPROFX_OK;'
explained undeclared.so 'emitter, empty report' 'writing an empty report: it was ended by signal 11'
# Each listing is written by itself, too.
listings='.listing_count = 2, .listings = (const struct gprofx_listing[]){
	{.size = sizeof(struct gprofx_listing), .name = "one"}, {.size = sizeof(struct gprofx_listing), .name = "two"}}'
emitter together 'if (emission->listings == 2) return GPROFX_FAILED; gprofx_putc(writer, 10); return GPROFX_OK;' "$listings"
explained together.so 'emitter, empty report' 'writing the listing two of an empty report: expected GPROFX_OK, found -1'
emitter apart 'gprofx_putc(writer, 10); return GPROFX_OK;' "$listings"
expect_status 0 "$GPROFX" --check-plugin=apart.so
expect_not_in out FAILED

# provider NAME PROBE LOAD: a symbol provider with these bodies.
provider() {
	stub "$1" '.name = "symbols-stub", .reader = NULL, .symbols = &symbols' "
		static int probe(const uint8_t *head, size_t bytes) { (void)head; (void)bytes; $2 }
		static enum gprofx_result
		load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *table,
		     const void *options) {
			(void)gx; (void)image; (void)table; (void)options; $3
		}
		static const struct gprofx_symbols symbols = {
			.size = sizeof symbols, .probe = probe, .load = load};"
}
provider credulous 'return 0;' 'table->target.pointer_bytes = 8; return GPROFX_OK;'
explained credulous.so 'symbols, random bytes' 'accepts 64 of 64'
provider boasting 'return 0;' 'table->target.pointer_bytes = 8; table->count = 9;
	return image->length == 1 ? GPROFX_OK : GPROFX_DECLINED;'
explained boasting.so 'symbols, damaged images' 'at most as many symbols as were reserved, found more'

# scanner NAME BODY [STEP [MEMBERS]]: a call scanner that does this.
scanner() {
	stub "$1" '.name = "findcall-stub", .reader = NULL, .findcall = &findcall' "
		static void scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls) {
			(void)worker; (void)code; (void)calls; $2
		}
		static const uint16_t machines[] = {1};
		static const struct gprofx_findcall findcall = {
			.size = sizeof findcall, .machines = machines, .machine_count = 1, .scan = scan,
			.step = ${3:-0}, ${4-}};"
}
scanner straying 'gprofx_add_call(calls, code->address + code->byte_count, 0x400000, GPROFX_CALL_DIRECT);'
explained straying.so 'findcall, random code' 'expected a call inside of the code, found one from 0x'
scanner backward 'for (uint64_t i = code->byte_count; i > 0; i--)
	gprofx_add_call(calls, code->address + i - 1, 0, GPROFX_CALL_INDIRECT);'
explained backward.so 'findcall, random code' 'expected calls by ascending address'
scanner repeating 'while (code->byte_count) gprofx_add_call(calls, code->address, 0, GPROFX_CALL_INDIRECT);'
explained repeating.so 'findcall, random code' 'expected at most one call for each byte'
scanner lost 'while (code->byte_count) if (code->bytes[0] > 255) return;'
explained lost.so 'findcall, random code' 'scanning random code: it did not return within '
scanner stumbling '' 12
explained stumbling.so descriptor "the call scanner's step is not a power of two up to 16"
# Several functions at once: all of them count, each for itself.
many='if (code->begin_bits) for (uint64_t at = 0; at < code->byte_count; at += 4)
	if (at == 0 || gprofx_has_begin(code->begin_bits, code->address + at))
		gprofx_add_call(calls, code->address + at, 0, GPROFX_CALL_INDIRECT);'
one='if (!code->begin_bits) gprofx_add_call(calls, code->address, 0, GPROFX_CALL_INDIRECT);'
scanner marching "if (code->byte_count) { $one $many }" 4
expect_status 0 "$GPROFX" --check-plugin=marching.so
expect_not_in out FAILED
scanner ahead "$many" 4
explained ahead.so 'findcall, random code' 'expected the same calls as in each function alone, found one from 0x'
scanner behind "if (code->byte_count) { $one }" 4
explained behind.so 'findcall, random code' 'scanning random code of several functions: expected '
scanner alone 'if (code->byte_count) gprofx_add_call(calls, code->address, 0, GPROFX_CALL_INDIRECT);' 4
explained alone.so 'findcall, random code' 'calls, as in each function alone, found 1'

# What is said of the end of code, and of instructions.
measure='for (uint64_t i = 0; i < 1; i++) {} }
	static uint64_t fill(const struct gprofx_code *code, uint64_t stated) { (void)stated; return'
scanner sparing "$measure stated > 0 && stated < code->byte_count ? stated : code->byte_count;" 0 '.fill = fill'
expect_status 0 "$GPROFX" --check-plugin=sparing.so
expect_not_in out FAILED
scanner spilling "$measure code->byte_count + 1;" 0 '.fill = fill'
explained spilling.so 'findcall, random code' 'looking for padding at the end of random code: expected padding of at most'
scanner guessing "$measure stated + (stated > 0);" 0 '.fill = fill'
explained guessing.so 'findcall, random code' 'looking for padding at the end of random code: expected padding of at most'
measure='for (uint64_t i = 0; i < 1; i++) {} }
	static uint64_t length(void *worker, const struct gprofx_code *code, uint64_t offset) { (void)worker;
		(void)code; (void)offset; return'
scanner pacing "$measure 64;" 0 '.length = length'
expect_status 0 "$GPROFX" --check-plugin=pacing.so
expect_not_in out FAILED
scanner leaping "$measure 65;" 0 '.length = length'
explained leaping.so 'findcall, random code' 'expected an instruction of at most 64 bytes, found 65'

[ "$(wc -l <explanations)" -ge 40 ] || fail 'hardly any modules were checked'

# Several modules: one that is broken counts.
expect_status 1 "$GPROFX" --check-plugin=input-stub.so --check-plugin=mute.so --check-plugin=fine.so
[ "$(grep -c '^/' out)" -eq 3 ] || fail 'not all three are checked'

# What a plugin leaves behind is not waited for, and ends with the step.
stub forking '.name = "output-forking", .reader = NULL, .emitter = &emitter' '
	static enum gprofx_result fork_it(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		struct gprofx_writer *writer = emission->writer;
		(void)gx; (void)options;
		if (fork() == 0)
			execlp("sleep", "sleep", "98765.4321", (char *)NULL);
		if (fork() == 0)
			pause();
		gprofx_puts(writer, "x");
		return GPROFX_OK;
	}
	static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "x", .emit = fork_it};' \
	-D_GNU_SOURCE
began=$SECONDS
expect_status 0 "$GPROFX" --check-plugin=forking.so
expect_in out 'passed  emitter, empty report'
[ $((SECONDS - began)) -lt 50 ] || fail 'what a plugin left behind was waited for'
! pgrep -f '^sleep 98765[.]4321' >left || fail 'what a plugin left behind goes on'
