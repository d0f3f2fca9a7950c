#!/usr/bin/env python3
"""Hathi's Python beside pyrimaa on the same work, in one run, alternating.

    beside_pyrimaa.py [--positions N] [--games N] [--rounds N]

Counts the different positions one turn can reach from positions of the sample games; replays those games
to all their positions, and to the result; reads and replays the file they are in. Both must give the same
answers. Processor time (of all threads for the file, else of the one that works), the best of some rounds.
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


def their_winner(moves):
    """Who has won on the board at the end of a game, played by pyrimaa: `g`, `s` or None."""
    return {1: "g", -1: "s"}.get(their_replay(moves)[-1].is_end_state())


def our_winner(result):
    """The same of a result. Pyrimaa knows no resignations and no repetitions."""
    return result["winner"] if result and result["termination"] in ON_BOARD else None


# Goal, elimination, immobilisation.
ON_BOARD = {"g", "e", "m"}


class Race:
    """The same work done by both, in rounds; the least time of each counts."""

    def __init__(self, rounds):
        self.rounds = rounds
        self.report = {}

    def run(self, name, ours, theirs, repeat=1, clock=time.thread_time):
        """Ours is done `repeat` times a round, as it takes no time worth measuring. Gives back both answers."""
        least = [float("inf"), float("inf")]
        for _ in range(self.rounds):
            for i, (work, times) in enumerate([(ours, repeat), (theirs, 1)]):
                before = clock()
                for _ in range(times):
                    answer = work()
                least[i] = min(least[i], (clock() - before) / times)
                if i == 0:
                    found = answer
        self.report[name] = {
            "hathi_seconds": round(least[0], 5),
            "pyrimaa_seconds": round(least[1], 4),
            "times": round(least[1] / max(least[0], 1e-9)),
        }
        return found, answer


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--positions", type=int, default=12)
    options.add_argument("--games", type=int, default=20)
    options.add_argument("--rounds", type=int, default=3)
    options = options.parse_args()

    games = list(hathi.read_archive(SAMPLES))
    race = Race(options.rounds)
    positions = [game.positions[min(24, len(game))] for game in games[: options.positions]]
    starts = [their_position(position) for position in positions]
    ours, theirs = race.run(
        "turns",
        lambda: [position.count_turns() for position in positions],
        lambda: [len(start.get_moves()) for start in starts],
    )
    if ours != theirs:
        sys.exit(f"{ours} turns, pyrimaa says {theirs}")
    turns = sum(ours)

    some = games[: options.games]
    texts = [(str(game), game.rules) for game in some]
    moves = [game.moves for game in some]
    ours, theirs = race.run(
        "replay to positions",
        lambda: [hathi.Game.parse(text, rules).positions for text, rules in texts],
        lambda: [their_replay(game) for game in moves],
        repeat=10,
    )
    for mine, others in zip(ours, theirs):
        boards = [str(position)[2:].replace(".", " ") for position in mine]
        if boards != [position.board_to_str("short").replace(".", " ") for position in others]:
            sys.exit("a game is replayed differently")
    replayed = sum(map(len, ours))
    ours, theirs = race.run(
        "replay to the result",
        lambda: [hathi.Game.parse(text, rules).result for text, rules in texts],
        lambda: [their_winner(game) for game in moves],
        repeat=10,
    )
    if [our_winner(result) for result in ours] != theirs:
        sys.exit("a game has another result")
    # What pyrimaa does not do, reading the file, is in our time alone; it replays as many games as asked for.
    ours, _ = race.run(
        "a file read and replayed",
        lambda: [(len(game), game.result) for game in hathi.read_archive(SAMPLES)],
        lambda: [their_winner(game) for game in moves],
        clock=time.process_time,
    )
    share = sum(map(len, some)) / sum(length for length, _ in ours)
    whole = race.report["a file read and replayed"]
    whole["pyrimaa_seconds"] = round(whole["pyrimaa_seconds"] / share, 4)
    whole["times"] = round(whole["times"] / share)
    print(json.dumps({"turns_counted": turns, "positions_replayed": replayed, **race.report}, indent=1))


if __name__ == "__main__":
    main()
