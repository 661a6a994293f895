/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A name is walked at its outermost level; what lies in brackets is stepped over as a whole.
 * Nothing recurses, and each byte is looked at a fixed number of times, since a name can be long
 * and can be made to do harm.
 */
#include "names.h"

#include <string.h>

#include "brackets.h"
#include "fortran.h"

/* Longer names are left alone; the host makes none longer, but a symbol table may. */
enum { LONGEST = 1 << 20 };

/* One name at work. */
struct walk {
	struct names *names;
	const char *text;
	size_t at, end; /* what is still to be read */
	size_t length;  /* of what was written */
	size_t base;    /* of that, the length of what stands before the name itself */
	/* Where the last two components that count begin in what was written. */
	size_t last[2];
	size_t component;    /* where the current one begins there */
	size_t operator_end; /* where the last operator ends in what is read */
	bool after_lambda;
};

/* What stands between a subroutine and what it was inlined into. */
static const char inlined[] = " inlined into ";

void
names_begin(struct names *names, struct gprofx *gx, const struct gprofx_report *report,
            enum name_form form)
{
	*names = (struct names){.gx = gx, .report = report, .form = form};
}

static void
put(struct walk *walk, size_t from, size_t to)
{
	memcpy(walk->names->text + walk->length, walk->text + from, to - from);
	walk->length += to - from;
}

/* Reads the same as it writes. */
static void
keep(struct walk *walk, size_t to)
{
	put(walk, walk->at, to);
	walk->at = to;
}

/* Where the group ends that begins here, or 0 if there is none. */
static size_t
end_of_group(const struct walk *walk, size_t at)
{
	size_t past = at < walk->end ? walk->names->past[at] : 0;

	return past > at + 1 && past <= walk->end ? past : 0;
}

/* Whether these bytes stand at "at". */
static bool
has(const struct walk *walk, size_t at, const char *words)
{
	return at <= walk->end && goes_on(walk->text, at, walk->end, words);
}

static bool
has_written(const struct walk *walk, const char *words)
{
	size_t length = strlen(words);

	return walk->length - walk->component >= length &&
	       memcmp(walk->names->text + walk->length - length, words, length) == 0;
}

/*
 * Lambdas and nameless scopes say nothing without the one around them, and no more does the
 * operator of a lambda.
 */
static void
begin_component(struct walk *walk)
{
	bool is_lambda = has(walk, walk->at, "{"), is_nameless = has(walk, walk->at, "(");
	bool counts = !is_lambda && !is_nameless &&
	              !(walk->after_lambda && has(walk, walk->at, "operator()"));

	walk->component = walk->length;
	walk->after_lambda = is_lambda;
	if (counts) {
		walk->last[1] = walk->last[0];
		walk->last[0] = walk->length;
	}
}

/* What was written so far was the type of the result. */
static void
begin_name(struct walk *walk)
{
	walk->length = walk->base;
	walk->last[0] = walk->last[1] = walk->base;
	walk->after_lambda = false;
	begin_component(walk);
}

/*
 * A path or type: generic arguments are dropped, in the shortest form each path is cut to its last
 * component.
 */
static void
put_path(struct walk *walk, size_t from, size_t to)
{
	const struct names *names = walk->names;
	size_t path = walk->length;

	if (names->form < NAME_NO_TEMPLATES) {
		put(walk, from, to);
		return;
	}
	while (from < to) {
		char c = walk->text[from];
		size_t past = names->past[from];
		bool scope = c == ':' && from + 1 < to && walk->text[from + 1] == ':';

		if (scope && from + 2 < to && walk->text[from + 2] == '<' && walk->length > path)
			from += 2;
		else if (c == '<' && walk->length > path && past > from + 1)
			from = past;
		else if (scope && names->form == NAME_LAST_COMPONENTS && walk->length > path) {
			walk->length = path;
			from += 2;
		} else {
			put(walk, from, from + 1);
			from++;
			if (!is_word(c))
				path = walk->length;
		}
	}
}

/* Behind qualifiers such as " const &", if they are all that follows up to "::" or the end. */
static size_t
skip_qualifiers(const struct walk *walk)
{
	static const char *const words[] = {" const",    " volatile", " restrict",
	                                    " noexcept", " &&",       " &"};
	size_t at = walk->at, i, count = 0;

	/* More of them than there are is no honest name. */
	do {
		for (i = 0; i < sizeof words / sizeof words[0]; i++)
			if (has(walk, at, words[i])) {
				at += strlen(words[i]);
				break;
			}
	} while (i < sizeof words / sizeof words[0] && ++count < sizeof words / sizeof words[0]);
	if (at == walk->end || has(walk, at, "::"))
		return at;
	return has(walk, at, " requires ") ? walk->end : walk->at;
}

