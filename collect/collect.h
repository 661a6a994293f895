/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The collector: what its parts share.
 *
 * It lives in a program that is not its own.  Three kinds of its code run there:
 *   - in calls of mcount and in signal handlers ("anywhere"): only system calls without the C
 *     library (sys.h), no locks, no memory but what chunk_make() maps;
 *   - in calls of functions that the collector wraps, such as pthread_create ("wrapped"): where
 *     the program called the C library itself, so it can be used;
 *   - at the start and the end of the process.
 * Functions say "anywhere" in their comments if they may be called there.
 */
#ifndef COLLECT_COLLECT_H
#define COLLECT_COLLECT_H

/* IWYU pragma: begin_exports */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gprofx/gxc.h>
/* IWYU pragma: end_exports */

enum {
	COLLECT_PATH = 4096,
	COLLECT_FRAMES = 1024,        /* at most, of a stack */
	COLLECT_OWN_TABLES = 1000000, /* at most, of threads */
	COLLECT_PHASES = GXC_MOST_PHASES,
	COLLECT_SPARE = 15 /* slots of a hashed table behind those that hashes lead to */
};

enum collect_gmon { GMON_OFF, GMON_AT_EXIT, GMON_ONLY };
enum collect_unwind { UNWIND_OFF, UNWIND_FP, UNWIND_CFI };

/* What GPROFX_COLLECT says. */
struct settings {
	char out[COLLECT_PATH];  /* pattern */
	char live[COLLECT_PATH]; /* pattern; "": that of out with an ending */
	bool keeps_file;         /* a file that others can read while the program runs */
	enum collect_gmon gmon;
	uint32_t rate;
	uint32_t clock;  /* enum gxc_clock */
	uint32_t unwind; /* enum collect_unwind */
	uint32_t depth;
	uint32_t signal;     /* 0: one that nobody uses */
	uint32_t control;    /* the signal that starts and stops sampling; 0: none */
	uint32_t own_tables; /* number of threads that do not use those of ended ones */
	bool follows_children;
	bool only_instrumented;
	bool is_exact; /* time=exact */
	uint64_t memory;
};

/* A table, whose slots follow its chunk's header. */
struct slots {
	struct gxc_arc arc[1];
};

/* What is known of a thread since it was last seen whether it waits; of waits.c. */
struct watched {
	uint32_t tid; /* 0: nothing */
	int file;     /* its state in /proc, or -1 */
	uint64_t clock;
	struct gxc_chunk *table; /* in which it waits; NULL: it does not */
	uint32_t entry, epoch;
	uint64_t weight;        /* that the square of the wait has */
	uint64_t second;        /* in which its delays were asked for */
	struct gxc_chunk **own; /* tables of the thread by phase; NULL: none yet */
};

/* Those of a thread in one phase of the program. */
struct tables {
	struct gxc_arc *arcs;     /* what calls are counted in; NULL: no table yet */
	struct gxc_chunk *stacks; /* or NULL: nothing was sampled yet */
	struct gxc_chunk *spare;  /* the same, while others look through that one; or NULL */
	struct gxc_block *blocks; /* or NULL: no basic block was counted yet */
};

/* A thread, or one after the other that use the same tables. */
struct thread {
	struct tables tables;     /* of no phase */
	struct tables *of_phases; /* COLLECT_PHASES of them; NULL: none yet */
	/* What mcount looks at in this thread: collect_arcs.  NULL: it can vanish at any time. */
	struct gxc_arc **looks;
	struct gxc_block **looks_at_blocks; /* the same for blocks; there if the other one is */
	struct gxc_thread *row;             /* or NULL */
	struct thread *next;
	uint64_t stack_low, stack_high; /* 0: not known */
	uint64_t *frames;               /* of the sample under way: the stack may be a small one */
	uint64_t started_cpu;
	uint64_t delayed; /* nanoseconds without a processor that are noted; see delays.h */
	uint32_t number;
	uint32_t tid;
	uint32_t is_used;       /* changed atomically */
	uint32_t is_waited_for; /* its end is reported, since pthread_create started it */
	uint32_t is_named;      /* the program has named it for reports */
	int timer;              /* number of the kernel's, or -1 */
	int event;              /* descriptor of a perf event, or -1 */
	bool has_first;         /* its first sample, whose moment is chosen at random, is to come */
	struct watched watched;
	struct exact *exact; /* times at entry and exit; NULL: none yet */
};

