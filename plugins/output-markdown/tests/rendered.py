# SPDX-License-Identifier: Apache-2.0
"""What GitHub's renderer makes of a file in Markdown: its tables, its paragraphs, and nothing else."""
import html.parser
import subprocess

EXTENSIONS = ['table', 'autolink', 'strikethrough', 'tagfilter', 'tasklist', 'footnotes']
# What a file may have. A link, a picture, or whatever else, would come from a name.
TAGS = {'p', 'strong', 'code', 'table', 'thead', 'tbody', 'tr', 'th', 'td'}


class Rendered(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__(convert_charrefs=True)
        self.tables, self.paragraphs, self.codes, self.stack = [], [], [], []
        words = ['cmark-gfm', '--unsafe', *(w for e in EXTENSIONS for w in ('-e', e)), name]
        self.feed(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode())
        self.close()
        assert not self.stack, self.stack

    def handle_starttag(self, tag, attributes):
        assert tag in TAGS, 'unexpected tag %s %s' % (tag, attributes)
        assert all(key == 'align' and tag in ('th', 'td') for key, _ in attributes), (tag, attributes)
        self.stack.append(tag)
        if tag == 'table':
            self.tables.append([])
        elif tag == 'tr':
            self.tables[-1].append([])
        elif tag in ('td', 'th'):
            self.tables[-1][-1].append('')
        elif tag == 'p':
            self.paragraphs.append('')
        elif tag == 'code':
            self.codes.append('')

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, tag

    def handle_comment(self, data):
        assert data == ' ' and 'code' in self.stack, data

    def handle_data(self, data):
        if 'code' in self.stack:
            self.codes[-1] += data
        if 'td' in self.stack or 'th' in self.stack:
            self.tables[-1][-1][-1] += data
        elif 'p' in self.stack:
            self.paragraphs[-1] += data
        else:
            assert not data.strip(), 'text outside of paragraphs: %r' % data


def table(rendered, number=0):
    """The rows of a table by the first cell, and the words of its head."""
    head, *rows = rendered.tables[number]
    assert all(len(row) == len(head) for row in rows), 'rows of different lengths'
    assert len({row[0] for row in rows}) == len(rows), 'a function is there twice'
    return head, {row[0]: row[1:] for row in rows}
