# SPDX-License-Identifier: Apache-2.0
"""Checks the text of a page, which is there without its script, against its data."""
import re

SENTENCES, ROWS, OPEN = 5, 50, 3
COUNT = re.compile(r'([0-9.]+)( [kMGTPE])?$')


def share_of(text):
    """Percent, and how far off it can be."""
    text = text.lstrip('~').replace(' %', '')
    if text[0] in '<>':
        return {'<0.1': (0.025, 0.026), '>99': (99.75, 0.26)}[text]
    return float(text), 0.051 if '.' in text else 0.51


def count_of(text):
    number, unit = COUNT.match(text).groups()
    scale = 1000 ** ' kMGTPE'.index(unit[1]) if unit else 1
    return float(number) * scale, scale * 0.51 * 10 ** -len(number.partition('.')[2])


def inclusive(data, node):
    """Ticks with those below; None: not known."""
    values = data['values'][0]
    if values['below'] is None or data['functions']['kind'][node] & (8 | 32):
        return None
    if data['functions']['cycle'][node] and not data['measured']:
        return None
    return (values['whole'] or values['self'])[node] + values['below'][node]


def check_row(cells, heading, data, node):
    row = dict(zip(heading, cells))
    values = data['values'][0]
    name = row.get('function') or row['line']
    whole = data['functions']['name'][node]
    assert name == whole or len(whole) > 60, (name, node)
    if 'share' in row:
        share, room = share_of(row['share'])
        assert abs(share - 100 * values['self'][node] / values['total']) <= room, (row, values['self'][node])
    if 'total' in row:
        total = inclusive(data, node)
        assert (row['total'] == '—') == (total is None), row
        if total is not None:
            share, room = share_of(row['total'])
            assert abs(share - 100 * total / values['total']) <= room, (row, total)
            is_guess = values['totalOrigin'] == 'estimated' and values['below'][node] > 0
            assert row['total'].startswith('~') == is_guess, row
    if 'calls' in row:
        found = [max(0, data['calls'][key][node]) for key in ('calls', 'recursive')]
        assert (row['calls'] == '—') == (found == [0, 0]), (row, found)
    if 'calls' in row and row['calls'] != '—':
        for text, found in zip(row['calls'].split('+'), (data['calls']['calls'][node], data['calls']['recursive'][node])):
            calls, room = count_of(text)
            assert abs(calls - max(found, 0)) <= room + found * 1e-15, (row, found)


def check_links(page, data):
    ids = {attrs['id'] for _, attrs in page.elements if 'id' in attrs}
    for tag, attrs in page.elements:
        if tag == 'a' and attrs['href'].startswith('#f='):
            assert 0 <= int(attrs['href'][3:]) < data['functions']['nodes'], attrs
        elif tag == 'a':
            assert attrs['href'][1:] in ids, attrs


def check_table(page, data):
    """The table of functions has the first rows, and says what the others come to."""
    heading, *rows = page.rows
    if rows and len(rows[-1]) == 1:
        more = int(rows.pop()[0].split()[0])
        assert more == len(data['flat']) - ROWS, more
        if 'share' in heading:
            values = data['values'][0]
            share, room = share_of(page.rows[-1][0].split(' with ')[1].replace(' of the time', ''))
            rest = sum(values['self'][node] for node in data['flat'][ROWS:])
            assert abs(share - 100 * rest / values['total']) <= room, (share, rest)
    assert len(rows) == min(len(data['flat']), ROWS), rows
    for cells, node in zip(rows, data['flat']):
        check_row(cells, heading, data, node)
    timed = data['timed'] and data['values'][0]['total'] > 0
    assert ('share' in heading) == timed, heading
    return timed


def check(page, data, report):
    check_links(page, data)
    timed = check_table(page, data)
    own = (data['values'][0]['whole'] or data['values'][0]['self']) if timed else None
    wanted = [node for node in data['flat'] if (not timed or own[node] > 0) and not data['functions']['kind'][node] & 32]
    if data['byLine'] and timed:
        wanted.sort(key=lambda node: -own[node])
    wanted = wanted[:SENTENCES]
    sentences = page.items.get('heaviest', [])
    # Inlined subroutines of functions without a sentence are behind the sentences.
    assert all(sentence.startswith('inlined in ') for sentence in sentences[len(wanted):]), sentences
    assert len(sentences) >= len(wanted), sentences
    for sentence, node in zip(sentences, wanted):
        name = data['functions']['name'][node]
        assert sentence.startswith(name + ': ') or len(name) > 60, sentence
    assert len(page.items.get('findings', [])) == len(report['findings']), page.items.get('findings')
    for item, finding in zip(page.items.get('findings', []), report['findings']):
        for key in ('id', 'summary', 'evidence', 'advice'):
            assert finding[key] in item, (key, item)
    is_open = ['open' in attrs for tag, attrs in page.elements if tag == 'details']
    assert is_open == [i < OPEN for i in range(len(is_open))], is_open
    account = report.get('account')
    if account:
        parts = [key for key in ('shown', 'profiling', 'outside', 'excluded', 'beyond') if account[key]['samples'] > 0]
        found = [attrs for tag, attrs in page.elements if tag == 'li' and 'data-share' in attrs]
        shares = [(f'part {key}', 100 * account[key]['ticks'] / account['ticks']) for key in parts]
        cpu, lost = account['cpu_seconds'], account['unsampled_seconds']
        if cpu and lost and 0 < lost < cpu:
            shares.append(('part note unsampled', 100 * lost / (cpu - lost)))
        assert [attrs['class'] for attrs in found] == [kind for kind, _ in shares], found
        for attrs, (_, share) in zip(found, shares):
            assert abs(float(attrs['data-share']) - share) <= 1e-3, (attrs, share)
