/* SPDX-License-Identifier: Apache-2.0 */
#include "distribution.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "engine.h"
#include "job.h"
#include "listing.h"
#include "team.h"
#include "tree.h"
#include "voice.h"
#include "wire.h"

/* What the first process of a group knows of its list. */
struct facts {
	uint64_t leads, ok;
	uint64_t files;
	uint64_t inode, bytes, modified; /* of the first file; modified: in ns */
	char host[JOB_HOST_ROOM];
};

static void
look_at_first(struct facts *facts, const struct name_list *list)
{
	struct stat status;

	if (list->count == 0 || stat(list->bytes, &status) != 0)
		return;
	facts->inode = status.st_ino;
	facts->bytes = (uint64_t)status.st_size;
	facts->modified = (uint64_t)status.st_mtim.tv_sec * 1000000000 +
	                  (uint64_t)status.st_mtim.tv_nsec;
}

static bool
is_same_file(const struct facts *one, const struct facts *other)
{
	return one->files > 0 && other->files > 0 && one->inode != 0 &&
	       one->inode == other->inode && one->bytes == other->bytes &&
	       one->modified == other->modified;
}

/* Whether two nodes list the same file: then each would be read twice. */
static bool
check_shared(struct share *share, const struct facts *facts)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.shared-folder",
		.hint = "leave out --node-local: it is for folders that each node has for itself",
	};

	for (int i = 0; i < share->job.size; i++)
		for (int k = i + 1; facts[i].leads && k < share->job.size; k++)
			if (facts[k].leads && is_same_file(&facts[i], &facts[k])) {
				voice_fail(&share->voice, &diagnostic,
				           "%s and %s have the same files: the folder is shared",
				           facts[i].host, facts[k].host);
				return false;
			}
	return true;
}

static void
warn_empty_nodes(struct share *share, const struct facts *facts)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.node-without-files",
		.hint = "check where the processes there wrote their profiles",
	};
	const char *first = NULL;
	int count = 0;

	for (int i = 0; i < share->job.size; i++)
		if (facts[i].leads && facts[i].files == 0) {
			first = first ? first : facts[i].host;
			count++;
		}
	if (count > 0)
		voice_warn(&share->voice, &diagnostic, "%d node%s no profiles, first of all %s",
		           count, count == 1 ? " has" : "s have", first);
}

/* Decides on process 0 whether the job goes on.  Returns the number of all files; 0: it does not.
 */
static uint64_t
judge(struct share *share, const struct facts *facts)
{
	const struct gprofx_diagnostic empty = {
		.id = "mpi.no-files",
		.hint = "check the paths; with --node-local each node lists what lies there",
	};
	uint64_t files = 0;
	bool ok = true;

	for (int i = 0; i < share->job.size; i++) {
		ok = ok && facts[i].ok;
		files += facts[i].files;
	}
	share->lacks_operands = !ok;
	if (!ok && (!share->keeps_going || files == 0))
		return 0;
	if (files == 0 || files > UINT32_MAX) {
		voice_fail(&share->voice, &empty,
		           files == 0 ? "there are no profiles" : "there are too many profiles");
		return 0;
	}
	if (!share->job.node_local)
		return files;
	if (!check_shared(share, facts))
		return 0;
	warn_empty_nodes(share, facts);
	return files;
}

/* A process that does not list its files may hang for ever, as on a disk that is gone. */
static void
lose(struct share *share, int number)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.no-answer",
		.hint = "look at the folder on the node of that process",
	};

	voice_fail(&share->voice, &diagnostic,
	           "process %d has not listed its files for %lld s: nothing can be read", number,
	           (long long)(share->team.timeout / 1000));
	job_abort(1);
}

/* Gets the facts of all processes, those of process 0 in front. */
static void
gather_facts(struct share *share, const struct facts *own, struct facts *all)
{
	int size = share->job.size, left = size - 1;
	MPI_Request *requests = job_alloc((size_t)size * sizeof(MPI_Request));
	struct wire_pause pause = {0};
	int64_t begin = team_now();

	all[0] = *own;
	for (int i = 1; i < size; i++)
		MPI_Irecv(&all[i], (int)sizeof *all, MPI_BYTE, i, WIRE_FACTS, share->job.world,
		          &requests[i]);
	for (int i = 1; left > 0; i = i + 1 < size ? i + 1 : 1) {
		int is_there = 0;

		if (requests[i] != MPI_REQUEST_NULL) {
			MPI_Test(&requests[i], &is_there, MPI_STATUS_IGNORE);
			left -= is_there;
		}
		if (!is_there && requests[i] != MPI_REQUEST_NULL && share->team.timeout > 0 &&
		    team_now() - begin > share->team.timeout)
			lose(share, i);
		if (i + 1 == size && left > 0)
			wire_sleep(&pause);
	}
	free(requests);
}

