# SPDX-License-Identifier: Apache-2.0
"""Reads a page as a browser does: its policy, its text, and its data."""
import base64
import hashlib
import html.parser
import json

import unpacked

VOID = {'meta', 'br', 'hr', 'img', 'input', 'link'}


class Page(html.parser.HTMLParser):
    """Elements in order; texts by the id of the element that they are in, and of every element around it."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.elements, self.policy = [], {}, [], None
        self.prose = ''  # all text that is shown without the script
        self.rows, self.items = [], {}  # cells of each row of the table; texts of list items by the id of their list
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        if tag == 'meta' and attrs.get('http-equiv') == 'Content-Security-Policy':
            self.policy = attrs['content']
        if tag == 'tr':
            self.rows.append([])
        elif tag in ('td', 'th'):
            self.rows[-1].append('')
        elif tag == 'li' and self.open[-1][1]:
            self.items.setdefault(self.open[-1][1], []).append('')
        if tag not in VOID:
            self.open.append((tag, attrs.get('id')))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        for tag, name in self.open:
            key = name or tag
            self.texts[key] = self.texts.get(key, '') + data
        tags = [tag for tag, _ in self.open]
        if 'script' not in tags and 'style' not in tags:
            self.prose += data
        if 'td' in tags or 'th' in tags:
            self.rows[-1][-1] += data
        elif 'li' in tags:
            name = self.open[tags.index('li') - 1][1]
            if name:
                self.items[name][-1] += data

    def data(self):
        return unpacked.unpack(json.loads(self.texts['data'], parse_constant=None))

    def check(self):
        """Nothing runs, or is loaded, but what the policy allows."""
        words = dict(rule.strip().split(' ', 1) for rule in self.policy.split(';'))
        assert words['default-src'] == "'none'" and words['base-uri'] == "'none'", words
        for element in ('script', 'style'):
            code = hashlib.sha256(self.texts[element].encode()).digest()
            assert words[element + '-src'] == "'sha256-%s'" % base64.b64encode(code).decode(), words
        for tag, attrs in self.elements:
            assert tag not in ('link', 'iframe', 'object', 'embed', 'base', 'form', 'img'), tag
            for name, value in attrs.items():
                assert name != 'style' and not name.startswith('on'), (tag, name)
                assert name not in ('href', 'src') or value.startswith('#'), (tag, value)


def read(path):
    """The page in a file, whose policy was checked, and its data."""
    with open(path, encoding='utf-8', newline='') as text:
        page = Page(text.read())
    page.check()
    return page, page.data()
