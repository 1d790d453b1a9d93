#!/usr/bin/env python3
"""Turns coloured terminal output on standard input into an SVG on standard output.

  unmask audit ... | scripts/terminal_svg.py > docs/images/audit.svg

The picture of README.md is made by scripts/update_pictures. Knows the colours that unmask uses.
"""

import html
import re
import sys
import unicodedata

CELL_WIDTH, LINE_HEIGHT, MARGIN, FONT_SIZE = 8.43, 18, 16, 14
COLORS = {31: "#e5534b", 32: "#57ab5a", 33: "#c69026", 35: "#b083f0", 36: "#39c5cf"}
FOREGROUND, DIM, BACKGROUND = "#adbac7", "#768390", "#22272e"
CODE = re.compile(r"\x1b\[([0-9;]*)m")


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def spans(line):
    """Pieces of a line with the style that holds for each: (text, color, bold)."""
    color, bold = FOREGROUND, False
    start = 0
    for match in CODE.finditer(line):
        if match.start() > start:
            yield line[start:match.start()], color, bold
        for code in (int(number or 0) for number in match[1].split(";")):
            if code == 0:
                color, bold = FOREGROUND, False
            elif code == 1:
                bold = True
            elif code == 2:
                color = DIM
            else:
                color = COLORS.get(code, color)
        start = match.end()
    if start < len(line):
        yield line[start:], color, bold


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    width = max(columns(CODE.sub("", line)) for line in lines) * CELL_WIDTH + 2 * MARGIN
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>')
    print(f'<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" '
          f'font-size="{FONT_SIZE}" xml:space="preserve">')
    for number, line in enumerate(lines):
        y = MARGIN + (number + 0.75) * LINE_HEIGHT
        column = 0
        for text, color, bold in spans(line):
            width_here = columns(text)
            if text.strip():
                lead = len(text) - len(text.lstrip(" "))
                piece = text.strip(" ")
                x = MARGIN + (column + lead) * CELL_WIDTH
                weight = ' font-weight="bold"' if bold else ""
                # textLength pins each piece to its columns, whatever font the reader has.
                print(f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}"{weight} '
                      f'textLength="{columns(piece) * CELL_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs">'
                      f"{html.escape(piece)}</text>")
            column += width_here
    print("</g></svg>")


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        sys.exit(0)
    main()
