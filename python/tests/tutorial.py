#!/usr/bin/env python3
"""Runs the tutorial, docs/python.md, and compares what comes out with what it says.

    tutorial.py             runs every block of Python in order, as a notebook would
    tutorial.py --write     puts what comes out into the document

A block of Python is followed by a block of text with its output, if it has any: what it
prints, then the value of its last line. `...` at the end of a line stands for anything.
"""

import ast
import contextlib
import io
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENT = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)


def run(code, names, line):
    """What a block prints, and the value of its last line."""
    tree = ast.parse(code)
    ast.increment_lineno(tree, line)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, str(DOCUMENT), "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), str(DOCUMENT), "eval"), names)
            if value is not None:
                print(repr(value))
    return out.getvalue()


def fits(expected, found):
    """Are they the same, but for what `...` leaves open?"""
    parts = [re.escape(line) for line in expected.split("\n")]
    pattern = "\n".join(
        part[: -len(re.escape("..."))] + ".*" if part.endswith(re.escape("...")) else part
        for part in parts
    )
    return re.fullmatch(pattern, found) is not None


def main():
    text = DOCUMENT.read_text(encoding="utf-8")
    write = "--write" in sys.argv[1:]
    names = {"__name__": "__tutorial__"}
    pieces, at, wrong, blocks = [], 0, 0, 0
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        # The tutorial's own store, and nobody else's motifs.
        os.environ["XDG_DATA_HOME"] = folder
        names["folder"] = folder
        for block in BLOCK.finditer(text):
            code, expected = block.group(1), block.group(2) or ""
            found = run(code, names, text.count("\n", 0, block.start()) + 1)
            blocks += 1
            if write:
                pieces.append(text[at : block.start()] + f"```python\n{code}```\n")
                if found and not fits(expected, found):
                    expected = found
                if found:
                    pieces.append(f"\n```text\n{expected}```\n")
                at = block.end()
            elif not fits(expected, found):
                wrong += 1
                line = text.count("\n", 0, block.start()) + 1
                print(f"{DOCUMENT.name}:{line}: expected\n{expected}but found\n{found}", file=sys.stderr)
    if write:
        DOCUMENT.write_text("".join(pieces) + text[at:], encoding="utf-8")
    if wrong or not blocks:
        sys.exit(f"the tutorial: {wrong} of {blocks} blocks are wrong")
    print(f"the tutorial: {blocks} blocks, all as they say")


if __name__ == "__main__":
    main()