/* The process. */
struct process {
	struct settings settings;
	char folder[COLLECT_PATH];  /* in which it started */
	char program[COLLECT_PATH]; /* path of its executable */
	char file[COLLECT_PATH];    /* path of what is written while it runs */
	struct gxc_header *header;  /* never NULL once it began */
	int descriptor;             /* of the file, or -1: memory only */
	uint64_t device, inode;     /* of the file */
	uint32_t pid;
	uint32_t
		*witness; /* 1 in this process, 0 in a copy of its memory; NULL: none can be made */
	uint32_t begun;   /* 0: no; 1: beginning; 2: yes */
	uint32_t beginner;   /* tid, while it begins */
	uint32_t is_refused; /* timers are: it was said */
	uint32_t closing; /* threads that are in dlclose(): what is mapped can be another object */
	bool is_ready;    /* the settings are read */
	bool is_off;      /* by setting, or since it is a set-user-ID program, or since is_quiet */
	bool is_quiet;    /* it makes no system calls; known threads go on to count */
	bool is_forked;
	bool is_ending;
	bool is_stopped;       /* sampling, by the program */
	bool clocks_are_off;   /* of all threads, since sampling stops or another program begins */
	bool has_events;       /* of perf, be it of some threads only */
	bool registers_frames; /* it gives its unwind information to the unwinder itself */
	uint32_t thread_count;
	uint32_t sequence;
	uint64_t entry;        /* where the program starts */
	uint64_t thread_entry; /* in the C library: what the function of a thread returns to */
	uint64_t clone_entry;  /* the same of the first frame of a thread */
	uint64_t text_low, text_high; /* of the main program, from monstartup */
	struct thread *threads;       /* the newest first; none ever leaves the list */
	/* Of them, those whose tables nobody uses, and which others can have; and those with tables
	 * of their own. */
	uint32_t idle_count, kept_count;
	uint32_t unreported_count; /* of them, those whose end nobody reports */
	uint32_t signal;           /* in use, or 0 */
	uint32_t phase;            /* that the program is in; 0: none */
	uint64_t lost_in_memory;
};

extern struct process collect;

/* Thread that code runs in: nobody until it is registered. */
extern __thread struct thread *collect_self __attribute__((tls_model("initial-exec")));

/* Its table, for mcount. */
extern __thread struct gxc_arc *collect_arcs __attribute__((tls_model("initial-exec")));

/* The same of basic blocks, for their code. */
extern __thread struct gxc_block *collect_blocks __attribute__((tls_model("initial-exec")));

/* begin.c: anywhere */
bool collect_begin(void);            /* opens the file and begins to sample; false: off */
void collect_restart_in_child(void); /* after fork */
void collect_notice_copy(void);      /* does so where nobody said that this is a child */
void collect_become_quiet(void);     /* no system calls from now on */
void collect_speak_again(void);
/* Whether it makes none; a child that has a copy of its memory does, and begins anew. */
bool collect_keeps_quiet(void);
uint64_t collect_now(void); /* nanoseconds since 1970 */

/* start.c: where the C library can be used */
void collect_prepare(void); /* reads the settings; once */
void collect_end(void);

/* api.c: calls a function so often that only says that it begins and ends; anywhere */
void collect_call_empty(uint32_t count);

/* classical.c: where the C library can be used */
void collect_write_gmon(void);        /* the file gmon.out, by the settings */
bool gmon_snapshot(const char *path); /* the same; path: its name, or NULL */

/* settings.c: from the environment; where the C library can be used. */
void settings_read(struct settings *settings);

/* say.c: one line on standard error, with "gprofx-collect: " in front and all texts joined;
 * anywhere. */
void say_prepare(void); /* notes what standard error is; later it may be another file */
void say(const char *const *texts);
#define SAY(...) say((const char *const[]){__VA_ARGS__, NULL})
char *say_number(char to[24], uint64_t number);
/* What an error of the system, such as ENOSPC, means in words. */
const char *say_reason(char to[40], long error);

/* names.c: fills a pattern with %p and so on; false: too long. */
void names_set_rank(const char *text);
bool names_fill(char *to, size_t room, const char *pattern, uint32_t sequence);