static void
read_blank(struct walk *walk)
{
	size_t past = skip_qualifiers(walk);
	size_t group = end_of_group(walk, walk->at + 1);

	if (past > walk->at) {
		walk->at = past;
	} else if (has(walk, walk->at, " <") && group && walk->length > walk->component) {
		/* "operator< <int>" */
		if (walk->names->form < NAME_NO_TEMPLATES)
			put(walk, walk->at, group);
		walk->at = group;
	} else if (has(walk, walk->at, " (") && group && has_written(walk, "decltype")) {
		walk->at = group;
	} else {
		walk->at++;
		begin_name(walk);
	}
}

/* The name in "(*name(parameters))(parameters of what it returns)", or 0. */
static size_t
find_declared(const struct walk *walk, size_t past)
{
	size_t at = walk->at + 1;

	if (past < walk->end && !has(walk, past, "(") && !has(walk, past, "[") &&
	    !has(walk, past, " ["))
		return 0;
	while (at < past - 1 && walk->text[at] != '*' && walk->text[at] != '&') {
		if (!is_word(walk->text[at]) && walk->text[at] != ':' && walk->text[at] != '<')
			return 0;
		at = walk->names->past[at];
	}
	while (at < past - 1 && is_one_of("*& ", walk->text[at]))
		at++;
	return at < past - 1 && at > walk->at + 1 ? at : 0;
}

static void
read_parenthesis(struct walk *walk)
{
	size_t past = end_of_group(walk, walk->at), declared;
	char before = byte_before(walk->text, walk->at);

	if (!past) {
		keep(walk, walk->at + 1);
	} else if (walk->length == walk->component) {
		declared = has(walk, past, "::") ? 0 : find_declared(walk, past);
		if (!declared) {
			keep(walk, past);
			return;
		}
		walk->end = past - 1;
		walk->at = declared;
		begin_name(walk);
	} else if (before == '.') {
		/* Go: the receiver of a method. */
		keep(walk, past);
	} else if (before == '!' && walk->at != walk->operator_end) {
		/* D: arguments of a template. */
		if (walk->names->form < NAME_NO_TEMPLATES)
			keep(walk, past);
		else
			walk->length--;
		walk->at = past;
	} else {
		walk->at = past;
	}
}

static void
read_angle(struct walk *walk)
{
	size_t past = end_of_group(walk, walk->at);

	if (!past)
		keep(walk, walk->at + 1);
	else if (walk->length == walk->component || walk->names->form < NAME_NO_TEMPLATES) {
		/* At the start of a component Rust names a type or a trait so. */
		put_path(walk, walk->at, past);
		walk->at = past;
	} else {
		walk->at = past;
	}
}

static void
read_brace(struct walk *walk)
{
	size_t past = end_of_group(walk, walk->at), inner;

	if (!past) {
		keep(walk, walk->at + 1);
		return;
	}
	if (has(walk, walk->at, "{lambda")) {
		keep(walk, walk->at + 7);
		while ((has(walk, walk->at, "(") || has(walk, walk->at, "<")) &&
		       (inner = end_of_group(walk, walk->at)) != 0 && inner < past)
			walk->at = inner;
	}
	keep(walk, past);
}

static void
read_operator(struct walk *walk)
{
	size_t past = walk->names->past[walk->at], type;

	keep(walk, past);
	walk->operator_end = past;
	if (walk->text[past - 1] != ' ')
		return;
	/* A conversion has no parameters: its type goes on until an empty list of them. */
	for (type = past; type < walk->end; type = walk->names->past[type])
		if (has(walk, type, "()") && !has(walk, type + 2, "("))
			break;
	if (type > walk->end)
		type = walk->end;
	put_path(walk, past, type);
	walk->at = type;
}

static void
read_scope(struct walk *walk)
{
	size_t past = end_of_group(walk, walk->at + 2);

	if (has(walk, walk->at, "::<") && past && walk->length > walk->base &&
	    !has(walk, walk->at, "::<impl ")) {
		/* Rust's generic arguments in an expression. */
		if (walk->names->form < NAME_NO_TEMPLATES)
			put(walk, walk->at, past);
		walk->at = past;
		return;
	}
	keep(walk, walk->at + 2);
	begin_component(walk);
}

