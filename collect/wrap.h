/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of the C library that the collector stands in front of, in the shared library only. */
#ifndef COLLECT_WRAP_H
#define COLLECT_WRAP_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#define EXPORTED __attribute__((visibility("default")))

/* As strict System V has it; programs get it for signal() if they ask for that. */
sighandler_t __sysv_signal(int number, sighandler_t handler);

/* The C library's own functions; looked up early, since that takes locks and memory. */
struct wrapped {
	int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*dlclose)(void *);
	int (*execve)(const char *, char *const[], char *const[]);
	int (*execv)(const char *, char *const[]);
	int (*execvp)(const char *, char *const[]);
	int (*execvpe)(const char *, char *const[], char *const[]);
	int (*fexecve)(int, char *const[], char *const[]);
	pid_t (*_Fork)(void); /* NULL: the C library before 2.34 has none */
	int (*clone)(int (*)(void *), void *, int, void *, ...);
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	sighandler_t (*signal)(int, sighandler_t);
	sighandler_t (*__sysv_signal)(int, sighandler_t);
	int (*sigprocmask)(int, const sigset_t *, sigset_t *);
	int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
	int (*sigwait)(const sigset_t *, int *);
	int (*sigwaitinfo)(const sigset_t *, siginfo_t *);
	int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
	int (*signalfd)(int, const sigset_t *, int);
	int (*prctl)(int, ...);
	long (*syscall)(long, ...);
	int (*unshare)(int);
	int (*setns)(int, int);
	bool is_complete;
};

extern struct wrapped wrapped;

/* Looks them up, once: at the start, or in what is called before. */
void wrapped_look_up(void);

#endif