/* chunks.c: all anywhere */
struct chunk_list {
	struct gxc_chunk *chunk;
	struct chunk_list *next;
	uint64_t offset; /* in the file */
	bool is_private; /* it is not in the file */
};
bool chunks_begin(void); /* makes the file, or memory in its place */
/* A chunk with room for so many entries, all 0; NULL: no memory, or more than the user wants. */
struct gxc_chunk *
chunk_make(enum gxc_type type, uint32_t entry_bytes, uint64_t capacity, uint32_t thread);
const struct chunk_list *chunks_all(void);
/* Writes to the file what is in memory only; is_last: what cannot be written is counted as lost. */
void chunks_write_private(bool is_last);
void chunks_keep_private(void);              /* what was written like this goes on to change */
void chunks_leave(void);                     /* after fork: forgets those of the parent */
void *chunks_private(size_t bytes);          /* memory that is never freed; NULL: none */
const char *chunks_text_at(uint32_t offset); /* NULL: none */
uint32_t chunks_text(const char *text);      /* into the strings; its offset, 0: no room */

static inline void *
chunk_entries(struct gxc_chunk *chunk)
{
	return chunk + 1;
}

/* arcs.c: anywhere */
void collect_forget_self(void); /* the running thread has no tables then */
bool collect_is_nobody(const struct thread *thread);
void arcs_leave(struct thread *thread); /* gives the thread a table without room */
/* Addresses of an object that is gone, and how far those are away that it has from then on. */
struct gone {
	uint64_t low, bytes, distance;
};
/*
 * Moves the calls from and to such an object to a table of the process, and says whether there are
 * any; for who looks at objects.
 */
bool arcs_put_away(const struct gone *gone);
void arcs_forget(void);                  /* after fork */
struct gxc_arc *arcs_none(void);         /* in which nothing is ever found */
void arcs_look_in(struct gxc_arc *arcs); /* where mcount looks from now on; NULL: in none */
void arcs_make_room(void); /* in the table of the running thread: later there is no memory */
void collect_count(uint64_t site, uint64_t callee);
void arcs_slow(uint64_t site, uint64_t callee); /* as mcount calls it */

/* phases.c: anywhere but in handlers of signals, if nothing else is said. */
void phases_mark(const char *name); /* begins a phase; NULL or "": none */
void phases_begin(void);            /* in a child of fork: that of its parent goes on */
void phases_forget(void);           /* after fork */
/* The thread's tables of a phase, or NULL: no memory; also in handlers. */
struct tables *phases_make_tables(struct thread *thread, uint32_t phase);
/* The running thread looks up its tables of the phase of the program; also in handlers. */
void phases_follow(void);
/* Others do not write to what the thread looks at any more. */
void phases_leave(struct thread *thread);

static inline uint32_t
phases_now(void)
{
	return __atomic_load_n(&collect.phase, __ATOMIC_SEQ_CST);
}

static inline struct tables *
phases_tables(struct thread *thread, uint32_t phase)
{
	return phase == 0 ? &thread->tables : phases_make_tables(thread, phase);
}
/* The thread that runs, to count what is in the code at both addresses; NULL: nothing is counted.
 */
struct thread *collect_counting(uint64_t site, uint64_t callee);

/* blocks.c: anywhere; as for calls */
struct gxc_block *blocks_none(void);           /* in which nothing is ever found */
void blocks_look_in(struct gxc_block *blocks); /* as for calls */
bool blocks_put_away(const struct gone *gone);
void blocks_forget(void);
void blocks_make_room(void);        /* if the running thread has a table */
void blocks_slow(uint64_t address); /* as the code of blocks calls it */

/* exact.c: times at entry and exit; anywhere */
void exact_clock_choose(void (*caller)(uint32_t count)); /* who calls an empty function */
void exact_begin(struct thread *thread);  /* the running one; does so if it is asked for */
void exact_start(struct thread *thread);  /* another thread has its tables */
void exact_settle(struct thread *thread); /* adds up the time of calls in progress until now */
void exact_clock_note(void);              /* how long a tick is, so far */
void exact_clock_end(void);               /* the same, and again what the collector takes */
void exact_skip(struct thread *thread);   /* what passed since then is the collector's time */
void exact_mark(uint32_t phase);          /* the phase begins now */
bool exact_put_away(const struct gone *gone);
void exact_forget(void); /* after fork: keeps the calls in progress of the running thread */

