/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader knows while it reads. */
#ifndef INPUT_PERF_READING_H
#define INPUT_PERF_READING_H

#include <gprofx/reader.h> /* IWYU pragma: export */

#include "../shared/text-table.h"
#include "numbers.h"

/* Bits of the type of samples: what they have. */
#define SAMPLE_IP (UINT64_C(1) << 0)
#define SAMPLE_TID (UINT64_C(1) << 1)
#define SAMPLE_TIME (UINT64_C(1) << 2)
#define SAMPLE_ADDR (UINT64_C(1) << 3)
#define SAMPLE_READ (UINT64_C(1) << 4)
#define SAMPLE_CALLCHAIN (UINT64_C(1) << 5)
#define SAMPLE_ID (UINT64_C(1) << 6)
#define SAMPLE_CPU (UINT64_C(1) << 7)
#define SAMPLE_PERIOD (UINT64_C(1) << 8)
#define SAMPLE_STREAM_ID (UINT64_C(1) << 9)
#define SAMPLE_STACK_USER (UINT64_C(1) << 13)
#define SAMPLE_IDENTIFIER (UINT64_C(1) << 16)

/* Bits of what is read with a sample. */
enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

/* Flags, by their number. */
enum { FLAG_INHERIT = 1, FLAG_FREQUENCY = 10, FLAG_SAMPLE_ID_ALL = 18 };

enum { MOST_TEXT_BYTES = 256 };

/* An event as the file describes it. */
struct perfdata_attribute {
	uint32_t type;
	uint64_t config, period, sample_type, read_format, flags;
	uint32_t max_stack;
	char name[MOST_TEXT_BYTES]; /* "": the file has none */

	/* Offsets in samples, and from the end of other records; 0: not there. */
	uint32_t tid_at, time_at, id_at, period_at, read_at;
	uint32_t time_back, id_back;

	/* Of its samples. */
	uint64_t samples, first_weight;
	bool is_even;        /* all weigh the same */
	uint32_t metrics[2]; /* of the host; what it counts, and its samples if that is not even */
	uint32_t metric_count;
	uint64_t divisor; /* of weights, for ticks */
};

/*
 * Records in the order of their times.  perf writes the buffers of processors and threads one after
 * the other, so a file consists of runs, each in order.  Only where they begin is kept.
 */
/* Bytes that records are in: the file, or what was decompressed. */
struct perfdata_block {
	uint8_t *owned; /* to be released with the last user; NULL: the file */
	uint32_t users;
};

/* Records one behind the other, in the order of their times. */
struct perfdata_run {
	const uint8_t *at, *end;
	uint64_t time;     /* of the record there */
	uint64_t position; /* among the runs, in the order of the file */
	struct perfdata_block *block;
};

struct perfdata_order {
	/* A heap: the run with the earliest record first. */
	struct perfdata_run *runs;
	uint32_t count, room;
	/* The run that still grows, which is not in the heap; "at" NULL: there is none. */
	struct perfdata_run last;
	uint64_t last_time;         /* of its last record */
	uint64_t latest, delivered; /* times: of all so far; what the next round passes on up to */
	uint64_t next_position;
};

/*
 * Samples on their way to the host.  Those of one process and event go together, however they were
 * mixed in time; mappings only change once the samples before have gone.
 */
struct perfdata_sample {
	uint32_t process, event; /* numbers of this reader, from 0 */
	uint32_t slice;
	uint32_t first, frames; /* of the addresses */
	uint64_t weight;
};

struct perfdata_batch {
	struct perfdata_sample *samples;
	uint32_t count;
	uint64_t *address;
	uint32_t address_count, address_room;
	/* What one call has. */
	uint32_t *order, *begin, *slice, *first;
	uint64_t *weight, *squares, *frames;
	uint32_t frame_room;
};

/*
 * Where the kernel and its modules are.  All processes have that, but few have samples in much of
 * it: the host gets a map of a process once a sample is in it.
 */
struct kernel_map {
	uint64_t low, last;
	uint32_t image;  /* of the host */
	uint32_t number; /* a bit of processes that have it */
};

/* A function of the kernel that runs. */
struct kernel_name {
	uint64_t address;
	const char *name; /* not NUL-terminated */
	uint32_t length;
	uint32_t image; /* of the host, that has samples in it; 0: none has */
};

struct kernel_maps {
	/* Where the kernel itself was, by the symbol at its first address; "": not known. */
	char first_name[16];
	uint64_t first_address;
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	bool has_looked;         /* for names */
	bool is_without_modules; /* names are of the kernel itself alone */
	uint32_t own_image;      /* of the host: the kernel itself */
	struct kernel_name *names;
	uint32_t name_count, name_room, last_name;
	char *text;               /* that names are in */
	struct kernel_map *items; /* ascending, none intersects */
	uint32_t count, room, found;
	uint32_t numbers;
	struct number_table others; /* by process and number: maps behind the first ones */
	uint32_t bpf;               /* image of programs that the kernel runs, which have names */
	uint32_t guest, none;       /* images of the host, and their maps; 0: not declared yet */
	uint32_t guest_number, none_number;
};

/* Pages that stand for code of which no address is known; none of the last pages is mapped. */
#define GUEST_PAGE UINT64_C(0xffffffffffffd000)
#define NO_KERNEL_PAGE UINT64_C(0xffffffffffffc000)

