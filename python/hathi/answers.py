"""The shapes of answers that are dicts, for type checkers."""

from __future__ import annotations

from typing import TypedDict


class Capture(TypedDict):
    """What can be captured this turn, and how."""

    piece: str
    square: str
    trap: str
    steps: int
    turn: str


class Worth(TypedDict):
    """What a position is worth for Gold, in hundredths of a rabbit."""

    network: int
    by_hand: int


class Result(TypedDict):
    """How a game ended."""

    winner: str | None
    termination: str
    words: str


class AnalysedLine(TypedDict):
    """One of the best turns and what is expected after it."""

    turn: str
    gold_score: int
    gold_chance: float
    words: str
    line: list[str]
    position_after: str | None


class Analysis(TypedDict):
    """What a search makes of a position."""

    depth: int
    nodes: int
    seconds: float
    lines: list[AnalysedLine]
    also: AnalysedLine | None
