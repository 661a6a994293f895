/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only file that knows libltdl.  Modules are opened by absolute path with local symbols; they
 * stay open until the process ends.
 */
#include "plugin/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <ltdl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { PROBLEM_ROOM = 1024 };

static const char no_descriptor_hint[] = "a plugin defines GPROFX_PLUGIN, see <gprofx/plugin.h>";

/* Why a module cannot be opened. */
struct open_problem {
	const char *id, *hint;
	const char *words; /* NULL: there is no problem */
};

static enum gprofx_result
fail_open(struct run *run, const char *path, const struct open_problem *problem)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = problem->id,
		.file = path,
		.hint = problem->hint,
	};

	return run_fail(run, &diagnostic, "cannot load the module: %s", problem->words);
}

static struct open_problem
other_problem(const char *words)
{
	return (struct open_problem){
		.id = "plugin.cannot-open",
		.hint = "name a module that was built for this machine and can be read",
		.words = words,
	};
}

static struct open_problem
cut_short(void)
{
	return (struct open_problem){
		.id = "plugin.cut-short",
		.hint = "copy or install the module again; the disk may have been full",
		.words = "the file is incomplete",
	};
}

static struct open_problem
wrong_machine(struct run *run, uint32_t machine)
{
	return (struct open_problem){
		.id = "plugin.wrong-machine",
		.hint = "install the build of the plugin for this machine",
		.words = text_format(run, "it is built for another machine (ELF machine %u)",
	                             machine),
	};
}

/* The loader's words, and what they mean where that is known. */
static struct open_problem
loader_problem(const char *words)
{
	struct open_problem problem = other_problem(words);

	/* The module itself was opened before. */
	if (strstr(words, "cannot open shared object file")) {
		problem.id = "plugin.missing-library";
		problem.hint = "install the named library, or add its folder to LD_LIBRARY_PATH";
	} else if (strstr(words, "undefined symbol")) {
		problem.id = "plugin.undefined-symbol";
		problem.hint = "link the module with all libraries that it uses; -Wl,-z,defs shows "
			       "what is missing";
	}
	return problem;
}

/* The header of the object that this code is in, set by the linker, which chose the name. */
extern const ElfW(Ehdr) __ehdr_start /* NOLINT(bugprone-reserved-identifier) */
	__attribute__((visibility("hidden")));

enum { SEGMENTS_READ_AT_ONCE = 16 };

/*
 * What is wrong with an ELF file that the system's loader does not notice, if anything is.  Of a
 * file that ends before what it wants to have loaded it maps the missing pages, and the first
 * access ends the process; a file for another machine it calls absent.  For the rest it has better
 * words.
 */
static struct open_problem
elf_problem(struct run *run, int descriptor, uint64_t length)
{
	static const struct open_problem none = {NULL, NULL, NULL};
	ElfW(Ehdr) header;
	ElfW(Phdr) segments[SEGMENTS_READ_AT_ONCE];

	if (pread(descriptor, &header, sizeof header, 0) != (ssize_t)sizeof header ||
	    memcmp(header.e_ident, __ehdr_start.e_ident, EI_DATA + 1) != 0)
		return none;
	if (header.e_machine != __ehdr_start.e_machine)
		return wrong_machine(run, header.e_machine);
	if (header.e_phentsize != sizeof *segments || header.e_phoff > length)
		return none;
	for (uint32_t i = 0; i < header.e_phnum; i++) {
		const ElfW(Phdr) *segment = &segments[i % SEGMENTS_READ_AT_ONCE];
		uint32_t count = header.e_phnum - i;

		if (count > SEGMENTS_READ_AT_ONCE)
			count = SEGMENTS_READ_AT_ONCE;
		if (segment == segments && pread(descriptor, segments, count * sizeof *segments,
		                                 (off_t)(header.e_phoff + i * sizeof *segments)) !=
		                                   (ssize_t)(count * sizeof *segments))
			return cut_short();
		if (segment->p_type == PT_LOAD &&
		    (segment->p_offset > length || segment->p_filesz > length - segment->p_offset))
			return cut_short();
	}
	return none;
}

