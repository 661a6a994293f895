/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every reader under libFuzzer, which changes inputs so that they reach code that none reached
 * before. GPROFX_FUZZ_SEED names the seed that says which reader it is, and what machine, as for
 * fuzz.readers.
 */
#define main read_seeds
#include "readers.c"
#undef main

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* libFuzzer passes nothing from one call to the next. */
static struct seed seed;
static struct fuzzing fuzzing;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *path = getenv("GPROFX_FUZZ_SEED");

	(void)argc;
	(void)argv;
	if (!path || !take_seed(&seed, path)) {
		fprintf(stderr, "GPROFX_FUZZ_SEED names no seed\n");
		exit(2);
	}
	fuzzing = (struct fuzzing){
		.settings = {.image = "", .builtin = gprofx_builtin_plugins},
		.seed = &seed,
	};
	return 0;
}

struct guided {
	const uint8_t *bytes;
	size_t length;
};

static enum gprofx_result
read_guided(struct run *run, void *argument)
{
	const struct guided *input = argument;
	bool broken = false;
	struct plugin *reader = plugin_by_format(run, PLUGIN_READER, seed.format, &broken);

	if (!reader)
		abort();
	read_input(run, &fuzzing, reader, input->bytes, input->length);
	return GPROFX_OK;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	const struct engine_frontend frontend = {.diagnose = quiet_diagnose,
	                                         .trace = quiet_trace,
	                                         .write = quiet_write};
	struct guided input = {bytes, length};

	/* The same input is read in the same way each time. */
	fuzzing.random = length;
	run_whole(&fuzzing.settings, &frontend, read_guided, &input);
	return 0;
}
