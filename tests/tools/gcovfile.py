# SPDX-License-Identifier: Apache-2.0
"""What gcov --json-format writes, as bytes."""
import gzip
import json


class Source:
    """A source file: {line: count}, and functions as (name, first line, last line, count)."""

    def __init__(self, path, lines=(), functions=()):
        self.path, self.lines, self.functions = path, dict(lines), list(functions)

    def value(self):
        lines = [{'branches': [], 'count': count, 'line_number': line,
                  'unexecuted_block': count == 0} for line, count in self.lines.items()]
        functions = [{'blocks': 2, 'end_column': 1, 'start_line': first, 'name': name,
                      'blocks_executed': 2 if count else 0, 'execution_count': count,
                      'demangled_name': name, 'start_column': 1, 'end_line': last}
                     for name, first, last, count in self.functions]
        return {'lines': lines, 'functions': functions, 'file': self.path}


def gcov_value(sources, folder='/src', version='1'):
    return {'gcc_version': '12.2.0', 'files': [source.value() for source in sources],
            'format_version': version, 'current_working_directory': folder,
            'data_file': 'program.gcda'}


def gcov_document(sources, folder='/src', version='1'):
    text = json.dumps(gcov_value(sources, folder, version), ensure_ascii=False)
    return text.encode() + b'\n'


def packed(data):
    return gzip.compress(data, mtime=0)
