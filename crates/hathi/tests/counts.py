"""Counts what is in archives, with pyrimaa as the judge of the rules.

Started by cli/data.rs, which compares the figures with those of the store.
Reads archive files by itself and shares no code with hathi. Prints JSON:

    games      games in which both sides have set up
    positions  positions from which a legal turn was played, takebacks done
    setups     different setups of Gold's
    results    how often each side won in each way: {"g": {"gold": 1, ...}, ...}
    faults     games cut short, with the move that pyrimaa objects to
"""

import collections
import json
import sys

from pyrimaa import board as arimaa

NOT_MOVES = ("", "resigns", "resign", "lost")


def games(path):
    """The rows of an archive as dictionaries."""
    with open(path, encoding="latin-1", newline="\n") as lines:
        header = next(lines).rstrip("\n").split("\t")
        for line in lines:
            if line.strip():
                yield dict(zip(header, line.rstrip("\n").split("\t")))


def replay(movelist):
    """The positions as far as the moves are legal, and the first that is not."""
    history = [arimaa.Position(arimaa.Color.GOLD, 4, arimaa.BLANK_BOARD)]
    for line in movelist.split("\\n"):
        label, _, move = line.strip().partition(" ")
        move = move.strip()
        if move in NOT_MOVES:
            continue
        if move == "takeback":
            history.pop()
            continue
        try:
            history.append(play(history, move))
        except ValueError:
            return history, label
    return history, None


def play(history, move):
    """The next position. Setups win nothing, and `do_move_str` does not ask
    whether the game is over or anything has changed."""
    now = history[-1]
    if len(history) > 3 and now.is_end_state():
        raise arimaa.IllegalMove("The game is over")
    after = now.do_move_str(" ".join(word for word in move.split() if word != "pass"))
    if after.bitBoards == now.bitBoards:
        raise arimaa.IllegalMove("The move changes nothing")
    return after


def main(paths):
    total = positions = 0
    setups = set()
    results = collections.defaultdict(lambda: {"gold": 0, "silver": 0, "nobody": 0})
    faults = {}
    for path in paths:
        for game in games(path):
            history, fault = replay(game["movelist"])
            if fault:
                faults[game["id"]] = fault
            if len(history) < 3:
                continue
            total += 1
            # The empty board, Gold's setup, both setups, then one a turn.
            positions += len(history) - 3
            setups.add(history[1].bitBoards)
            winner = {"w": "gold", "b": "silver"}.get(game["result"], "nobody")
            results[game["termination"]][winner] += 1
    figures = {
        "games": total,
        "positions": positions,
        "setups": len(setups),
        "results": results,
        "faults": faults,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
