/* SPDX-License-Identifier: Apache-2.0 */
/* Records, and what the parts of the reader do with them. */
#ifndef INPUT_PERF_RECORDS_H
#define INPUT_PERF_RECORDS_H

#include "reading.h"

enum { RECORD_BYTES = 8 }; /* of the header of a record */

/* Types of records: the kernel's, and perf's own. */
enum perfdata_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_KSYMBOL = 17,
	RECORD_LAST_OF_KERNEL = 22,
	RECORD_FIRST_OF_PERF = 64,
	RECORD_HEADER_ATTR = 64,
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_EVENT_UPDATE = 78,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
	RECORD_LAST_OF_PERF = 86
};

/* Modes of the processor, in the lowest bits of "misc", and flags. */
enum {
	MISC_MODE = 7,
	MODE_KERNEL = 1,
	MODE_USER = 2,
	MODE_HYPERVISOR = 3,
	MODE_GUEST_KERNEL = 4,
	MODE_GUEST_USER = 5,
	MISC_EXEC = 1 << 13, /* of COMM; of MMAP: data; of FORK: made by perf */
	MISC_BUILD_ID = 1 << 14,
	MISC_FILTERED = 1 << 15
};

struct perfdata_record {
	const uint8_t *at;
	uint32_t type, misc, bytes;
};

/* Reads the header of a record; false: there is no whole one. */
static inline bool
perfdata_record_at(const struct perfdata *p, const uint8_t *at, const uint8_t *end,
                   struct perfdata_record *record)
{
	if (end - at < RECORD_BYTES)
		return false;
	*record = (struct perfdata_record){at, perfdata_u32(p, at), perfdata_u16(p, at + 4),
	                                   perfdata_u16(p, at + 6)};
	return record->bytes >= RECORD_BYTES && (size_t)(end - at) >= record->bytes;
}

/* attributes.c */
enum { LEAST_ATTRIBUTE_BYTES = 64 };

/* Adds the attribute at a place, which has this number of bytes there. */
struct perfdata_attribute *
perfdata_add_attribute(struct perfdata *p, const uint8_t *at, uint64_t bytes);
/* The numbers, of 64 bits each, by which records name the attribute that was added last. */
void perfdata_add_ids(struct perfdata *p, const uint8_t *ids, uint64_t bytes);

/* Checks what is needed to know the events of records.  Fails with the diagnostic reported. */
bool perfdata_check_attributes(struct perfdata *p);

/* walk.c */
/* What is to be done with each record.  Fails with the diagnostic reported. */
typedef enum gprofx_result perfdata_visit(struct perfdata *p, struct perfdata_block *block,
                                          const struct perfdata_record *record);

enum gprofx_result perfdata_walk(struct perfdata *p, perfdata_visit *visit);

/* How many further files the recording has. */
uint32_t perfdata_parts(const struct perfdata *p);

/* A diagnostic about a place in the file that is gone through. */
struct gprofx_diagnostic
perfdata_at(const struct perfdata *p, const uint8_t *at, const char *id, const char *hint);

/* A text of a record, from an offset on, which need not end; its length. */
size_t perfdata_text(const struct perfdata_record *record, size_t offset, const char **text);

/* compressed.c: visits the records that bytes of a compressed one become, with those before. */
enum gprofx_result
perfdata_unpack(struct perfdata *p, const uint8_t *at, size_t bytes, perfdata_visit *visit);
void perfdata_end_unpacking(struct perfdata *p);

/* order.c */
/* When a record was written; false: it has no time, and counts at once. */
bool perfdata_time(const struct perfdata *p, const struct perfdata_record *record, uint64_t *time);

/* Adds a record with a time. */
void perfdata_order_add(struct perfdata *p, struct perfdata_block *block,
                        const struct perfdata_record *record, uint64_t time);

/* At the end of a round: what came before the one before has no earlier records any more. */
enum gprofx_result perfdata_end_round(struct perfdata *p);

/* Passes on all that is left. */
enum gprofx_result perfdata_end_order(struct perfdata *p);

void perfdata_release_order(struct perfdata *p);

/* batch.c */
/* Room for so many frames of the sample under way. */
uint64_t *perfdata_batch_frames(struct perfdata *p, uint32_t count);

/* Makes room for a sample.  Fails with the diagnostic reported. */
enum gprofx_result perfdata_batch_begin(struct perfdata *p);

/* Adds the sample, or several with the same frames: at most one for each 8 bytes of its record. */
void perfdata_batch_add(struct perfdata *p, const struct perfdata_sample *sample);

/* Passes all samples to the host. */
enum gprofx_result perfdata_batch_pass(struct perfdata *p);

void perfdata_release_batch(struct perfdata *p);

/* kernel-maps.c */
/* kernel-names.c: a sample is in the kernel, in an image of the host. */
void perfdata_note_kernel(struct perfdata *p, uint64_t address, uint32_t image);
/* Gives the functions with samples their names. */
enum gprofx_result perfdata_name_kernel(struct perfdata *p);
void perfdata_release_kernel(struct perfdata *p);

/* Maps an image, in the place of what was there. */
enum gprofx_result
perfdata_map_kernel(struct perfdata *p, uint64_t address, uint64_t bytes, uint32_t image);