static void
read_name(struct walk *walk)
{
	begin_name(walk);
	while (walk->at < walk->end) {
		char c = walk->text[walk->at];
		size_t past = walk->names->past[walk->at];

		if (c == 'o' && past > walk->at + 1 && past <= walk->end)
			read_operator(walk);
		else if (has(walk, walk->at, "::"))
			read_scope(walk);
		else if (c == ' ')
			read_blank(walk);
		else if (c == '(')
			read_parenthesis(walk);
		else if (c == '<')
			read_angle(walk);
		else if (c == '{')
			read_brace(walk);
		else if (c == '@')
			keep(walk, walk->end);
		else
			keep(walk, past <= walk->end ? past : walk->end);
	}
}

/* What is said before the name of what it is about. */
static size_t
length_of_lead(const char *text, size_t length)
{
	static const char *const leads[] = {
		"non-virtual thunk to ",        "virtual thunk to ",
		"covariant return thunk to ",   "transaction clone for ",
		"non-transaction clone for ",   "TLS init function for ",
		"TLS wrapper function for ",    "global constructors keyed to ",
		"global destructors keyed to ",
	};

	for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
		if (goes_on(text, 0, length, leads[i]))
			return strlen(leads[i]);
	return 0;
}

/* Whether " (…)" at the end is a file or a position in one, rather than a part of the name. */
static bool
is_position(const char *text, size_t from, size_t to)
{
	bool has_dot = false;

	for (size_t i = from; i < to; i++) {
		if (text[i] == ',' || text[i] == '<' ||
		    (text[i] == ':' && i + 1 < to && text[i + 1] == ':'))
			return false;
		has_dot = has_dot || text[i] == '.' || text[i] == ':';
	}
	return has_dot;
}

/* Where what stands behind a name begins: " [clone .cold]", " [omp 0]", " (file.c:12) (lib.so)". */
static size_t
begin_of_tail(const char *text, size_t length)
{
	size_t end = length, at;
	/* A position and an object, with nothing behind them. */
	int places = 2;

	for (;; end = at - 1) {
		char closing = byte_before(text, end), opening = brackets_partner(closing);

		if (!is_one_of("])", closing))
			return end;
		for (at = end - 1; at > 0 && text[at] != opening; at--)
			;
		if (at < 2 || text[at - 1] != ' ' ||
		    (opening == '(' && (places-- <= 0 || !is_position(text, at + 1, end - 1))))
			return end;
		if (opening != '(')
			places = 0;
	}
}

/* "module::procedure" of gfortran.  Returns the length of what was written, or 0. */
static size_t
shorten_gfortran(char *to, const char *text, size_t length)
{
	struct fortran_name name = fortran_name(text, length);
	size_t at = name.module_length;

	if (!name.module)
		return 0;
	memcpy(to, name.module, at);
	to[at++] = ':';
	to[at++] = ':';
	memcpy(to + at, name.procedure, name.procedure_length);
	return at + name.procedure_length;
}

/* flang: "_QMmodulePprocedure", and F for a procedure around it; the last two names of it. */
static size_t
shorten_flang(char *to, const char *text, size_t length)
{
	size_t written = 0, last = 0, before_last = 0, at = 2;

	if (!goes_on(text, 0, length, "_Q"))
		return 0;
	while (at < length && text[at] != '.') {
		size_t begin = ++at;

		if (!is_one_of("MSFP", text[at - 1]))
			return 0;
		while (at < length && text[at] != '.' && (text[at] < 'A' || text[at] > 'Z'))
			at++;
		if (at == begin)
			return 0;
		if (written > 0) {
			to[written++] = ':';
			to[written++] = ':';
		}
		before_last = last;
		last = written;
		memcpy(to + written, text + begin, at - begin);
		written += at - begin;
	}
	if (written == 0)
		return 0;
	memmove(to, to + before_last, written - before_last);
	written -= before_last;
	memcpy(to + written, text + at, length - at);
	return written + length - at;
}

static void
make_room(struct names *names, size_t length)
{
	size_t room = 2 * length + 256;

	if (length + 8 <= names->room)
		return;
	names->gx->host->release(names->gx, names->text);
	names->gx->host->release(names->gx, names->past);
	names->gx->host->release(names->gx, names->open);
	names->text = gprofx_alloc(names->gx, 2 * room);
	names->past = gprofx_alloc(names->gx, room * sizeof *names->past);
	names->open = gprofx_alloc(names->gx, room * sizeof *names->open);
	names->room = room;
}

