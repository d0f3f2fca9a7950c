"""Answers questions about Arimaa with pyrimaa: one line in, one line out.

Started by pyrimaa.rs, which compares the answers with those of hathi-rules.
Fields are separated by tabs. The two questions:

    position <side> <[64 squares]> <steps taken> <whole turns wanted: yes|no>
        board      after the steps taken, short form
        steps      every legal step in notation, removals included, sorted
        results    digest of the boards those steps lead to
        frozen     frozen pieces of both sides, in the order of their squares
        verdict    winner (g, s or -) if the turn ended here; `?` inside a push
        turns      how many boards the rest of the turn can lead to, or `-`
        reached    digest of those boards, or `-`

    game <move list, its lines separated by the two characters \\n>
        one field a move: `label board winner`, or `label ! objection` for
        the first illegal one, after which nothing follows

An answer that starts with `error` says why there is none.
"""

import sys

from pyrimaa import board as arimaa

SIDES = "gs"
WORD = (1 << 64) - 1
PIECES = [p for p in range(arimaa.Piece.GRABBIT, arimaa.Piece.COUNT) if arimaa.Piece.PCHARS[p] != "x"]


def digest(boards):
    """A number that tells sets of boards apart, whatever their order.

    Thousands of boards would be slow to send and to compare as text. Each is
    hashed in the manner of FNV-1a, by words; the sum forgets the order.
    """
    total = 0
    for bitboards in boards:
        value = 0xCBF29CE484222325
        for piece in PIECES:
            value = (value ^ bitboards[piece]) * 0x100000001B3 & WORD
            value ^= value >> 32
        total += value
    return f"{total & WORD:016x}"


def winner(position):
    """Who has won, now that it is this position's side to move."""
    return {1: "g", -1: "s", False: "-"}[position.is_end_state()]


def frozen(position):
    squares = (i for i in range(64) if not position.bitBoards[arimaa.Piece.EMPTY] >> i & 1)
    return " ".join(arimaa.index_to_alg(i) for i in squares if position.is_frozen_at(1 << i))


def reached(position):
    """The boards the rest of the turn can lead to, at least one step on."""
    if not position.inpush:
        return {p.bitBoards for p in position.get_moves()}
    # `get_moves` fails inside a push, since it removes a "nothing done" that
    # is not among its results there. Complete the push, then go on.
    boards = set()
    for _, after in position.get_steps():
        boards.add(after.bitBoards)
        if after.color == position.color:
            boards |= reached(after)
    return boards


def answer_position(side, squares, taken, want_turns):
    position = arimaa.parse_short_pos(SIDES.index(side), 4, squares)
    for step in arimaa.parse_move(taken) if taken else []:
        legal = position.check_step(step)
        if not legal:
            raise arimaa.IllegalMove(f"{taken}: {legal}")
        position = position.do_step(step)
    steps = position.get_steps()
    # At the start of a turn the last one has just ended; inside it, see what
    # ending it now would mean.
    ended = position.get_null_move() if taken else position
    boards = reached(position) if want_turns == "yes" else None
    return [
        position.board_to_str("short"),
        ",".join(sorted(position.steps_to_str([step]) for step, _ in steps)),
        digest(after.bitBoards for _, after in steps),
        frozen(position),
        "?" if position.inpush else winner(ended),
        "-" if boards is None else str(len(boards)),
        "-" if boards is None else digest(boards),
    ]


def answer_game(movelist):
    history = [arimaa.Position(arimaa.Color.GOLD, 4, arimaa.BLANK_BOARD)]
    fields = []
    for line in movelist.split("\\n"):
        label, _, move = line.strip().partition(" ")
        if move in ("", "resigns", "resign", "lost"):
            continue
        if move == "takeback":
            history.pop()
        else:
            try:
                history.append(play(history, move))
            except ValueError as objection:
                fields.append(f"{label} ! {objection}")
                break
        now = history[-1]
        fields.append(f"{label} {now.board_to_str('short')} {winner(now) if len(history) > 2 else '-'}")
    return fields


def play(history, move):
    """The next position. `do_move_str` leaves two rules to its caller."""
    now = history[-1]
    if len(history) > 2 and now.is_end_state():
        raise arimaa.IllegalMove("The game is over")
    after = now.do_move_str(" ".join(word for word in move.split() if word != "pass"))
    if after.bitBoards == now.bitBoards:
        raise arimaa.IllegalMove("The move changes nothing")
    return after


def main():
    answers = {"position": answer_position, "game": answer_game}
    for line in sys.stdin:
        question, *fields = line.rstrip("\n").split("\t")
        try:
            reply = answers[question](*fields)
        except Exception as error:  # said aloud, so that the test can show it
            reply = ["error", f"{type(error).__name__}: {error}"]
        print("\t".join(reply), flush=True)


if __name__ == "__main__":
    main()
