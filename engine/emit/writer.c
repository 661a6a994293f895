/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/inputs.h"
#include "base/memory.h"
#include "base/text.h"
#include "emit/number.h"
#include "emit/standard.h"
#include "shared/printable.h"

enum { BUFFER = 65536, NAME_TRIES = 100 };

static struct writer *
writer_of(struct gprofx_writer *public)
{
	return (struct writer *)public;
}

static int
write_file(int descriptor, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t written = write(descriptor, bytes, count);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? errno : EIO;
		bytes += written;
		count -= (size_t)written;
	}
	return 0;
}

static void
write_out(struct writer *writer, const char *bytes, size_t count)
{
	const struct engine_frontend *frontend = writer->run->frontend;

	if (writer->error != 0 || count == 0)
		return;
	writer->error = writer->descriptor < 0 ? frontend->write(frontend->opaque, bytes, count)
	                                       : write_file(writer->descriptor, bytes, count);
}

void
writer_flush(struct writer *writer)
{
	write_out(writer, writer->buffer, (size_t)(writer->public.at - writer->buffer));
	writer->public.at = writer->buffer;
}

static void
make_room(struct gprofx_writer *public)
{
	if (public->end - public->at < GPROFX_WRITER_ROOM)
		writer_flush(writer_of(public));
}

static void
put(struct gprofx_writer *public, const void *bytes, size_t count)
{
	if (count > (size_t)(public->end - public->at)) {
		writer_flush(writer_of(public));
		if (count > (size_t)(public->end - public->at) / 2) {
			write_out(writer_of(public), bytes, count);
			return;
		}
	}
	memcpy(public->at, bytes, count);
	public->at += count;
}

static void
format(struct gprofx_writer *public, const char *words, ...)
{
	struct writer *writer = writer_of(public);
	va_list arguments;
	char small[512];
	int length;

	va_start(arguments, words);
	length = vsnprintf(small, sizeof small, words, arguments);
	va_end(arguments);
	if (length < 0) {
		if (writer->error == 0)
			writer->error = errno;
	} else if ((size_t)length < sizeof small) {
		put(public, small, (size_t)length);
	} else {
		char *large = memory_alloc(writer->run, (size_t)length + 1);

		va_start(arguments, words);
		vsnprintf(large, (size_t)length + 1, words, arguments);
		va_end(arguments);
		put(public, large, (size_t)length);
		memory_release(writer->run, large);
	}
}

/*
 * Pads to the width; a negative one pads behind.  There is room behind every number, so blanks and
 * digits are copied as if there were always as many.
 */
static void
put_padded(struct gprofx_writer *public, const char digits[NUMBER_ROOM], size_t count, int width)
{
	size_t wide = (size_t)(width < 0 ? -(long)width : width);
	size_t padding = wide > count ? wide - count : 0;

	if (padding > NUMBER_ROOM) {
		format(public, "%*.*s", width, (int)count, digits);
		return;
	}
	make_room(public);
	if (width < 0) {
		memcpy(public->at, digits, NUMBER_ROOM);
		memset(public->at + count, ' ', NUMBER_ROOM);
	} else {
		memset(public->at, ' ', NUMBER_ROOM);
		memcpy(public->at + padding, digits, NUMBER_ROOM);
	}
	public->at += padding + count;
}

static void
fixed(struct gprofx_writer *public, double value, int width, int precision)
{
	char digits[NUMBER_ROOM];
	bool fits = precision >= 0 && precision <= NUMBER_MOST_PRECISION;
	size_t count;

	/* Most numbers of tables have a width. */
	if (width == 0) {
		make_room(public);
		count = fits ? number_fixed(public->at, value, precision) : 0;
		public->at += count;
	} else {
		count = fits ? number_fixed(digits, value, precision) : 0;
		if (count != 0)
			put_padded(public, digits, count, width);
	}
	if (count == 0)
		format(public, "%*.*f", width, precision, value);
}

static void
number(struct gprofx_writer *public, uint64_t value, int width)
{
	char digits[NUMBER_ROOM];

	if (width == 0) {
		make_room(public);
		public->at += number_digits(public->at, value);
		return;
	}
	put_padded(public, digits, number_digits(digits, value), width);
}

static void
separator(struct gprofx_writer *public)
{
	struct writer *writer = writer_of(public);

	if (writer->has_listing)
		put(public, "\f\n", 2);
	writer->has_listing = true;
}

static bool
takes_color(const struct gprofx_writer *public)
{
	return ((const struct writer *)public)->color;
}

static void
put_text(struct gprofx_writer *public, const char *bytes, size_t count)
{
	if (writer_of(public)->is_raw)
		gprofx_put(public, bytes, count);
	else
		put_printable_text(public, bytes, count);
}

