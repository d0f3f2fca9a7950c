#!/usr/bin/env python3
"""Hathi's Python beside pyrimaa on the same work, in one run, alternating.

    beside_pyrimaa.py [--positions N] [--games N]

Counts the different positions one turn can reach from positions of the sample games, and
replays those games; both must give the same answers. Processor time, one thread each.
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
    """The boards of a game, played by pyrimaa."""
    now = arimaa.Position(arimaa.Color.GOLD, 4, arimaa.BLANK_BOARD)
    boards = []
    for _, move in moves:
        now = now.do_move_str(move)
        boards.append(now.board_to_str("short"))
    return boards[1:]


def timed(work, *arguments):
    before = time.process_time()
    answer = work(*arguments)
    return answer, time.process_time() - before


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
        text, moves = str(game), game.moves
        # Both end with the boards as text.
        ours, seconds = timed(lambda: [str(p)[2:] for p in hathi.Game.parse(text, game.rules).positions])
        spent["replay"][0] += seconds
        theirs, seconds = timed(their_replay, moves)
        spent["replay"][1] += seconds
        if [board.replace(".", " ") for board in ours] != [board.replace(".", " ") for board in theirs]:
            sys.exit("a game is replayed differently")
        positions += len(ours)
    report = {
        work: {"hathi_seconds": round(ours, 4), "pyrimaa_seconds": round(theirs, 4), "times": round(theirs / ours)}
        for work, (ours, theirs) in spent.items()
    }
    print(json.dumps({"turns_counted": turns, "positions_replayed": positions, **report}, indent=1))


if __name__ == "__main__":
    main()