/* What is wrong with the file as a file. */
static struct open_problem
file_problem(struct run *run, const struct plugin_module *module)
{
	/* Without waiting for the writer of a pipe. */
	int descriptor = module->folder < 0 ? -1
	                                    : openat(module->folder, module->name,
	                                             O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int error = module->folder < 0 ? module->error : errno;
	struct open_problem problem;
	struct stat status;

	if (descriptor < 0 || fstat(descriptor, &status) != 0)
		problem = other_problem(text_format(run, "it cannot be read: %s", strerror(error)));
	else if (!S_ISREG(status.st_mode))
		problem = other_problem("it is not a regular file");
	else
		problem = elf_problem(run, descriptor, (uint64_t)status.st_size);
	if (descriptor >= 0)
		close(descriptor);
	return problem;
}

enum gprofx_result
plugin_check_file(struct run *run, const struct plugin_module *module)
{
	struct open_problem problem = file_problem(run, module);

	return problem.words ? fail_open(run, module->path, &problem) : GPROFX_OK;
}

/* Whether a loaded module was linked so that its own symbols are all bound when it is opened. */
static bool
binds_now(void *handle)
{
	struct link_map *map = NULL;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
		return false;
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		if ((entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_BIND_NOW)) ||
		    (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NOW)) ||
		    entry->d_tag == DT_BIND_NOW)
			return true;
	return false;
}

/*
 * Everything that the module itself needs is bound at once: a missing symbol is reported now and
 * does not end the process in the middle of a run.  Modules are linked for that; then the libraries
 * behind them are bound as they are used, which saves a small run a twentieth of its time.
 */
