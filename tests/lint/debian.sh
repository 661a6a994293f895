#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# debian/ agrees with what it is about: it has the packages that cmake/Components.cmake names and no others, builds
# with what scripts/setup installs, and has the version of the project; the metapackage knows every plugin. The
# packages are distinct, and doc/packages.md has them all. Takes a tenth of a second.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'debian/ is not right'
import os, re, sys

root = os.environ['GPROFX_SOURCE']
def text(*path):
    return open(os.path.join(root, *path), encoding='utf-8').read()

wrong = []
def check(holds, *words):
    if not holds:
        wrong.append(' '.join(map(str, words)))

def paragraph(lines):
    fields = {}
    for line in lines.split('\n'):
        if line[:1] in ' \t':
            fields[name] += '\n' + line
        else:
            name, _, value = line.partition(':')
            fields[name] = value.strip()
    return fields

def names(relations):
    return re.findall(r'(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]*)', relations or '')

control = re.sub(r'^#.*\n', '', text('debian/control'), flags=re.M).strip()
source, *binary = map(paragraph, re.split(r'\n\n+', control))
binary = {p['Package']: p for p in binary}

# Packages and components.
package_of, opened = {}, set()
for line in open(os.path.join(os.environ['GPROFX_BUILD'], 'components.txt'), encoding='utf-8'):
    word, component, value = line.split()
    if word == 'component':
        package_of[component] = value
    elif word == 'opened':
        opened.add(component)
check(len(package_of) > 30, 'components.txt has hardly any component')
plugins = [p for p in os.listdir(os.path.join(root, 'plugins'))
           if os.path.exists(os.path.join(root, 'plugins', p, 'plugin.yaml'))]
for component, package in package_of.items():
    check(package in binary, component, 'needs a library of its own, and debian/control has no package', package)
left_out = {'gprofx-' + p for p in plugins if 'plugin-' + p not in package_of}
# Each MPI is optional.
left_out |= {'gprofx-' + c for c in ('mpi-openmpi', 'mpi-mpich') if c not in package_of}
for package in binary:
    check(package == 'gprofx' or package in package_of.values() or package in left_out,
          'debian/control has', package, 'which no component goes into')
for component in opened:
    check('${gprofx:Opened}' in binary[package_of[component]]['Depends'], package_of[component],
          'does not depend on a library that it opens')
own = [p for p in binary if p.removeprefix('gprofx-') in plugins]
for package in own + ['gprofx-plugins']:
    check('gprofx-core (= ${binary:Version}) | libgprofx1 (= ${binary:Version})' in binary[package]['Depends'],
          package, 'does not depend on what loads it, of its own version')

# The metapackage.
related = {field: names(binary['gprofx'].get(field)) for field in ('Depends', 'Recommends', 'Suggests')}
for package in own:
    check(sum(package in r for r in related.values()) == 1, 'gprofx does not depend on, recommend or suggest', package)
for package in ('gprofx-core', 'gprofx-plugins', 'gprofx-symbols-elf', 'gprofx-symbols-dwarf', 'gprofx-config-yaml'):
    check(package in related['Depends'], 'gprofx does not depend on', package)
for package, fields in binary.items():
    for field in ('Depends', 'Recommends', 'Suggests'):
        for name in names(fields.get(field)):
            check(not re.match('(lib)?gprofx', name) or name in binary, package, 'names', name, 'which is no package')

# What a reader of a list of packages sees.
short = {}
for package, fields in binary.items():
    first, *rest = fields['Description'].split('\n')
    check(0 < len(first) <= 80 and all(len(line) <= 81 for line in rest), package, 'has a long line')
    check(first not in short, package, 'and', short.get(first), 'have the same short description')
    short[first] = package
    check('Multi-Arch' in fields, package, 'has no field Multi-Arch')
    check(f'\n| `{package}` |' in text('doc/packages.md'), 'doc/packages.md has no', package)

# What it is built with, and which version it is.
setup = '\n'.join(re.findall(r'\n(?:build|mpi)_packages=\(\n(.*?)\n\)', text('scripts/setup'), re.S))
setup = set(re.sub('#.*', '', setup).split()) - {'gcc', 'libc6-dev'}
needed = set(names(source['Build-Depends'])) - {'debhelper-compat'}
check(setup == needed, 'scripts/setup and Build-Depends differ:', *sorted(setup ^ needed))
version = re.search(r'^project\(gprofx VERSION (\S+)', text('CMakeLists.txt'), re.M).group(1)
change = text('debian/changelog')
check(change.startswith(f'gprofx ({version}) '), 'debian/changelog has another version than', version)

# Nobody is invented, and nobody is left in by mistake.
for who in source['Maintainer'], re.search('^ -- (.*>)', change, re.M).group(1):
    check(who.endswith('@gprofx.invalid>'), who, 'is not the placeholder of a maintainer')
print('\n'.join(wrong))
sys.exit(bool(wrong))
PROGRAM
