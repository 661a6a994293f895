#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Nothing of the data runs, or is loaded, wherever it is: names, paths, units, words of the command, findings and
# lines of source with markup, quotes, control characters, marks of direction and bytes that are not UTF-8.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

mkdir 'at<' 'at</script>' 'at<b>'
cat >make.py <<'END'
from profiled import Program

EVIL = '</script><img src=x onerror=alert(1)><!--"\'&\x1b[31m\xe2\x80\xae\xe2\x80\xa8\xff\\ '
names = ['main' + EVIL, 'work' + EVIL, '~work' + EVIL, EVIL, 'x' * 5000, '</script>' * 500]
program = Program(names)
source = '</script><img src=x>\u202e.c'
program.lines({names[0]: [(0, 2, source)], names[1]: [(0, 5, source)]}, source, '/at<b>')
open('at</script>program', 'wb').write(program.bytes())
samples = {name.lstrip('~'): 3 for name in names}
for path, unit in (('at</script>one', b'</script><u>'), ('at</script>two', b'second')):
    profile = program.profile(samples, [(names[0], names[1], 7), (names[1], names[0], 2), (names[3], names[4], 1)],
                              unit=unit, letter=b'<')
    open(path, 'wb').write(profile.bytes())
open('at<b>/' + source.rsplit('/', 1)[-1], 'wb').write(
    b'1\n<script>alert(1)</script><!-- " \' &\n\x1b[31m\xe2\x80\xae\xe2\x80\xa8\xff\x00 \\\n\t</script>\n]]>\n')
lines = ['main;%s;%s 3' % (EVIL.replace(';', ':'), name[:90]) for name in names]
open('at</script>stacks', 'wb').write(('\n'.join(lines) + '\n').encode('latin-1'))
END
python3 make.py || fail 'cannot write the profiles'

cat >check.py <<'END'
import os, sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import htmlpage
raw = open('page.html', 'rb').read()
page, data = htmlpage.read('page.html')
for byte in (b'\x1b', b'\xe2\x80\xae', b'\xe2\x80\xa8', b'\xff', b'\0', b'\r'):
    assert byte not in raw, byte
assert raw.count(b'</script') == 2 and raw.count(b'<script') == 2, raw.count(b'</script')
allowed = set('''html head meta title style body header h1 h2 p ul ol li span a div section details summary code noscript
    table caption thead tbody tfoot tr th td script'''.split())
assert not {tag for tag, _ in page.elements} - allowed, page.elements
mark = '</script><img src=x onerror=alert(1)><!--"\'&\\x1b[31m\\xe2\\x80\\xae\\xe2\\x80\\xa8\\xff\\ '
if data['program'] == 'script>stacks':
    assert mark.rstrip() in data['functions']['name'], data['functions']['name']
else:
    assert any(name.startswith('main' + mark) for name in data['functions']['name']), data['functions']['name']
    assert data['byLine'] or 'main' + mark[:20] in page.texts['fifty'], page.texts['fifty']
END
# page WORD...: a page whose data is all text.
page() {
	expect_status 0 "$GPROFX" --output=html:page.html "$@" || fail "$*"
	python3 check.py || fail "$*"
}
page 'at</script>program' 'at</script>one' -I 'at<b>'
page 'at</script>program' 'at</script>one' 'at</script>two'
page --raw-bytes 'at</script>program' 'at</script>one' -I 'at<b>'
page --gnu 'at</script>program' 'at</script>one'
page -l 'at</script>program' 'at</script>one' -I 'at<b>'
page --set=html.source=all --set=html.inlined=true -z 'at</script>program' 'at</script>one' -I 'at<b>'
page 'at</script>stacks'
page --raw-bytes 'at</script>stacks'
python3 - <<'END' || fail 'source'
import os, sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import subprocess, htmlpage
subprocess.run([os.environ['GPROFX'], '--output=html:page.html', 'at</script>program', 'at</script>one', '-I', 'at<b>'],
               check=True, capture_output=True)
page, data = htmlpage.read('page.html')
found = [f for f in data['source']['file'] if f['found']]
assert found and found[0]['parts'][0]['lines'] == [
    '1', '<script>alert(1)</script><!-- " \' &', '\\x1b[31m\\xe2\\x80\\xae\\xe2\\x80\\xa8\\xff\\x00 \\', '\t</script>',
    ']]>'], data['source']
END