static struct gprofx_writer *open_beside(struct gprofx_writer *public, const char *name);
static enum gprofx_result close_beside(struct gprofx_writer *public, bool keep);

static const struct gprofx_writer_services services = {
	.size = sizeof services,
	.make_room = make_room,
	.put = put,
	.format = format,
	.fixed = fixed,
	.number = number,
	.separator = separator,
	.takes_color = takes_color,
	.open = open_beside,
	.close = close_beside,
	.text = put_text,
};

/* Nothing that a file says may control a terminal, whatever was asked for; GNU gprof does not care.
 */
static bool
is_raw(const struct run *run, int descriptor)
{
	const struct engine_settings *settings = run->settings;

	bool on_terminal = settings->on_terminal && descriptor == STDOUT_FILENO;

	return settings->bytes_as_gprof ||
	       (settings->raw_bytes && !on_terminal && !isatty(descriptor));
}

struct writer *
writer_in_room(struct run *run, char *buffer, size_t bytes)
{
	struct writer *writer = memory_alloc(run, sizeof *writer);

	writer->run = run;
	writer->descriptor = -1;
	writer->failure = "output.write-failed";
	writer->buffer = buffer;
	writer->public = (struct gprofx_writer){buffer, buffer + bytes, &services};
	return writer;
}

static struct writer *
writer_new(struct run *run)
{
	return writer_in_room(run, memory_alloc_unset(run, BUFFER), BUFFER);
}

struct writer *
writer_to_standard_output(struct run *run)
{
	struct writer *writer = writer_new(run);

	writer->color = run->settings->color;
	writer->is_raw = is_raw(run, STDOUT_FILENO);
	return writer;
}

static const char *
hint_for(int error)
{
	switch (error) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return "free some space, or write somewhere else";
	case EISDIR:
		return "name a file: this is a folder";
	case ENOENT:
	case ENOTDIR:
		return "create the folder first, or write somewhere else";
	default:
		return "write somewhere else";
	}
}

static enum gprofx_result
fail_write(const struct writer *writer, int error)
{
	struct run *run = writer->run;
	const struct gprofx_diagnostic diagnostic = {
		.id = writer->failure,
		.file = writer->name ? writer->name : "standard output",
		.system_error = error,
		.hint = hint_for(error),
	};

	return run_fail(run, &diagnostic, "cannot write the file: %s", strerror(error));
}

/* A link that leads nowhere, or round and round: what it was to lead to is not known. */
static bool
is_lost_link(const char *name)
{
	struct stat link, target;

	return lstat(name, &link) == 0 && S_ISLNK(link.st_mode) && stat(name, &target) != 0;
}

static enum gprofx_result
fail_link(const struct writer *writer, int error)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = writer->failure,
		.file = writer->name,
		.system_error = error,
		.hint = "remove the link, or name the file that it should point to",
	};

	return run_fail(writer->run, &diagnostic, "the symbolic link points to no file: %s",
	                strerror(error));
}

/*
 * Gives a file the rights of that which it replaces, as far as the user may.  A user who belongs to
 * another group gets no more than all others; a file system without rights has none to lose.
 */
static void
take_rights(int descriptor, const struct stat *replaced)
{
	mode_t mode = replaced->st_mode & 0777;
	struct stat own;

	if (fstat(descriptor, &own) != 0)
		return;
	if (own.st_uid != replaced->st_uid || own.st_gid != replaced->st_gid) {
		bool has_group = fchown(descriptor, (uid_t)-1, replaced->st_gid) == 0;

		(void)!fchown(descriptor, replaced->st_uid, (gid_t)-1);
		if (!has_group)
			mode &= (mode_t)(0707 | (mode & 07) << 3);
	}
	(void)!fchmod(descriptor, mode);
}

/* Opens what the report is first written to: the file itself, or one beside it. */
static int
open_target(struct run *run, struct writer *writer)
{
	struct stat status;
	bool exists = stat(writer->name, &status) == 0;
	/* No other user opens it before it has the rights of the other one. */
	mode_t mode = exists ? 0600 : 0666;
	char target[PATH_MAX];
	int descriptor = -1, folder;

	/* Who replaces it hides all that follows. */
	if (exists && emit_is_standard_output(&status))
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (exists && !S_ISREG(status.st_mode))
		return open(writer->name, O_WRONLY | O_CLOEXEC);
	if (exists && access(writer->name, W_OK) != 0)
		return -1;
	/* Through a link the file it leads to is replaced, not the link. */
	if (exists && realpath(writer->name, target))
		writer->target = text_keep(run, target, strlen(target));
	folder = (int)(text_last_name(writer->target) - writer->target);
	for (int i = 0; i < NAME_TRIES && descriptor < 0; i++) {
		writer->temporary = text_format(run, "%.*s.gprofx-%ld-%d.tmp", folder,
		                                writer->target, (long)getpid(), i);
		descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (descriptor < 0 && errno != EEXIST)
			break;
	}
	if (descriptor >= 0 && exists)
		take_rights(descriptor, &status);
	return descriptor;
}

