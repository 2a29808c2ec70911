#!/usr/bin/env python3
"""Compares inline stacks: compare.py NAME OURS LLVM BINUTILS, each the output of stacks.c, llvm-symbolizer or addr2line.

A stack is the list of file:line from the innermost level outwards. Paths are compared with "." and ".." taken out, and
where one side gives a path that is not absolute, by what both end with. A level of line 0 is one that nobody knows.
Function names are compared where both know one, without parameters, template arguments and what a compiler appends.
Those that still differ are sorted by the reason, as far as one is known; what is left is unexplained."""
import collections
import functools
import posixpath
import re
import subprocess
import sys


def read(path):
    """Yields the address and its levels: (function, file, line)."""
    address, levels, function = None, [], None
    with open(path, encoding="utf-8", errors="replace") as lines:
        for text in lines:
            text = text.rstrip("\n")
            if re.fullmatch(r"0x[0-9a-f]+", text) and function is None:
                if address is not None:
                    yield address, levels
                address, levels = int(text, 16), []
            elif function is None:
                function = text
            else:
                levels.append((function,) + place(text))
                function = None
    if address is not None:
        yield address, levels


def place(text):
    text = re.sub(r" \(discriminator \d+\)$", "", text)
    file, _, line = text.rpartition(":")
    line = int(line) if line.isdigit() else 0
    if line == 0 or file.startswith("??"):
        return "", 0
    return posixpath.normpath(file), line


def same_place(a, b):
    if a[2] != b[2]:
        return False
    if a[1] == b[1]:
        return True
    if a[1][:1] == "/" and b[1][:1] == "/":
        return False
    short, long = sorted((a[1].lstrip("./"), b[1].lstrip("./")), key=len)
    return long.endswith(short)


def same(a, b):
    return len(a) == len(b) and all(same_place(x, y) for x, y in zip(a, b))


@functools.lru_cache(maxsize=None)
def parts(name):
    """The parts of a name, without what tools write differently."""
    name = re.sub(r" \[clone.*| \(\..*", "", name)
    name = name.replace("operator< <", "operator<<").replace("'unnamed'", "{unnamed}").replace("<lambda>", "lambda")
    name = re.sub(r"\.(cold|(part|isra|constprop|lto_priv|llvm|clone)\.\d).*$", "", name)
    name = name.replace("$LT$", "<").replace("$GT$", ">").replace("$u7b$", "{").replace("$u7d$", "}").replace("$u20$", " ")
    name = name.replace("_{{", "{{").replace("{{closure}}", "closure").replace("->", "")
    name = re.sub(r"\boperator\s*(\(\)|<<=?|>>=?|<=>|<=|>=|->\*?|<|>)", lambda m: "operator_" + str(len(m[1])), name)
    name = re.sub(r"::h[0-9a-f]{16}$", "", name)
    previous = None
    while previous != name:
        previous, name = name, re.sub(r"<[^<>]*>|\([^()]*\)( const)?|\{[^{}]*\}|\[[^][]*\]", "", name)
    return re.split(r"::|:|\s", name.strip().rstrip(":&"))


def bare(name):
    """The last part."""
    return parts(name)[-1]


def same_name(a, b):
    return a.startswith("??") or b.startswith("??") or bare(a) == bare(b)


@functools.lru_cache(maxsize=None)
def demangled(name):
    return subprocess.run(["c++filt", name], check=True, capture_output=True, text=True).stdout.rstrip("\n")


def without_spaces(name):
    """From the first "::" on: neither side need have the type that is returned, or the file."""
    return "".join(name.split()).partition("::")[2]


def why_named(ours, llvm, other, is_own):
    """Why the names of one level differ; None: not known. other: the third's, None if it has another stack there.
    is_own: the function has code of its own there, it is not inlined."""
    if llvm.startswith("_Z") and same_name(ours, demangled(llvm)):
        return "it leaves the symbol mangled; c++filt says what we say"
    nameless = r"('unnamed\d*'|'lambda\d*'(\(.*\))?)::~?\("
    if re.search(nameless, llvm) and ("{unnamed type" in ours or "<lambda>" in ours):
        return "it gives no name to constructors and destructors of types without one"
    cut = re.fullmatch(r"(.*)\.\.\.[0-9a-f]{16}", ours)
    if cut and without_spaces(cut[1]) in without_spaces(demangled(llvm)):
        return "ours is cut, as it is longer than 1000 characters; so far it is the same"
    if cut and other and without_spaces(cut[1]) in without_spaces(other):
        return "ours is cut, as it is longer than 1000 characters; so far it is what addr2line says"
    if cut and "::" + bare(llvm) in cut[1]:
        return "ours is cut, as it is longer than 1000 characters, but has that name, of which it leaves out the scope"
    if other and same_name(ours, other) and parts(llvm)[-2:] == 2 * parts(llvm)[-1:]:
        return "addr2line has our name; a constructor that is inherited is called as in the base class, or as in the derived"
    if is_own and other and same_name(ours, other):
        return "addr2line has our name; it takes the symbol's, one of several functions that were merged"
    return None