/* Makes the lists of all groups.  all: on process 0, the facts of every process. */
static bool
make_lists(struct share *share, const struct engine_frontend *frontend, struct facts *all)
{
	struct facts facts = {.ok = 1, .leads = job_leads(&share->job)};
	uint64_t total = 0;

	memcpy(facts.host, share->job.host, sizeof facts.host);
	if (facts.leads) {
		facts.ok = listing_make(&share->list, &share->settings, frontend,
		                        share->job.node_local);
		facts.files = share->list.count;
		/* What cannot be listed is left out, as a file would be. */
		if (share->keeps_going)
			share->voice.has_failed = false;
		look_at_first(&facts, &share->list);
	}
	share->group_files = share->list.count;
	if (share->job.rank > 0)
		MPI_Send(&facts, (int)sizeof facts, MPI_BYTE, 0, WIRE_FACTS, share->job.world);
	else
		gather_facts(share, &facts, all);
	if (share->job.rank == 0)
		total = judge(share, all);
	MPI_Bcast(&total, 1, MPI_UINT64_T, 0, share->job.world);
	share->team.total = total;
	return total > 0;
}

static bool
wait_for_ever(void *opaque)
{
	(void)opaque;
	return true;
}

/* Nobody can go on without what was sent. */
static void
give_up(struct share *share)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.bad-message",
		.hint = "run the same gprofx-mpi on all nodes; if it is, try again",
	};

	voice_fail(&share->voice, &diagnostic,
	           "expected a message of this version of the program, found another one");
	job_abort(1);
}

/* Waits for a head. */
static void
await_head(struct share *share, MPI_Comm world, int from, enum wire_tag tag, struct wire_head *head)
{
	wire_await(&share->team.outbox, world, from, tag);
	if (!wire_take_head(world, from, tag, head))
		give_up(share);
}

/* Whether there is a name for each file, and nothing else. */
static bool
is_list(const struct name_list *list, const struct wire_head *head)
{
	uint64_t names = 0;

	for (size_t i = 0; i < list->used; i++)
		names += list->bytes[i] == '\0';
	return names == head->done && (names == 0 || list->bytes[list->used - 1] == '\0') &&
	       bytes_checksum(list->bytes, list->used) == head->sum;
}

/* Gets the names for this process and those behind it in the group. */
static void
receive_list(struct share *share, int from)
{
	struct name_list *list = &share->list;
	struct tree_place place;
	struct wire_head head;

	await_head(share, share->job.group, from, WIRE_LIST, &head);
	list->bytes = job_alloc((size_t)head.length);
	list->used = list->room = (size_t)head.length;
	list->count = head.done;
	(void)wire_take_bytes(share->job.group, from, WIRE_LIST, list->bytes, head.length,
	                      wait_for_ever, NULL);
	share->group_files = head.files;
	tree_find(&place, share->job.group_rank, share->job.group_size);
	if (!is_list(list, &head) ||
	    head.done != tree_first_item(head.files, place.past, share->job.group_size) -
	                         tree_first_item(head.files, share->job.group_rank,
	                                         share->job.group_size))
		give_up(share);
}

/* A child of the process in the tree of the group gets its part of the names. */
static void
send_list(struct share *share, const char *const *names, uint64_t begin, uint64_t end, int to)
{
	struct wire_head head;
	const char *from = end > begin ? names[begin] : NULL;

	wire_set_head(&head, WIRE_IS_LIST);
	head.files = share->group_files;
	head.done = end - begin;
	head.length = from ? (uint64_t)(names[end - 1] + strlen(names[end - 1]) + 1 - from) : 0;
	head.sum = bytes_checksum(from, head.length);
	wire_send_head(&share->team.outbox, share->job.group, to, WIRE_LIST, &head);
	wire_send_bytes(&share->team.outbox, share->job.group, to, WIRE_LIST, from, head.length);
}

/* Without groups the trees are the same, so it is known what is missing without a child. */
static void
note_files(struct share *share, int number, const char *const *names, uint64_t begin, uint64_t end)
{
	struct child *child = &share->team.children[number];

	if (share->job.node_local)
		return;
	child->knows_files = true;
	child->files = end - begin;
	child->first_file = end > begin ? job_copy(names[begin]) : NULL;
}

