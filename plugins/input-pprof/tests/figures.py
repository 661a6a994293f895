# SPDX-License-Identifier: Apache-2.0
"""Profiles of pprof whose figures are known, against what gprofx reports of them."""
import json
import os
import random
import shutil
import subprocess
import sys

import shownby
from pproffile import Pprof, message, number

GPROFX = os.environ['GPROFX']
HERE = os.path.dirname(os.path.abspath(__file__))
HAS_GO = shutil.which('go') is not None
CPU = (('samples', 'count'), ('cpu', 'nanoseconds'))


def check(what, found, wanted):
    if found != wanted:
        sys.exit('%s: expected %s, found %s' % (what, wanted, found))


def report(path, *words):
    done = subprocess.run([GPROFX, '--no-findings', '--output=json', *words, path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    check('status of %s %s: %s' % (path, words, done.stderr.decode()), done.returncode, 0)
    return json.loads(done.stdout)


def figures(whole, scale=1):
    """By name: what the function itself has, and with what it calls. Names that are in several files are added up."""
    sums = {}
    for row in whole['functions']:
        own, total = sums.get(row['name'], (0, 0))
        sums[row['name']] = (own + scale * row['self_ticks'], total + scale * (row['total_ticks'] or 0))
    return {name: value for name, value in sums.items() if value[1] > 0}


def write(name, bytes):
    with open(name, 'wb') as file:
        file.write(bytes)
    return name


def sums_of(stacks):
    """The same of stacks with their weights."""
    sums = {}
    for stack, weight in stacks:
        names = [name.partition('@')[0] for place in stack for name in ((place,) if isinstance(place, str) else place)]
        for name in set(names):
            own, total = sums.get(name, (0, 0))
            sums[name] = (own + (weight if name == names[0] else 0), total + weight)
    return {name: value for name, value in sums.items() if value[1] > 0}


def random_stacks(seed):
    chance = random.Random(seed)
    names = ['f%d@%s.c:%d' % (i, 'abc'[i % 3], i + 1) for i in range(12)] + ['ns::g<int, (x)>(char const*)', '\u00fcber', 'a b;c']
    places = names + [tuple(chance.sample(names, 3)), tuple(chance.sample(names, 2))]
    return [([chance.choice(places) for _ in range(chance.randint(1, 30))], chance.randint(1, 1000)) for _ in range(300)]


def spellings():
    """The order of fields, numbers of ids and the way that numbers stand are free."""
    for seed in range(3):
        stacks = random_stacks(seed)
        wanted = sums_of(stacks)
        forms = {'usual': {}, 'single': {'packed': False}, 'ids': {'ids': lambda n: 1 << 63 | 7919 * n % 65521}}
        for name, form in forms.items():
            profile = Pprof(*CPU, period=('cpu', 'nanoseconds', 1000), **form)
            for stack, weight in stacks:
                profile.sample(stack, weight, 1000 * weight)
            profile.raw(message(15, b'from the future') + number(99, 5))
            for path, bytes in ((name, profile.bytes()), (name + '-texts-first', profile.bytes(True)), (name + '.gz', profile.gzip())):
                whole = report(write(path, bytes))
                check(path, figures(whole, 10 ** 9 // whole['metrics'][0]['ticks_per_unit']), {key: (1000 * own, 1000 * all) for key, (own, all) in wanted.items()})
                check(path + ', samples', figures(report(path, '--metric=samples')), wanted)
                check(path + ', metrics', [row['name'] for row in whole['metrics']], ['cpu', 'samples'])
            if HAS_GO:
                shown = {key: (own, all) for key, own, all in shownby.pprof_top(name + '.gz')}
                check(name + ', go tool pprof', shown, {key: (1000 * own, 1000 * all) for key, (own, all) in wanted.items()})


def metrics():
    """The type that is shown first, units, and types without names of their own."""
    profile = Pprof(('a', 'count'), ('b', 'milliseconds'), ('b', 'bytes'), ('x' * 80, 'y' * 40), default='a')
    profile.sample(['f', 'main'], 1, 20, 300, 4000).sample(['main'], 5, 0, 0, 1 << 50)
    whole = report(write('types', profile.bytes()))
    rows = [(row['name'], row['unit'], row['ticks_per_unit']) for row in whole['metrics']]
    check('metrics', rows, [('a', 'a', 1), ('b 2', 'seconds', 1000), ('b 3', 'bytes', 1), ('x' * 55 + ' 4', 'y' * 15, 1)])
    for name, wanted in (('a', (5, 6)), ('b 2', (0, 20)), ('b 3', (0, 300)), ('x' * 55 + ' 4', (1 << 50, (1 << 50) + 4000))):
        check('main, ' + name, figures(report('types', '--metric=' + name))['main'], wanted)
    last = report(write('last', Pprof(('a', 'count'), ('b', 'count')).sample(['f'], 3, 4).bytes()))
    check('the last type', (last['metrics'][0]['name'], figures(last)['f']), ('b', (4, 4)))


def samples_as_ticks():
    """Where all samples weigh the same, ticks are samples, as far as so many are a second: only then chance is known."""
    for period, value, ticks in ((10 ** 7, 10 ** 7, 100), (10101010, 10101010, 10 ** 9), (10 ** 7, 10 ** 7 + 1, 10 ** 9), (0, 5, 10 ** 9)):
        profile = Pprof(*CPU, period=('cpu', 'nanoseconds', period)).sample(['f'], 4, 4 * value).sample(['g'], 12, 12 * value)
        whole = report(write('same', profile.bytes()))
        check('ticks of %d' % period, whole['metrics'][0]['ticks_per_unit'], ticks)
        check('times of %d' % period, figures(whole, 10 ** 9 // ticks), {'f': (4 * value, 4 * value), 'g': (12 * value, 12 * value)})
        text = subprocess.run([GPROFX, '--summary', 'same'], stdout=subprocess.PIPE, text=True, check=True).stdout
        check('few samples, %d' % period, 'few samples' in text, ticks == 100)


def objects():
    """Functions of one name in several objects are several. Those of the first mapping are the program's."""
    profile = Pprof(('samples', 'count'))
    places = [profile.mapping(low << 12, (low + 1) << 12, 0, path) for low, path in ((1, '/bin/prog'), (2, '/lib/libc.so.6'), (3, '/lib/liba.so'))]
    read = [profile.location('read', place) for place in places]
    main = profile.location('main', places[0])
    profile.sample([read[0], main], 1).sample([read[1], read[0], main], 2).sample([read[2], main], 4)
    rows = report(write('objects', profile.bytes()))['functions']
    found = {(row['name'], row['object']): (row['self_ticks'], row['total_ticks']) for row in rows}
    check('objects', found, {('main', None): (0, 7), ('read', None): (1, 3), ('read (libc.so.6)', 'libc.so.6'): (2, 2), ('read (liba.so)', 'liba.so'): (4, 4)})


def labels():
    """The values of a label are the outermost frames, as with -tagroot of pprof, which has no keys in their names."""
    chance = random.Random(3)
    values = [('user', name) for name in ('ann', 'bob', '\u00fc', 'a;b c')] + [('job', number) for number in (1, -5, 1 << 40)]
    profile, wanted = Pprof(*CPU, period=('cpu', 'nanoseconds', 10)), {}
    for stack, weight in random_stacks(4):
        some = chance.sample(values, chance.choice((0, 1, 1, 2, 3))) + [('size', 4096, 'bytes'), ('user', '')]
        profile.sample(stack, weight, 10 * weight, labels=some)
        for key in ('user', 'job', 'size'):
            found = [str(value) + (' ' + unit[0] if unit else '') for name, value, *unit in some if name == key and value != '']
            wanted.setdefault(key, []).append(([*stack, key + '=' + ','.join(found) if found else '[no %s]' % key], weight))
    write('labels', profile.bytes())
    write('labels.gz', profile.gzip())
    for key, stacks in wanted.items():
        whole = report('labels', '--metric=samples', '--set=input-pprof.label=' + key)
        check('label ' + key, figures(whole), sums_of(stacks))
        if HAS_GO and key != 'size':
            shown = {name: all for name, own, all in shownby.pprof_top('labels.gz', '-tagroot=' + key, '-sample_index=samples')}
            mine = {name.replace(key + '=', '').replace('[no %s]' % key, '<unknown>'): all for name, (_, all) in figures(whole).items()}
            check('label %s, go tool pprof' % key, shown, mine)
    plain = report('labels', '--metric=samples')
    check('without it', figures(plain), sums_of(random_stacks(4)))


def go():
    """What Go wrote; the figures are those that "go tool pprof" shows."""
    cpu = os.path.join(HERE, 'go', 'cpu.pb.gz')
    found = figures(report(cpu), 10 ** 7)
    wanted = {'main.spin': (33, 33), 'main.alpha': (0, 18), 'main.inl': (0, 18), 'main.main': (0, 33), 'main.main.func1': (0, 18),
              'main.rec': (0, 15), 'runtime.main': (0, 33), 'runtime/pprof.Do': (0, 18)}
    check('cpu', found, {name: (own * 10 ** 7, all * 10 ** 7) for name, (own, all) in wanted.items()})
    heap = figures(report(os.path.join(HERE, 'go', 'heap.pb.gz'), '--metric=alloc_space'))
    check('heap', [heap[name] for name in ('compress/flate.NewWriter', 'main.main', 'runtime.malg')],
          [(663552, 802816), (10984, 1059936), (416, 416)])
    check('all of it', sum(own for own, _ in heap.values()), 1863344)


def round_trip():
    """What gprofx writes is what it reads."""
    with open('stacks', 'w') as file:
        for stack, weight in random_stacks(7):
            names = [name.partition('@')[0] for place in stack for name in ((place,) if isinstance(place, str) else place)]
            file.write('%s %d\n' % (';'.join(reversed([name.replace(';', ':') for name in names])), weight))
    once = report('stacks')
    subprocess.run([GPROFX, '--output=pprof:stacks.pb.gz', 'stacks'], check=True)
    check('there and back', figures(report('stacks.pb.gz')), figures(once))
    subprocess.run([GPROFX, '--output=folded:again', 'stacks.pb.gz'], check=True)
    check('folded again', figures(report('again')), figures(once))


for part in (spellings, metrics, samples_as_ticks, objects, labels, go, round_trip):
    part()
