# SPDX-License-Identifier: Apache-2.0
"""Compares every figure in the data of a page with the JSON report of the same run."""


def near(found, wanted, what):
    """Values are written with nine digits."""
    if wanted is None:
        assert found is None or found == 0, (what, found, wanted)
        return
    assert found is not None and abs(found - wanted) <= 1e-8 * abs(wanted), (what, found, wanted)


def count(found, wanted, what):
    """A number of calls: large ones are texts in the report, and doubles for a script."""
    if wanted is None:
        assert found == -1, (what, found)
    else:
        assert float(found) == float(int(wanted)), (what, found, wanted)


def texts(data, column):
    return [None if i < 0 else data['strings'][i] for i in column]


def compare_functions(data, report):
    functions, rows = data['functions'], report['functions'] + report['cycles']
    ids = functions['id']
    nodes, many = functions['nodes'], functions['count']
    assert ids == sorted(set(ids)) and len(ids) == nodes, ids
    assert len(set(functions['name'])) == nodes, 'names are equal'
    files, objects = texts(data, functions['file']), texts(data, functions['object'])
    for i, number in enumerate(ids):
        row = rows[number]
        assert row['id'] == number and (i < many) == (number < len(report['functions'])), number
        assert functions['name'][i].startswith(row['name']) or '\\x' in functions['name'][i] or not row['name'], row
        assert functions['entry'][i] == (row['index'] or 0), row
        assert bool(functions['kind'][i] & 1) == row['shown'], row
        if i >= many:
            assert functions['cycle'][i] == row['number'], row
            continue
        assert functions['cycle'][i] == (row['cycle'] or 0), row
        assert functions['line'][i] == (row['source_line'] or 0), row
        assert files[i] == row['source_file'] and objects[i] == row['object'], row
        assert bool(functions['kind'][i] & 2) == row['static'] and bool(functions['kind'][i] & (8 | 64)) == row['outside'], row
    return rows


def check_order(values, flat):
    """What the emitter says of rows, so that the page does not look at all of them."""
    own, below = values['whole'] or values['self'], values['below'] or [0] * len(values['self'])
    idle = [i for i, ticks in enumerate(values['self']) if not ticks > 0 and not own[i] + below[i] > 0]
    assert values['idle'] == idle, (values['idle'], idle)
    pairs = [(values['self'][before], values['self'][after]) for before, after in zip(flat, flat[1:])]
    if values['isSorted']:
        assert all(before >= after for before, after in pairs), pairs
    else:
        # Values are rounded.
        assert any(before <= after for before, after in pairs), pairs


def compare_values(data, report, rows):
    has_below = any(row['below_ticks'] is not None for row in rows)
    for m, values in enumerate(data['values']):
        metric = report['metrics'][m]
        assert values['selfOrigin'] == (metric['self_origin'] or 'unknown'), (values['selfOrigin'], metric)
        if has_below:
            assert values['totalOrigin'] == (metric['total_origin'] or 'unknown'), metric
        assert (values['below'] is not None) == has_below or not rows, 'below'
        for i, number in enumerate(data['functions']['id']):
            row = rows[number] if m == 0 else rows[number]['other_metrics'][m - 1]
            near(values['self'][i], row['self_ticks'], row)
            near(values['below'][i] if values['below'] else None, row['below_ticks'], row)
            near(values['whole'][i] if values['whole'] else None, row.get('whole_self_ticks'), row)
        check_order(values, data['flat'])
    for i, number in enumerate(data['functions']['id']):
        calls = rows[number]['calls']
        # Of a function, no calls mean that none was counted.
        if i < data['functions']['count'] and not int(calls or 0) and not int(rows[number]['recursive_calls'] or 0):
            calls = None
        count(data['calls']['calls'][i], calls, rows[number])
        count(data['calls']['recursive'][i], rows[number]['recursive_calls'], rows[number])


def compare_left_out(data, rows):
    """What the page does not have has no data."""
    ids = set(data['functions']['id'])
    for row in rows:
        if row['id'] not in ids:
            assert not row['self_ticks'] and not row['below_ticks'] and not int(row['calls'] or 0), row


def compare_arc(data, arcs, a, arc, report):
    callee = data['functions']['id'][arcs['callee'][a]]
    assert callee == arc.get('callee', callee), arc
    count(arcs['calls'][a], arc['calls'], arc)
    for m, values in enumerate(arcs['values']):
        row = arc if m == 0 else arc['other_metrics'][m - 1]
        near(values['self'][a], row['self_ticks'], arc)
        near(values['below'][a], row['below_ticks'], arc)
    assert len(arcs['values']) == len(report['metrics']), 'metrics'