static size_t
shorten(struct names *names, struct gprofx_text name)
{
	size_t tail = begin_of_tail(name.bytes, name.length);
	size_t lead = length_of_lead(name.bytes, tail);
	struct walk walk = {.names = names,
	                    .text = name.bytes,
	                    .at = lead,
	                    .end = tail,
	                    .base = lead};

	memcpy(names->text, name.bytes, lead);
	brackets_pair(names->past, names->open, name.bytes, tail);
	read_name(&walk);
	if (walk.length == lead)
		return 0;
	if (names->form == NAME_LAST_COMPONENTS && walk.last[1] > lead) {
		memmove(names->text + lead, names->text + walk.last[1], walk.length - walk.last[1]);
		walk.length -= walk.last[1] - lead;
	}
	memcpy(names->text + walk.length, name.bytes + tail, name.length - tail);
	return walk.length + name.length - tail;
}

/* Of one name. */
static struct gprofx_text
shorten_one(struct names *names, struct gprofx_text name)
{
	size_t length = 0, plain = 0;

	if (name.length == 0)
		return name;
	while (plain < name.length && !is_one_of(" (<{:!", name.bytes[plain]))
		plain++;
	make_room(names, name.length);
	if (plain < name.length) {
		/* Objective-C has only brackets of its own: "-[Class method:]". */
		if (name.length < 2 || !is_one_of("+-", name.bytes[0]) || name.bytes[1] != '[')
			length = shorten(names, name);
	} else if (names->form == NAME_LAST_COMPONENTS) {
		length = shorten_gfortran(names->text, name.bytes, name.length);
		if (length == 0)
			length = shorten_flang(names->text, name.bytes, name.length);
	}
	return length > 0 ? (struct gprofx_text){names->text, length} : name;
}

/*
 * Of "f (f.h:3 @ 4010) inlined into g (g.c:7) inlined into main (main.c:2)": each name is shortened
 * by itself.  The shortest form names the first, with its place, and the last.
 */
static struct gprofx_text
shorten_chain(struct names *names, struct gprofx_text name, size_t first)
{
	const char *end = name.bytes + name.length;
	size_t length = 0, mark = sizeof inlined - 1;
	struct gprofx_text part = {name.bytes, first};

	if (name.length + 1 > names->joined_room) {
		names->gx->host->release(names->gx, names->joined);
		names->joined_room = 2 * name.length + 1;
		names->joined = gprofx_alloc(names->gx, names->joined_room);
	}
	for (;;) {
		const char *past = part.bytes + part.length;
		bool is_last = past == end, is_whole = names->form != NAME_LAST_COMPONENTS;
		struct gprofx_text text;

		if (is_last && !is_whole)
			part.length = begin_of_tail(part.bytes, part.length);
		text = shorten_one(names, part);
		if (length == 0 || is_last || is_whole) {
			memcpy(names->joined + length, text.bytes, text.length);
			length += text.length;
		}
		if (is_last)
			return (struct gprofx_text){names->joined, length};
		if (part.bytes == name.bytes || is_whole) {
			memcpy(names->joined + length, inlined, mark);
			length += mark;
		}
		part.bytes = past + mark;
		past = memmem(part.bytes, (size_t)(end - part.bytes), inlined, mark);
		part.length = (size_t)((past ? past : end) - part.bytes);
	}
}

struct gprofx_text
names_shorten(struct names *names, struct gprofx_text name)
{
	const char *mark = NULL;

	if (names->form == NAME_FULL || name.length > LONGEST)
		return name;
	mark = memmem(name.bytes, name.length, inlined, sizeof inlined - 1);
	return mark ? shorten_chain(names, name, (size_t)(mark - name.bytes))
	            : shorten_one(names, name);
}

struct gprofx_text
names_without_clones(struct gprofx *gx, struct gprofx_text name)
{
	static const char mark[] = " [clone ";
	const char *at = memmem(name.bytes, name.length, mark, sizeof mark - 1);
	size_t from, to;
	char *text;

	if (!at)
		return name;
	from = to = (size_t)(at - name.bytes);
	while (goes_on(name.bytes, to, name.length, mark)) {
		const char *past = memchr(name.bytes + to, ']', name.length - to);

		if (!past)
			return name;
		to = (size_t)(past + 1 - name.bytes);
	}
	if (to < name.length && !goes_on(name.bytes, to, name.length, " ("))
		return name;
	text = gprofx_alloc(gx, name.length);
	memcpy(text, name.bytes, from);
	memcpy(text + from, name.bytes + to, name.length - to);
	return (struct gprofx_text){text, from + name.length - to};
}