static void
divide_list(struct share *share)
{
	int rank = share->job.group_rank, size = share->job.group_size;
	struct tree_place place;
	uint64_t first;

	tree_find(&place, rank, size);
	if (rank > 0)
		receive_list(share, place.parent);
	share->names = name_list_pointers(&share->list);
	first = share->first = tree_first_item(share->group_files, rank, size);
	for (int i = 0; i < place.child_count; i++) {
		uint64_t begin = tree_first_item(share->group_files, place.child[i], size) - first;
		uint64_t end = tree_first_item(share->group_files, place.child[i + 1], size) -
		               first;

		send_list(share, share->names, begin, end, place.child[i]);
		note_files(share, i, share->names, begin, end);
	}
	share->name_count = (uint32_t)(tree_first_item(share->group_files, rank + 1, size) - first);
	share->team.files = share->name_count;
	share->team.first_file = share->name_count > 0 ? share->names[0] : NULL;
}

/* The first process of a group makes a base of the group's files, for process 0. */
static void
answer_for_base(struct share *share)
{
	struct wire_head head;

	await_head(share, share->job.world, 0, WIRE_ASK, &head);
	wire_set_head(&head, WIRE_IS_BASE);
	if (!share_make_base(share))
		head.status = WIRE_FAILED;
	head.length = share->base.count;
	wire_send_head(&share->team.outbox, share->job.world, 0, WIRE_ANSWER, &head);
	wire_send_bytes(&share->team.outbox, share->job.world, 0, WIRE_ANSWER, share->base.items,
	                share->base.count);
	team_flush(&share->team);
	share_free_bytes(&share->base);
}

static void
receive_base(struct share *share, int from, enum wire_tag tag, const struct wire_head *head)
{
	share->base.items = job_alloc((size_t)head->length);
	share->base.count = share->base.room = (size_t)head->length;
	(void)wire_take_bytes(share->job.world, from, tag, share->base.items, head->length,
	                      wait_for_ever, NULL);
}

/* Asks the groups one after the other until one has a file that can be read. */
static bool
find_base(struct share *share, const struct facts *all)
{
	struct wire_head head;

	if (!share_make_base(share))
		return false;
	for (int i = 1; i < share->job.size && share->base.count == 0; i++) {
		if (!all[i].leads || all[i].files == 0)
			continue;
		wire_set_head(&head, WIRE_IS_ASKED);
		wire_send_head(&share->team.outbox, share->job.world, i, WIRE_ASK, &head);
		await_head(share, share->job.world, i, WIRE_ANSWER, &head);
		receive_base(share, i, WIRE_ANSWER, &head);
		if (head.status == WIRE_FAILED)
			return false;
	}
	return true;
}

/* Gets the base from the parent, and answers process 0, which may ask for one before. */
static bool
await_base(struct share *share)
{
	struct wire_pause pause = {0};
	struct wire_head head;
	int parent = share->team.place.parent;

	while (!wire_has_message(share->job.world, parent, WIRE_DOWN)) {
		if (wire_has_message(share->job.world, 0, WIRE_ASK))
			answer_for_base(share);
		(void)wire_is_sent(&share->team.outbox);
		wire_sleep(&pause);
	}
	await_head(share, share->job.world, parent, WIRE_DOWN, &head);
	receive_base(share, parent, WIRE_DOWN, &head);
	return head.status != WIRE_FAILED;
}

static bool
spread_base(struct share *share, const struct facts *all)
{
	bool ok = share->job.rank == 0 ? find_base(share, all) : await_base(share);
	struct wire_head head;

	wire_set_head(&head, WIRE_IS_BASE);
	head.status = ok ? WIRE_WENT_WELL : WIRE_FAILED;
	head.length = share->base.count;
	for (int i = 0; i < share->team.place.child_count; i++) {
		int to = share->team.children[i].rank;

		wire_send_head(&share->team.outbox, share->job.world, to, WIRE_DOWN, &head);
		wire_send_bytes(&share->team.outbox, share->job.world, to, WIRE_DOWN,
		                share->base.items, share->base.count);
	}
	return ok;
}

static void
diagnose(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
         const char *message, const char *doing)
{
	struct share *share = opaque;

	voice_diagnose(&share->voice, severity, diagnostic, message, doing);
}

bool
distribution_make(struct share *share)
{
	const struct engine_frontend frontend = {.opaque = share, .diagnose = diagnose};
	/* What others would get is not used. */
	int places = share->job.rank == 0 ? share->job.size : 1;
	struct facts *all = job_alloc((size_t)places * sizeof *all);
	bool ok = make_lists(share, &frontend, all);

	if (ok)
		divide_list(share);
	/* One process alone reads its files as gprofx does. */
	if (ok && share->job.size > 1)
		ok = spread_base(share, all);
	free(all);
	return ok;
}