def check_ranks(data, arcs, places, caller):
    """Those of a function with many are the heaviest first, and then by calls."""
    cycle, first = data['functions']['cycle'], arcs['values'][0]
    ranks = []
    for a in places:
        callee = arcs['callee'][a]
        is_within = not data['measured'] and (callee == caller or 0 < cycle[callee] == cycle[caller])
        ranks.append((-1 if is_within else first['self'][a] + first['below'][a], arcs['calls'][a]))
    for before, after in zip(ranks, ranks[1:]):
        # Values are rounded.
        assert before >= after or abs(before[0] - after[0]) <= 2e-8 * abs(before[0]), (before, after)


def compare_arcs(data, report):
    arcs, ids = data['arcs'], data['functions']['id']
    first = arcs['first']
    assert len(first) == data['functions']['count'] + 1 and first[0] == 0 and first == sorted(first), first
    assert first[-1] == len(report['arcs']) == len(arcs['callee']), len(report['arcs'])
    for i in range(data['functions']['count']):
        wanted = report['arcs'][first[i]:first[i + 1]]
        if len(wanted) >= arcs['ranked']:
            places = {ids[arcs['callee'][a]]: a for a in range(first[i], first[i + 1])}
            wanted.sort(key=lambda arc: places[arc['callee']])
            check_ranks(data, arcs, range(first[i], first[i + 1]), i)
        for a, arc in zip(range(first[i], first[i + 1]), wanted):
            assert arc['caller'] == ids[i], arc
            compare_arc(data, arcs, a, arc, report)
            assert bool(arcs['found'] and arcs['found'][a]) == bool(arc.get('static')), arc
            assert bool(arcs['divided'] and arcs['divided'][a]) == bool(arc.get('divided')), arc
            if arcs['site']:
                sites = range(arcs['site']['first'][a], arcs['site']['first'][a + 1])
                assert [(ids[arcs['site']['node'][s]], arcs['site']['calls'][s]) for s in sites] == \
                    [(s['function'], s['calls']) for s in arc['sites']], arc


def compare_cycles(data, report):
    wanted = {(caller['caller'], cycle['id']): caller for cycle in report['cycles'] for caller in cycle['callers']}
    arcs, ids = data['cycleArcs'], data['functions']['id']
    if not arcs:
        assert not wanted, wanted
        return
    assert len(arcs['callee']) == len(wanted), wanted
    for a, (caller, callee) in enumerate(zip(arcs['caller'], arcs['callee'])):
        compare_arc(data, arcs, a, wanted[ids[caller], ids[callee]], report)


def compare_rows(data, report, rows):
    flat = [data['functions']['id'][i] for i in data['flat']]
    wanted = report['flat_order']
    assert flat[:len(wanted)] == wanted and len(set(flat)) == len(flat), (flat, wanted)
    for number in flat[len(wanted):]:
        assert not rows[number]['self_ticks'] and not int(rows[number]['calls'] or 0), rows[number]


def compare_contexts(data, rows):
    """Self times of contexts add up to those of the functions, and values to those above."""
    contexts = data['contexts']
    if not contexts:
        return
    sums, total = {}, contexts['total']
    room = 1e-5 * total + 1e-6
    rest = list(contexts['below'])
    for i, parent in enumerate(contexts['parent']):
        assert -1 <= parent < i, parent
        node = data['functions']['id'][contexts['node'][i]]
        sums[node] = sums.get(node, 0) + contexts['self'][i]
        if parent >= 0:
            rest[parent] -= contexts['self'][i] + contexts['below'][i]
    assert min(rest) >= -room, min(rest)
    if contexts['bounds'] == 0:
        assert abs(sum(sums.values()) + contexts['cut'] - total) <= room, (sums, contexts['cut'], total)
    for row in rows:
        own = row['selected_self_ticks']
        if own is not None and not contexts['bounds'] and not contexts['cut'] and 'members' not in row:
            assert abs(sums.get(row['id'], 0) - own) <= room, (row, sums.get(row['id']))


def compare(data, report):
    assert data['format'] == 4 and data['generator'] == 'gprofx', data['generator']
    assert len(data['metrics']) == len(report['metrics']) == len(data['values']), 'metrics'
    for found, metric in zip(data['metrics'], report['metrics']):
        if data['timed']:
            assert (found['name'], found['unit']) == (metric['name'], metric['unit']), metric
            assert found['ticks'] == (metric['ticks_per_unit'] or 0), metric
    rows = compare_functions(data, report)
    compare_values(data, report, rows)
    compare_left_out(data, rows)
    compare_arcs(data, report)
    compare_cycles(data, report)
    compare_rows(data, report, rows)
    compare_contexts(data, rows)