enum {
	MOST_EVENTS = 100, /* with two metrics each, fewer than a file may have */
	COMMAND_BYTES = 16,
	BUILD_ID_BYTES = 20
};

/* A section of the file. */
struct perfdata_section {
	uint64_t offset, bytes;
};

/* The bits of features. */
enum perfdata_feature {
	FEATURE_BUILD_IDS = 2,
	FEATURE_RELEASE = 4,
	FEATURE_EVENTS = 12,
	FEATURE_DIRECTORY = 24,
	FEATURE_COMPRESSED = 27,
	FEATURE_COUNT = 256
};

/* A process, until its number stands for another one. */
struct perfdata_process {
	uint32_t pid;
	uint32_t number;    /* of the host; 0: not declared yet */
	uint32_t pending;   /* samples that the host has not got yet */
	bool has_program;   /* an image was taken for the program */
	uint32_t generated; /* image of the host of what it generated; 0: not declared yet */
	uint64_t kernel;    /* bits of the first of the kernel's maps, which it has */
	/* While programs are listed. */
	uint32_t program; /* number of a program, plus 1; 0: not known */
	bool is_named;    /* that is by the name of its command */
	uint64_t samples, amount;
};

/* What the processes of a program have. */
struct perfdata_program {
	char *path; /* "": not known */
	size_t length;
	bool is_same_build; /* as the file that the user named, whatever its name is */
	bool is_wanted;
	uint32_t processes;
	uint64_t samples, amount;
};

/* The first way through the records in the order of time: which process ran what. */
struct perfdata_programs {
	bool is_listing;               /* it is under way */
	struct text_table paths;       /* numbers of programs, plus 1 */
	struct perfdata_program *rows; /* the first: not known */
	uint32_t count, room;
	const char *wanted; /* name of the program that the user named; NULL: none */
	bool is_mapped;     /* a file of that name or build was, in any process */
	uint64_t *left_out; /* bits of processes whose samples are not read; NULL: none is */
	uint32_t process_count;
};

struct perfdata_thread {
	uint32_t tid, process; /* number of a process, plus 1; 0: not known */
	uint32_t slice;        /* of the host; 0: not declared yet */
	char command[COMMAND_BYTES + 1];
};

/* What is not in tables. */
struct perfdata_losses {
	uint64_t lost, lost_samples; /* that perf recorded as lost */
	uint64_t throttled;
	uint64_t unknown_records;
	uint64_t bad_samples, foreign_samples; /* of bad lengths; of no event of the file */
	uint64_t other_events;                 /* samples of more events than there may be */
	uint64_t kernel_maps;                  /* of more than there may be */
	uint64_t cut;    /* ticks of the first event whose stacks have the most frames of all */
	bool has_deeper; /* than the limit that is known */
	uint64_t without_callers; /* chains whose callers in the program are elsewhere */
};

struct perfdata {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	bool is_big;           /* byte order of the file */
	bool is_pipe;          /* it has records only */
	bool is_cut;           /* it ends too early, or was not completed */
	bool is_directory;     /* its records are in several files */
	uint64_t sample_count; /* of events that are described */
	uint64_t names_stated; /* bytes of names of generated code */
	bool said_end;
	bool is_failed;                     /* the host did, and said why */
	bool is_checked;                    /* the attributes are */
	struct perfdata_block whole;        /* the file */
	struct perfdata_block *part_blocks; /* further files; NULL: there are none */
	struct gprofx_file_part current;    /* that is gone through */
	/* Of compressed records, while the file is gone through. */
	void *stream;
	uint64_t left_to_unpack; /* bytes that may come out yet */
	uint8_t *rest;           /* the beginning of the next record */
	size_t rest_bytes;
	struct perfdata_section data;
	struct perfdata_section features[FEATURE_COUNT];
	char release[128]; /* of the system; "": not known */

	struct perfdata_attribute *attributes;
	uint32_t attribute_count, attribute_room;
	struct number_table of_id; /* attributes by the numbers that records have, plus 1 */

	struct text_table build_ids;             /* by path: the number of one of these, plus 1 */
	uint8_t (*build_id)[BUILD_ID_BYTES + 1]; /* the last byte: so many */
	uint32_t build_id_count, build_id_room;
	struct text_table images; /* the host's numbers, by build ID and path */
	struct kernel_maps kernel;

	struct perfdata_process *processes;
	uint32_t process_count, process_room;
	struct number_table of_pid; /* processes, plus 1 */
	struct perfdata_thread *threads;
	uint32_t thread_count, thread_room;
	struct number_table of_tid; /* threads, plus 1 */

	struct number_table counters; /* by id and thread: numbers of the next ones, plus 1 */
	uint64_t *counter;
	uint32_t counter_count, counter_room;

	uint32_t first_event; /* with samples */
	struct perfdata_programs programs;
	struct perfdata_batch batch;
	struct perfdata_order order;
	struct perfdata_losses losses;
};

static inline uint64_t
perfdata_u64(const struct perfdata *p, const uint8_t *at)
{
	return gprofx_number_at(at, 8, p->is_big);
}

static inline uint32_t
perfdata_u32(const struct perfdata *p, const uint8_t *at)
{
	return gprofx_word_at(at, p->is_big);
}

static inline uint32_t
perfdata_u16(const struct perfdata *p, const uint8_t *at)
{
	return (uint32_t)gprofx_number_at(at, 2, p->is_big);
}

#endif
