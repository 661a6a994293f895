# SPDX-License-Identifier: Apache-2.0
"""Holds a report, or a comparison, in JSON against its schema, and its parts against each other.

    check_report.py SCHEMA REPORT...

The schema leaves room for members to come. Here, each object may have only members that the schema
describes, so that none is forgotten in it; and everything in the schema has a description.
"""
import base64
import json
import math
import re
import sys

import jsonschema


def subschemas(schema):
    """The schema and all schemas inside it."""
    yield schema
    for key in ('properties', '$defs'):
        for inner in schema.get(key, {}).values():
            yield from subschemas(inner)
    for inner in schema.get('oneOf', []) + [schema[k] for k in ('items',) if k in schema]:
        yield from subschemas(inner)


def strict(schema):
    for inner in subschemas(schema):
        assert 'description' in inner or '$ref' in inner, 'no description: %s' % inner
        if 'properties' in inner:
            for name, member in inner['properties'].items():
                assert member.get('description'), 'no description: %s' % name
            inner['additionalProperties'] = False
    return schema


def refuse(word):
    raise ValueError('%s is not JSON' % word)


def check_bytes(row):
    """The exact bytes are there only if need be, and show as the text does."""
    for key in [k for k in row if k.endswith('_bytes')]:
        exact = base64.b64decode(row[key], validate=True)
        try:
            exact.decode()
        except UnicodeDecodeError:
            assert row[key[:-6]] == exact.decode(errors='backslashreplace'), row
            continue
        raise AssertionError('%s is needless: %s' % (key, row))


def check_parts(report):
    functions, cycles, arcs = report['functions'], report['cycles'], report['arcs']
    nodes = functions + cycles
    totals = report['totals']
    assert [len(functions), len(cycles), len(arcs)] == [
        totals[k] for k in ('functions', 'cycles', 'arcs')]
    assert [row['id'] for row in nodes] == list(range(len(nodes)))
    assert [row['id'] for row in arcs] == list(range(len(arcs)))
    for cycle in cycles:
        members = [f['id'] for f in functions if f['cycle'] == cycle['number']]
        assert sorted(cycle['members']) == members and len(members) > 1, cycle
    for arc in arcs:
        assert max(arc['caller'], arc['callee']) < len(functions), arc
    for entry in report['call_graph']:
        if entry['node'] < len(functions):
            assert all(arcs[a]['callee'] == entry['node'] for a in entry['callers']), entry
            assert all(arcs[a]['caller'] == entry['node'] for a in entry['callees']), entry
    indexes = [nodes[e['node']]['index'] for e in report['call_graph']]
    assert indexes == sorted(indexes)
    if report['profile']['has_arcs']:
        numbers = [n['index'] for n in nodes if n['index'] or not n.get('outside')]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
    else:
        assert not arcs and not cycles and not report['call_graph']
    for order, limit in (('flat_order', len(functions)), ('index_order', len(nodes))):
        assert len(set(report[order])) == len(report[order])
        assert all(node < limit for node in report[order])
    selves = [functions[n]['self_ticks'] or 0 for n in report['flat_order']]
    assert selves == sorted(selves, reverse=True)
    rate = report['profile']['rate']
    for row in nodes + arcs:
        check_bytes(row)
        if 'total_ticks' in row and row['total_ticks'] is not None:
            own = row.get('whole_self_ticks', row['self_ticks'])
            assert row['total_ticks'] == own + row['below_ticks'], row
        if rate and report['profile']['dimension'] == 'seconds':
            for key in [k for k in row if k.endswith('_seconds')]:
                ticks = row[key.replace('_seconds', '_ticks')]
                assert row[key] == (None if ticks is None else ticks / rate), row


def check_comparison(report):
    summary, rows = report['summary'], report['functions']
    assert report['total']['functions'] == len(rows)
    counts = dict.fromkeys(('less', 'more', 'none', 'untested', 'only_base', 'only_new', 'total_less', 'total_more'), 0)
    for row in rows:
        own, total = row['self']['verdict'], row['total']['verdict']
        kind = own
        if row['match'].startswith('only') and {own, total} & {'less', 'more'}:
            kind = row['match'].replace('-', '_')
        elif own not in ('less', 'more') and total in ('less', 'more'):
            kind = 'total_' + total
        counts[kind] += 1
    assert {kind: summary[kind] for kind in counts} == counts, (summary, counts)
    ranks = [{'less': 0, 'more': 0, 'untested': 1, 'none': 2}[row['self']['verdict']] for row in rows]
    assert ranks == sorted(ranks), 'rows without a verdict come before others'
    for side in ('base', 'new'):
        parts = [value for key, value in report[side].items() if key.startswith(('matched', 'unmatched'))]
        whole = report['total']['self'][side]
        assert math.isclose(sum(parts), whole), side
        # Of the base each function is multiplied for its own calls.
        if summary['normalization'] != 'calls':
            assert math.isclose(sum(row['self'][side] for row in rows), whole), side
    for row in rows:
        check_bytes(row)
        for value in (row['self'], row['total']):
            check_difference(value)


def check_difference(value):
    if value['difference'] is None:
        assert value['verdict'] == 'untested' and value['base'] is None or value['new'] is None, value
        return
    assert math.isclose(value['difference'], value['new'] - value['base'], abs_tol=1e-9), value
    assert value['ratio'] is None if value['base'] == 0 else math.isclose(value['ratio'], value['new'] / value['base']), value
    if value['verdict'] == 'untested':
        assert value['p'] is None, value
        return
    assert 0 <= value['p'] <= 1 and value['standard_error'] >= 0, value
    assert value['low'] <= value['difference'] <= value['high'], value
    assert {'less': value['difference'] < 0, 'more': value['difference'] > 0}.get(value['verdict'], True), value


def main(schema_file, *report_files):
    with open(schema_file, encoding='utf-8') as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(strict(schema))
    for name in report_files:
        with open(name, 'rb') as file:
            data = file.read()
        text = data.decode()
        control = re.search('[\0-\x09\x0b-\x1f\x7f-\x9f]', text)
        assert control is None, '%s: %r at %d' % (name, control.group(), control.start())
        report = json.loads(text, parse_constant=refuse)
        error = jsonschema.exceptions.best_match(validator.iter_errors(report))
        assert error is None, '%s: %s' % (name, error)
        if report['format']['name'] == 'gprofx-comparison':
            check_comparison(report)
        else:
            check_parts(report)


if __name__ == '__main__':
    main(*sys.argv[1:])