/* threads.c */
struct thread *thread_register(bool is_waited_for); /* anywhere; NULL: no memory */
void thread_leave(struct thread *thread);
void threads_forget(void); /* after fork: those of the parent */
void threads_finish(void); /* at the end of the process: the times of those that run */
void threads_name(const char *name);
void
thread_note_name(struct thread *thread); /* as the system has it; the thread itself; anywhere */

/* sample.c */
/* Nanoseconds between two samples of a thread. */
static inline uint64_t
collect_interval(void)
{
	return UINT64_C(1000000000) / collect.settings.rate;
}

bool sample_begin(void);                   /* anywhere */
void sample_thread(struct thread *thread); /* starts a thread's clock; anywhere */
void sample_end_thread(struct thread *thread);
void sample_stop(void); /* all clocks; anywhere */
void sample_resume(void);
void sample_before_exec(void);
void sample_after_exec(void);
void sample_block(uint64_t *old);     /* the signal, during fork */
void sample_block_all(uint64_t *old); /* all signals */
void sample_unblock(const uint64_t *old);
void sample_allow(void); /* the signal, in this thread */
/* Has a handler called for a signal that is at its default; false: it is not. */
bool sample_take_signal(uint32_t number, void (*handler)(int));
bool sample_has_signal(uint32_t number, void (*handler)(int)); /* it is still called */
void sample_forget(void); /* gives the signal back; no clock runs */
/* Has a thread whose end nobody reports look at the phase, by a signal. */
void sample_notify(const struct thread *thread);
void sample_check(void); /* says so if others took the signal */
/* What the program has for the signal, if others send it. */
struct sigaction;
void sample_get_passed(struct sigaction *action);
void sample_set_passed(const struct sigaction *action);

/* control.c: anywhere */
void control_start(void); /* sampling, if it is stopped */
void control_stop(void);
void control_begin(void); /* takes the signal by which the user does so */
void control_end(void);   /* says so if nobody did */

void walk_forget(void); /* walk.c: what is kept of code; anywhere */

/* unwind.c: the frames of what a signal interrupted, innermost first; see unwinding.h.  Anywhere.
 */
struct frames {
	uint64_t *pc; /* room for as many as the settings want */
	uint32_t count;
	uint32_t flags; /* enum gxc_stack_flag */
};
void unwind_prepare(void);
bool unwind_has_cfi(void);
bool unwind_is_first(uint64_t pc); /* whether threads start with the code at this address */
/* Notes where threads start, in one that just did: in the function that this address is its
 * caller's. */
void unwind_learn_thread(uint64_t caller);

/* stacks.c: anywhere, but only in the handler of the thread. */
void stacks_add(struct thread *thread, const struct frames *frames, uint64_t weight);
/* As for calls: the samples with a frame in an object that is gone. */
bool stacks_put_away(const struct gone *gone);
/*
 * A stack in which a thread waits, into a table of such stacks, which it makes; its entry, from 1,
 * or 0.  Only the thread that looks for waits calls these.
 */
uint32_t stacks_add_wait(struct gxc_chunk **table, const struct frames *frames, uint64_t weight,
                         uint32_t thread, uint32_t phase);
/* The same wait goes on; false: since that epoch, the table has changed. */
bool stacks_add_again(const struct watched *watched, uint64_t weight, uint64_t squares);
uint32_t stacks_epoch(void);
void stacks_forget(void); /* after fork */

/* objects.c */
void objects_find(void); /* notes all that is mapped; anywhere */
/* Notes what is new if the address is in nothing that is known; anywhere.  Handlers of ours cannot
 * wait for others that look. */
void objects_meet(uint64_t address, bool can_wait);
/* Puts away what was measured in objects that are gone; anywhere but in our handler. */
void objects_unloaded(void);
/* Does so if one of the addresses is in an object that can go; while others close some. */
void objects_check(uint64_t site, uint64_t callee);
/* The object of the program itself, or NULL. */
const struct gxc_object *objects_program(void);
void objects_forget(void);

/* maps.c: the mapping that an address is in; anywhere. */
bool maps_region(uint64_t address, uint64_t *low, uint64_t *high);

/* events.c */
void event_note(enum gxc_event_kind kind, uint32_t value); /* anywhere */
void events_forget(void);

#endif
