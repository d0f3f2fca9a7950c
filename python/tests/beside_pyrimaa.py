#!/usr/bin/env python3
"""Hathi's Python beside pyrimaa on the same work, in one run, alternating.

    beside_pyrimaa.py [--positions N] [--games N]

Counts the different positions one turn can reach from positions of the sample games, and
replays those games; both must give the same answers. Processor time of the one thread that works.
"""

import argparse
import json
import pathlib
import sys
import time

import hathi
from pyrimaa import board as arimaa

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "crates/hathi-web/samples/games.txt.zst"


def their_position(position):
    """Pyrimaa's position of ours."""
    return arimaa.parse_short_pos("gs".index(position.side), 4, str(position)[2:])


def their_replay(moves):
    """The positions of a game, played by pyrimaa, which checks every step, too."""
    now = arimaa.Position(arimaa.Color.GOLD, 4, arimaa.BLANK_BOARD)
    positions = []
    for _, move in moves:
        now = now.do_move_str(move)
        positions.append(now)
    return positions[1:]


def timed(work, *arguments):
    before = time.thread_time()
    answer = work(*arguments)
    return answer, time.thread_time() - before


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--positions", type=int, default=12)
    options.add_argument("--games", type=int, default=20)
    options = options.parse_args()

    games = list(hathi.read_archive(SAMPLES))[: max(options.games, options.positions)]
    spent = {"turns": [0.0, 0.0], "replay": [0.0, 0.0]}
    turns = positions = 0
    for game in games[: options.positions]:
        position = game.positions[min(24, len(game))]
        theirs = their_position(position)
        ours, seconds = timed(position.count_turns)
        spent["turns"][0] += seconds
        found, seconds = timed(lambda: len(theirs.get_moves()))
        spent["turns"][1] += seconds
        if ours != found:
            sys.exit(f"{position}: {ours} turns, pyrimaa says {found}")
        turns += ours
    for game in games[: options.games]:
        text, rules, moves = str(game), game.rules, game.moves
        ours, seconds = timed(lambda: hathi.Game.parse(text, rules).positions)
        spent["replay"][0] += seconds
        theirs, seconds = timed(their_replay, moves)
        spent["replay"][1] += seconds
        boards = [str(position)[2:].replace(".", " ") for position in ours]
        if boards != [position.board_to_str("short").replace(".", " ") for position in theirs]:
            sys.exit("a game is replayed differently")
        positions += len(ours)
    report = {
        work: {"hathi_seconds": round(ours, 4), "pyrimaa_seconds": round(theirs, 4), "times": round(theirs / ours)}
        for work, (ours, theirs) in spent.items()
    }
    print(json.dumps({"turns_counted": turns, "positions_replayed": positions, **report}, indent=1))


if __name__ == "__main__":
    main()
