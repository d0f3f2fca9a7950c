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
        goal       can the side to move be on goal at the end of it, or `-`
        captures   kinds of enemy pieces that can be gone then, or `-`

    game <move list, its lines separated by the two characters \\n>
        one field a move: `label board winner`, or `label ! objection` for
        the first illegal one, after which nothing follows

An answer that starts with `error` says why there is none.
"""

import sys

from pyrimaa import board as arimaa

SIDES = "gs"
WORD = (1 << 64) - 1
PIECES = [kind for kind, letter in enumerate(arimaa.Piece.PCHARS) if letter in "RCDHMErcdhme"]


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


def can_goal(position, boards):
    rabbits, goal = [
        (arimaa.Piece.GRABBIT, ~arimaa.NOT_8_RANK),
        (arimaa.Piece.SRABBIT, ~arimaa.NOT_1_RANK),
    ][position.color]
    if position.bitBoards[rabbits] & goal and not position.inpush:
        return "yes"  # the turn can end here, or the game has ended
    return "yes" if any(board[rabbits] & goal for board in boards) else "no"


def captures(position, boards):
    enemy = (position.color ^ 1) << 3
    kinds = [kind for kind in PIECES if kind & arimaa.Piece.COLOR == enemy]
    before = {kind: count(position.bitBoards[kind]) for kind in kinds}
    found = {kind for board in boards for kind in kinds if count(board[kind]) < before[kind]}
    return "".join(arimaa.Piece.PCHARS[kind] for kind in sorted(found))


def count(bitboard):
    return bin(bitboard).count("1")


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
        "-" if boards is None else can_goal(position, boards),
        "-" if boards is None else captures(position, boards),
    ]


def answer_game(movelist):
    start = arimaa.Position(arimaa.Color.GOLD, 4, arimaa.BLANK_BOARD)
    history = [(start, "-")]  # positions, each with its winner
    fields = []
    for line in movelist.split("\\n"):
        label, _, move = line.strip().partition(" ")
        if move in ("", "resigns", "resign", "lost"):
            continue
        if move == "takeback":
            history.pop()
        else:
            try:
                after = play(*history[-1], move)
            except ValueError as objection:
                fields.append(f"{label} ! {objection}")
                break
            # Setups win nothing, although one side has no rabbits yet.
            history.append((after, winner(after) if len(history) > 2 else "-"))
        now, won_by = history[-1]
        fields.append(f"{label} {now.board_to_str('short')} {won_by}")
    return fields


def play(now, won_by, move):
    """The next position. `do_move_str` leaves two rules to its caller."""
    if won_by != "-":
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