/* Refuses to replace what was read, also since the file was begun. */
static enum gprofx_result
check_inputs(struct run *run, const struct writer *writer)
{
	struct stat status;
	const char *what = stat(writer->name, &status) == 0 ? inputs_find(run, &status) : NULL;

	return what ? inputs_refuse(run, writer->name, what) : GPROFX_OK;
}

/* Not every file system can; one that fails to write says so. */
static int
flush_to_disk(int descriptor)
{
	bool failed = fsync(descriptor) != 0;

	return failed && (errno == EIO || errno == ENOSPC || errno == EDQUOT) ? errno : 0;
}

/* The file has its name for good once the folder is on the disk, too; if not, the old one is back.
 */
static void
flush_folder(struct run *run, const char *file)
{
	size_t length = (size_t)(text_last_name(file) - file);
	const char *folder = length == 0 ? "." : text_format(run, "%.*s", (int)length, file);
	int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (descriptor < 0)
		return;
	(void)!fsync(descriptor);
	close(descriptor);
}

static struct writer *
forget(struct writer *writer)
{
	memory_release(writer->run, writer->buffer);
	memory_release(writer->run, writer);
	return NULL;
}

struct writer *
writer_to_file(struct run *run, const char *name, const char *failure)
{
	/* Made first: nothing may fail between the file's appearance and the note about it. */
	struct writer *writer = writer_new(run);

	writer->failure = failure;
	writer->name = writer->target = name;
	if (check_inputs(run, writer) != GPROFX_OK)
		return forget(writer);
	if (is_lost_link(name)) {
		fail_link(writer, errno);
		return forget(writer);
	}
	writer->descriptor = open_target(run, writer);
	if (writer->descriptor < 0) {
		fail_write(writer, errno);
		return forget(writer);
	}
	writer->is_raw = is_raw(run, writer->descriptor);
	writer->before = run->unfinished;
	run->unfinished = writer->temporary;
	return writer;
}

enum gprofx_result
writer_close(struct run *run, struct writer *writer, bool keep)
{
	enum gprofx_result checked = GPROFX_OK;

	writer_flush(writer);
	if (writer->temporary && keep && writer->error == 0)
		checked = check_inputs(run, writer);
	keep = keep && checked == GPROFX_OK;
	if (writer->temporary && keep && writer->error == 0)
		writer->error = flush_to_disk(writer->descriptor);
	if (writer->descriptor >= 0 && close(writer->descriptor) != 0 && writer->error == 0)
		writer->error = errno;
	if (writer->temporary && keep && writer->error == 0) {
		if (rename(writer->temporary, writer->target) == 0)
			flush_folder(run, writer->target);
		else
			writer->error = errno;
	}
	if (writer->temporary && (!keep || writer->error != 0))
		unlink(writer->temporary);
	if (writer->descriptor >= 0)
		run->unfinished = writer->before;
	if (writer->error == 0)
		return checked;
	return fail_write(writer, writer->error);
}

/*
 * There can be as many files beside the report as there are sources: what a file needed is given
 * back.
 */
static struct gprofx_writer *
open_beside(struct gprofx_writer *public, const char *name)
{
	struct writer *report = writer_of(public), *writer = NULL;
	struct run *run = report->run;
	bool are_warnings = run->errors_are_warnings;

	name = text_keep(run, name, strlen(name));
	run->errors_are_warnings = true;
	if (!report->check || report->check(run, report->context, name) == GPROFX_OK)
		writer = writer_to_file(run, name, "output.beside-failed");
	run->errors_are_warnings = are_warnings;
	run->told_reason = run->told_reason || !writer;
	return writer ? &writer->public : NULL;
}

static enum gprofx_result
close_beside(struct gprofx_writer *public, bool keep)
{
	struct writer *writer = writer_of(public);
	struct run *run = writer->run;
	bool are_warnings = run->errors_are_warnings;
	enum gprofx_result result;

	run->errors_are_warnings = true;
	result = writer_close(run, writer, keep);
	run->errors_are_warnings = are_warnings;
	run->told_reason = run->told_reason || result != GPROFX_OK;
	memory_release(run, writer->buffer);
	memory_release(run, writer);
	return result;
}