static void *
open_bound(const char *path)
{
	void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	if (!handle || binds_now(handle))
		return handle;
	dlclose(handle);
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* libltdl's list of modules is one for the process; runs of several threads share it. */
static pthread_mutex_t libltdl_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Folders from which modules were opened.  They stay open as long as these, which is until the
 * process ends: the loader knows a module by the name it was opened by, so that the name must not
 * come to lead elsewhere, and looks for $ORIGIN there.
 */
static struct loaded_folder {
	struct loaded_folder *next;
	dev_t device;
	ino_t inode;
	int descriptor;
} * loaded_folders;

/* With the lock: the descriptor that stays open for the same folder, or -1. */
static int
lasting_descriptor(int folder)
{
	struct loaded_folder *known;
	struct stat status;

	if (fstat(folder, &status) != 0)
		return -1;
	for (known = loaded_folders; known; known = known->next)
		if (known->device == status.st_dev && known->inode == status.st_ino)
			return known->descriptor;
	known = malloc(sizeof *known);
	if (!known)
		return -1;
	*known = (struct loaded_folder){loaded_folders, status.st_dev, status.st_ino,
	                                fcntl(folder, F_DUPFD_CLOEXEC, 0)};
	if (known->descriptor < 0) {
		free(known);
		return -1;
	}
	loaded_folders = known;
	return known->descriptor;
}

/*
 * With the lock: the name to open a module by.  Through the folder's descriptor it is the file that
 * was looked at, whatever became of the path meanwhile; where the system has no names for
 * descriptors it is the path without links, each folder of which was judged.
 */
static void
name_module(const struct plugin_module *module, char name[PATH_MAX])
{
	int descriptor = lasting_descriptor(module->folder);
	int length = snprintf(name, PATH_MAX, "/proc/self/fd/%d/%s", descriptor, module->name);

	if (descriptor < 0 || length >= PATH_MAX || access(name, F_OK) != 0)
		snprintf(name, PATH_MAX, "%s", module->real);
}

static void
note_problem(char *problem, const char *words)
{
	snprintf(problem, PROBLEM_ROOM, "%s", words);
}

/* With the lock: calls nothing that leaves the run. */
static lt_dlhandle
open_locked(const struct plugin_module *module, char path[PATH_MAX], char *problem)
{
	lt_dladvise advise;
	lt_dlhandle handle = NULL;
	const char *reason;

	name_module(module, path);
	if (!open_bound(path)) {
		reason = dlerror();
		note_problem(problem, reason ? reason : "the system's loader rejects it");
		return NULL;
	}
	if (lt_dlinit() != 0 || lt_dladvise_init(&advise) != 0) {
		note_problem(problem, "libltdl cannot be initialized");
		return NULL;
	}
	if (lt_dladvise_local(&advise) == 0)
		handle = lt_dlopenadvise(path, advise);
	if (!handle) {
		reason = lt_dlerror();
		note_problem(problem, reason ? reason : "libltdl rejects it");
	}
	lt_dladvise_destroy(&advise);
	return handle;
}

/*
 * Keeps the module's symbols to itself.  libltdl by itself binds lazily and loses the reason of a
 * failure; the system's loader is therefore asked first, and libltdl finds the module loaded.
 */
static lt_dlhandle
open_module(struct run *run, const struct plugin_module *module)
{
	char words[PROBLEM_ROOM] = "", path[PATH_MAX];
	struct open_problem problem;
	lt_dlhandle handle;
	const char *name;

	if (plugin_check_file(run, module) != GPROFX_OK)
		return NULL;
	pthread_mutex_lock(&libltdl_lock);
	handle = open_locked(module, path, words);
	pthread_mutex_unlock(&libltdl_lock);
	if (handle)
		return handle;
	/* The loader's words are about the name it knows. */
	name = strstr(words, path);
	problem = loader_problem(name ? text_format(run, "%.*s%s%s", (int)(name - words), words,
	                                            module->path, name + strlen(path))
	                              : text_keep(run, words, strlen(words)));
	fail_open(run, module->path, &problem);
	return NULL;
}

/* lt_dlsym() notes failures for the process as a whole. */
static const struct gprofx_plugin *
find_descriptor(lt_dlhandle handle, int major)
{
	const struct gprofx_plugin *descriptor;
	char symbol[32];

	snprintf(symbol, sizeof symbol, "gprofx_plugin_%d", major);
	pthread_mutex_lock(&libltdl_lock);
	descriptor = lt_dlsym(handle, symbol);
	pthread_mutex_unlock(&libltdl_lock);
	return descriptor;
}

/* What is wrong with the symbol of a descriptor. */
static enum gprofx_result
check_symbol(struct run *run, const char *path, const struct gprofx_plugin *descriptor)
{
	const struct gprofx_diagnostic none = {.id = "plugin.no-descriptor",
	                                       .file = path,
	                                       .hint = no_descriptor_hint};
	const struct gprofx_diagnostic bad = {
		.id = "plugin.bad-descriptor",
		.file = path,
		.hint = PLUGIN_DEFECT,
	};
	ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!dladdr1(descriptor, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	    info.dli_saddr != descriptor)
		return GPROFX_OK;
	if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
		return run_fail(run, &none,
		                "expected a struct gprofx_plugin as gprofx_plugin_%d, found a "
		                "function",
		                GPROFX_ABI_MAJOR);
	/* Assemblers may leave the size out. */
	if (symbol->st_size == 0)
		return GPROFX_OK;
	if (symbol->st_size < offsetof(struct gprofx_plugin, name))
		return run_fail(run, &bad, "there are only %llu bytes of a descriptor",
		                (unsigned long long)symbol->st_size);
	if (symbol->st_size < descriptor->size)
		return run_fail(run, &bad, "the descriptor states %u bytes, but there are %llu",
		                descriptor->size, (unsigned long long)symbol->st_size);
	return GPROFX_OK;
}

const struct gprofx_plugin *
plugin_load(struct run *run, const struct plugin_module *module)
{
	lt_dlhandle handle = open_module(run, module);
	const char *path = module->path;
	const struct gprofx_plugin *descriptor;

	if (!handle)
		return NULL;
	descriptor = find_descriptor(handle, GPROFX_ABI_MAJOR);
	if (descriptor)
		return check_symbol(run, path, descriptor) == GPROFX_OK ? descriptor : NULL;
	for (int major = 1; major < 100; major++) {
		if (find_descriptor(handle, major)) {
			const struct gprofx_diagnostic diagnostic = {
				.id = "plugin.wrong-abi",
				.file = path,
				.hint = "use the build of the plugin made for this version of gprofx",
				.number = {(uint64_t)major, GPROFX_ABI_MAJOR},
			};

			run_fail(run, &diagnostic,
			         "expected a plugin for interface %d, found one for interface %d",
			         GPROFX_ABI_MAJOR, major);
			return NULL;
		}
	}
	{
		const struct gprofx_diagnostic diagnostic = {
			.id = "plugin.no-descriptor",
			.file = path,
			.hint = no_descriptor_hint,
		};

		run_fail(run, &diagnostic, "expected a symbol gprofx_plugin_%d, found none",
		         GPROFX_ABI_MAJOR);
	}
	return NULL;
}
