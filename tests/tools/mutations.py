# SPDX-License-Identifier: Apache-2.0
"""The changes that scripts/mutants makes in C source laid out by clang-format, one at a time:

    < <=   > >=   == !=    each becomes the other
    && ||   + -   * /   << >>   & |   += -=   |= &=    likewise, between two operands; % becomes /
    a number               one more; 1 becomes 0; of memory that is asked for, one less
    (of memory that is asked for nothing is changed that makes it more)
    if (X), while (X)      if (!(X)), while (!(X))
    continue, break, return within a block    nothing

Left alone, because nobody can see a difference: fetches ahead of use (functions marked FETCHING and
statements with PREFETCH or calls of fetch_*); hashes (functions hash_*), by which things are only found;
room for one item more; enumerators, which are numbers of names, capacities or matters of speed; whether two that are
equal are taken for less, where they differ (if (a != b) return a < b ? ...) or it is the same which one
is taken (a < b ? a : b). Left alone, too: comments, strings, the preprocessor's lines, declarations of
arrays, and the steps of loops over their items, without which loops do not end.
"""

import dataclasses
import re

SWAPPED = {}
for pair in "< <=", "> >=", "== !=", "&& ||", "+ -", "* /", "<< >>", "& |", "+= -=", "|= &=":
    one, other = pair.split()
    SWAPPED[one], SWAPPED[other] = other, one
SWAPPED["%"] = "/"

# Of memory that is asked for, their changes make more of it.
GROWING = ("-", "/", ">>")

# Blanks on both sides tell operators from signs, pointers and addresses.
OPERATOR = re.compile(r"(?<=[^\s,(=?:{]) (<=|>=|==|!=|&&|\|\||<<|>>|\+=|-=|\|=|&=|[<>+\-*/&|%])(?= |\n\t)")
LOOP = re.compile(r"\bfor \(")
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-f]+|\d+)(u|)\b(?![.x])")
CONDITION = re.compile(r"\b(?:if|while) \(")
LEAVING = re.compile(r"(?<=\t\t)(?:continue|break|return(?: [^;{}]*)?);")
QUIET = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'
    | ^\#(?:[^\n]*\\\n)*[^\n]*                                  # the preprocessor's
    | \benum\b[^;(){}]*\{[^}]*\}                                # enumerators
    | ^static\ FETCHING\b.*?^\}                                 # fetches ahead
    | ^hash_\w+\(.*?^\}                                         # functions that make hashes
    | (?:^\t*if\ \([^;{}]*)?\b(?:PREFETCH|fetch_\w+)\([^;]*;
    | ^\t*(?:static\ |const\ )*(?:struct\ )?\w+\ \w+\[\w+\](?:\ =\ \{0\})?(?:,[^;]*)?;   # arrays
    | \{0\}                                                     # all of a struct
    """, re.VERBOSE | re.MULTILINE | re.DOTALL)
# Comparisons of which nobody can see what they make of equal ones.
EQUAL_EITHER_WAY = (
    re.compile(r"\bif \(([^\n]+) != ([^\n]+)\)\n\t+return \1 (?P<operator>[<>]) \2\s+\?"),
    re.compile(r"([\w*][^\s;]*) (?P<operator>[<>]) ([\w*][^\s;]*)\s+\? (?:\1\s+: \3|\3\s+: \1)(?=;)"),
)
ROOM = re.compile(r"\bmemory_(?:array|alloc|sparse_array|grow|room)\([^;]*;")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    begin: int
    end: int
    text: str
    before: str
    after: str

    def applied(self, source):
        return source[:self.begin] + self.text + source[self.end:]

    def __str__(self):
        return f"{self.file}:{self.line}: {self.before} -> {self.after}"


def blanked(match):
    return re.sub(r"[^\n]", " ", match.group())


def closing(code, begin):
    """Where the bracket ends that opens at begin."""
    depth = 0
    for place in range(begin, len(code)):
        depth += (code[place] == "(") - (code[place] == ")")
        if depth == 0:
            return place
    return None


def number_after(word, is_room):
    is_octal = word[0] == "0" and word.isdigit() and len(word) > 1
    value = int(word, 8 if is_octal else 0)
    if value == 1 or (is_room and value > 0):
        return str(value - 1)
    return None if is_room else hex(value + 1) if word.startswith("0x") else str(value + 1)


def places(source):
    """Yields (begin, end, text) of each change."""
    code = QUIET.sub(blanked, source)
    for match in LOOP.finditer(code):
        end = closing(code, match.end() - 1)
        step = code.rindex(";", 0, end)
        code = code[:step] + re.sub(r"[^\n]", " ", code[step:end]) + code[end:]
    rooms = [match.span() for match in ROOM.finditer(code)]
    either = {match.start("operator") for each in EQUAL_EITHER_WAY for match in each.finditer(code)}
    for match in OPERATOR.finditer(code):
        is_room = any(a <= match.start() < b for a, b in rooms)
        if match.start(1) in either or (is_room and match.group(1) in GROWING):
            continue
        yield match.start(1), match.end(1), SWAPPED[match.group(1)]
    for match in NUMBER.finditer(code):
        text = number_after(match.group(1), any(a <= match.start() < b for a, b in rooms))
        if text is not None:
            yield match.start(1), match.end(1), text
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if end:
            yield match.end(), end, f"!({source[match.end():end]})"
    for match in LEAVING.finditer(code):
        yield match.start(), match.end(), ";"


def shown(text):
    return re.sub(r"\s+", " ", text).strip()


def of_file(name, source):
    """All mutants of a file, in its order."""
    found = []
    for begin, end, text in sorted(places(source)):
        first = source.rfind("\n", 0, begin) + 1
        last = source.find("\n", end)
        before, after = source[first:last], source[first:begin] + text + source[end:last]
        found.append(Mutant(name, source.count("\n", 0, begin) + 1, begin, end, text,
                            shown(before), shown(after)))
    return found