def known(levels):
    return [level for level in levels if level[2]]


def describe(ours, llvm, other):
    """Which kind of difference between the first two it is, from the most to the least particular."""
    if same(ours, other):
        return "the third says what we say" + (f" ({len(llvm)} levels for {len(ours)})" if len(llvm) != len(ours) else
                                               " (the innermost line)" if same(ours[1:], llvm[1:]) else
                                               " (a call site)")
    if same(known(ours), known(llvm)):
        return "only levels without a line differ (line 0: the compiler's own code)"
    if not any(level[2] for level in llvm):
        return "it knows nothing there"
    if not any(level[2] for level in ours):
        return "we know nothing there"
    agree = "the other two agree" if same(llvm, other) else "all three differ"
    if same(ours[1:], llvm[1:]):
        if ours[0][1] == llvm[0][1]:
            return f"another line of the innermost level ({agree})"
        return f"another file in the innermost level ({agree})"
    if len(ours) == len(llvm):
        return f"another call site ({agree})"
    return f"{'fewer' if len(ours) < len(llvm) else 'more'} levels than it has ({agree})"


def show(levels):
    return " < ".join(f"{bare(level[0]) or '??'} {posixpath.basename(level[1]) or '??'}:{level[2]}" for level in levels)


def main():
    name, ours_path, llvm_path, other_path = sys.argv[1:]
    counts, names, named, kinds, others = (collections.Counter() for _ in range(5))
    examples = {}
    for (address, ours), (address2, llvm), (address3, other) in zip(read(ours_path), read(llvm_path), read(other_path)):
        if not address == address2 == address3:
            sys.exit(f"{name}: the answers are out of step at {address:#x}, {address2:#x}, {address3:#x}")
        counts["all"] += 1
        if ours and ours[0][0] == "table":
            counts["table"] += 1
            examples.setdefault("table", f"{address:#x}: {show(ours)}")
            ours = ours[1:]
        counts["known"] += any(level[2] for level in llvm)
        counts["inlined"] += len(llvm) > 1
        counts["llvm = addr2line"] += same(llvm, other)
        counts["ours = addr2line"] += same(ours, other)
        if same(ours, llvm):
            counts["same"] += 1
            third = other if same(ours, other) else []
            for level, (mine, theirs) in enumerate(zip(ours, llvm)):
                names["levels"] += 1
                names["both"] += not (mine[0].startswith("??") or theirs[0].startswith("??"))
                if not same_name(mine[0], theirs[0]):
                    why = why_named(mine[0], theirs[0], third[level][0] if third else None, level + 1 == len(ours)) or "unexplained"
                    named[why] += 1
                    examples.setdefault(why, f"{address:#x}: ours {mine[0]}\n{'':14}llvm {theirs[0]}")
        if not same(ours, other):
            kind = describe(ours, other, llvm)
            others[kind] += 1
            examples.setdefault(kind + "2", f"{address:#x}: ours {show(ours)}\n{'':14}addr2line {show(other)}")
        if not same(ours, llvm):
            kind = describe(ours, llvm, other)
            kinds[kind] += 1
            examples.setdefault(kind, f"{address:#x}: ours {show(ours)}\n{'':14}llvm {show(llvm)}\n{'':14}addr2line {show(other)}")
    total = counts["all"]
    print(f"{name}: {total} addresses, {counts['known']} with a line, {counts['inlined']} of inlined code")
    print(f"  the same stack as llvm-symbolizer: {100 * counts['same'] / total:.3f} %, as addr2line: "
          f"{100 * counts['ours = addr2line'] / total:.3f} %; these two: {100 * counts['llvm = addr2line'] / total:.3f} %")
    for kind, count in kinds.most_common():
        print(f"  {count:6} differ from llvm-symbolizer: {kind}")
        print(f"         e.g. {examples[kind]}")
    for kind, count in others.most_common():
        print(f"  {count:6} differ from addr2line: {kind}")
        print(f"         e.g. {examples[kind + '2']}")
    print(f"  functions, at the levels of the same stacks: {names['both']} of {names['levels']} named by both, "
          f"{sum(named.values())} differ, {named['unexplained']} unexplained")
    for why, count in named.most_common():
        print(f"  {count:6} names differ from llvm-symbolizer's: {why}")
        print(f"         e.g. {examples[why]}")
    print(f"  the table for the default scope disagrees with the stack for {counts['table']}"
          + (f", e.g. {examples['table']}" if "table" in examples else ""))


main()
