/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes processor time where its input says, in functions whose names say why; prints "done" after
 * each line of its input:
 *   burn MS            in burn_here
 *   read MS            in system calls
 *   deep FRAMES MS     below so many calls of deeper
 *   load PATH MS       in a library that is loaded for it
 *   thread NAME MS     in a thread of that name
 *   brief COUNT        in COUNT threads after each other, in each for a moment
 *   fork MS            in a child process
 *   exec MS            in another program in its place: this one, with other arguments
 * With -DPLUGIN=NAME it is such a library.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Until the thread has taken so much processor time. */
#define BURN(milliseconds, what)                                                   \
	do {                                                                       \
		struct timespec now, end;                                          \
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);                      \
		end.tv_nsec += (milliseconds) % 1000 * 1000000L;                   \
		end.tv_sec += (milliseconds) / 1000 + end.tv_nsec / 1000000000;    \
		end.tv_nsec %= 1000000000;                                         \
		do {                                                               \
			what;                                                      \
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);              \
		} while (now.tv_sec < end.tv_sec ||                                \
		         (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec)); \
	} while (0)

#define SPIN                                                \
	for (volatile int spun = 0; spun < 20000; spun++) { \
	}                                                   \
	__asm__ volatile("")

#define JOIN(a, b) a##b
#define FUNCTION(name)                                               \
	__attribute__((noinline, noipa)) void name(int milliseconds) \
	{                                                            \
		BURN(milliseconds, SPIN);                            \
		__asm__ volatile("");                                \
	}

#ifdef PLUGIN
FUNCTION(PLUGIN)

void
enter(int milliseconds)
{
	PLUGIN(milliseconds);
	__asm__ volatile("");
}
#else
FUNCTION(burn_here)
FUNCTION(burn_in_thread)
FUNCTION(burn_in_child)
FUNCTION(burn_in_program)

__attribute__((noinline, noipa)) void
burn_reading(int milliseconds)
{
	static char buffer[1 << 20];
	int zero = open("/dev/zero", O_RDONLY);

	BURN(milliseconds, if (read(zero, buffer, sizeof buffer) < 0) abort());
	close(zero);
}

__attribute__((noinline, noipa)) int
deeper(int frames, int milliseconds)
{
	volatile char room[32];

	room[0] = 1;
	if (frames == 0)
		burn_here(milliseconds);
	else
		room[0] += deeper(frames - 1, milliseconds);
	return room[0];
}

static char thread_name[32];

static void *
run_thread(void *milliseconds)
{
	prctl(PR_SET_NAME, thread_name);
	burn_in_thread((int)(long)milliseconds);
	return NULL;
}

static void
start_thread(int milliseconds)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run_thread, (void *)(long)milliseconds);
	pthread_join(thread, NULL);
}

static void
load(const char *path, int milliseconds)
{
	void *library = dlopen(path, RTLD_NOW);

	((void (*)(int))dlsym(library, "enter"))(milliseconds);
	dlclose(library);
}

int
main(int argc, char **argv)
{
	char line[4096], word[64], text[2048], number[32];

	if (argc > 1) {
		burn_in_program(atoi(argv[1]));
		return 0;
	}
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		int count, milliseconds;

		if (sscanf(line, "load %2000s %d", text, &milliseconds) == 2)
			load(text, milliseconds);
		else if (sscanf(line, "thread %31s %d", thread_name, &milliseconds) == 2)
			start_thread(milliseconds);
		else if (sscanf(line, "deep %d %d", &count, &milliseconds) == 2)
			deeper(count, milliseconds);
		else if (sscanf(line, "%60s %d", word, &milliseconds) != 2)
			return 1;
		else if (strcmp(word, "burn") == 0)
			burn_here(milliseconds);
		else if (strcmp(word, "read") == 0)
			burn_reading(milliseconds);
		else if (strcmp(word, "brief") == 0) {
			strcpy(thread_name, word);
			for (int i = 0; i < milliseconds; i++)
				start_thread(0);
		} else if (strcmp(word, "fork") == 0) {
			if (fork() == 0) {
				burn_in_child(milliseconds);
				_exit(0);
			}
			wait(NULL);
		} else if (strcmp(word, "exec") == 0) {
			snprintf(number, sizeof number, "%d", milliseconds);
			execl("/proc/self/exe", argv[0], number, (char *)NULL);
		}
		puts("done");
		fflush(stdout);
	}
	return 0;
}
#endif