/*
 * Lets a process have what is mapped at an address of the kernel.  Returns the address that stands
 * for it there; 0: failed, and the diagnostic is reported.
 */
uint64_t
perfdata_kernel_address(struct perfdata *p, struct perfdata_process *process, uint64_t address);

/* The address of the code of guests. */
uint64_t perfdata_guest_address(struct perfdata *p, struct perfdata_process *process);

/* The event that a record is of; NULL: none of the file. */
struct perfdata_attribute *
perfdata_attribute_of(const struct perfdata *p, const struct perfdata_record *record);

/* How many bytes behind a record are no record. */
uint64_t
perfdata_behind(const struct perfdata *p, const struct perfdata_record *record, const uint8_t *end);

/* A run of records is done with a block. */
enum gprofx_result perfdata_leave_block(struct perfdata *p, struct perfdata_block *block);

/* header.c: reads what stands before the records and behind them. */
enum gprofx_result perfdata_read_header(struct perfdata *p);
/* A feature, from its section or a record. */
void perfdata_read_feature(struct perfdata *p, uint64_t feature, const uint8_t *at, uint64_t bytes);
/* A record with the build ID of a file. */
void perfdata_add_build_id(struct perfdata *p, const struct perfdata_record *record);
/* A record with the name of an event. */
void perfdata_name_event(struct perfdata *p, const struct perfdata_record *record);
/* The build ID of a path, or NULL; *bytes: its length. */
const uint8_t *
perfdata_build_id(struct perfdata *p, const char *path, size_t length, uint32_t *bytes);

/* survey.c: goes through the file once, for what has to be known before. */
enum gprofx_result perfdata_survey(struct perfdata *p);

/* events.c: declares the metrics of events that have samples. */
enum gprofx_result perfdata_declare_events(struct perfdata *p);
/* Gives events without a name one. */
void perfdata_name_events(struct perfdata *p);
/* Whether an event counts nanoseconds. */
bool perfdata_is_clock(const struct perfdata_attribute *event);
/* What a sample of an event weighs, but where values are read with it. */
uint64_t perfdata_weight(const struct perfdata *p, const struct perfdata_attribute *attribute,
                         const struct perfdata_record *record);

/* images.c: a mapping of a file, or of what is none. */
enum gprofx_result perfdata_take_mapping(struct perfdata *p, const struct perfdata_record *record);
/* A symbol of the kernel that comes or goes. */
enum gprofx_result perfdata_take_symbol(struct perfdata *p, const struct perfdata_record *record);
/* The host's number of an image; 0: failed. */
uint32_t perfdata_image(struct perfdata *p, uint32_t kind, const char *path, size_t length,
                        const uint8_t *build_id, uint32_t build_id_bytes);

/* Whether a file has the name of the command of a process. */
bool perfdata_has_command(const struct perfdata *p, const struct perfdata_process *process,
                          const char *path, size_t length);
/* "[module]" of the path of a module; returns its length. */
size_t perfdata_module_name(const char *path, size_t length, char *name, size_t room);
/* The host's image of code that a process generated. */
uint32_t perfdata_generated(struct perfdata *p, struct perfdata_process *process);

/* processes.c: processes and threads come, and change. */
void perfdata_take_command(struct perfdata *p, const struct perfdata_record *record);
void perfdata_take_fork(struct perfdata *p, const struct perfdata_record *record);
/* The number of a process, from 0. */
uint32_t perfdata_process(struct perfdata *p, uint32_t pid);
/* Declares it, if it is not yet. */
uint32_t perfdata_host_process(struct perfdata *p, struct perfdata_process *process);
/* The host's slice of a thread. */
uint32_t perfdata_slice(struct perfdata *p, uint32_t process, uint32_t tid);
/* The command of the first thread of a process, or NULL. */
const char *perfdata_command(const struct perfdata *p, uint32_t pid);
void perfdata_release_processes(struct perfdata *p);

/* programs.c */
/* Finds out which process ran which program.  Fails with the diagnostic reported. */
enum gprofx_result perfdata_find_programs(struct perfdata *p);
/* A file was mapped that can be the program of a process, while programs are listed.  build_id: of
 * the file; NULL: not known. */
void perfdata_note_program(struct perfdata *p, struct perfdata_process *process, const char *path,
                           size_t length, const uint8_t *build_id, uint32_t build_id_bytes);
/* Counts a sample of a process, while programs are listed. */
void
perfdata_note_sample(struct perfdata *p, struct perfdata_process *process,
                     const struct perfdata_attribute *event, const struct perfdata_record *record);
/* Leaves out the samples of all programs but that of the file, if it and others have some. */
enum gprofx_result perfdata_choose_program(struct perfdata *p);
bool perfdata_is_left_out(const struct perfdata *p, uint32_t process);
/* Passes the programs with samples on. */
void perfdata_list_programs(struct perfdata *p, gprofx_program_sink *each, void *opaque);
void perfdata_release_programs(struct perfdata *p);

/* samples.c */
enum gprofx_result perfdata_take_sample(struct perfdata *p, const struct perfdata_record *record);

/* A record of the file, which is taken when it is its turn. */
perfdata_visit perfdata_visit_in_order;
/* A record whose turn it is. */
enum gprofx_result perfdata_take_record(struct perfdata *p, const struct perfdata_record *record);

#endif
