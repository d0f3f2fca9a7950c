//! The pattern language on one screen.

/// The pattern language, for `--help`.
pub const HELP: &str = "\
A pattern is a list of conditions; all of them must hold. Colours and squares
are the real ones, as in notation: upper case Gold, lower case Silver.

  WHAT and WHERE, without a space between:
    Ed4       a gold elephant on d4          hc6     a silver horse on c6
    Gd4       any gold piece on d4           Sd4     any silver piece
    *d4       any piece                      _d4     nothing: d4 is empty
    <Hd4      any piece weaker than a horse  >=Dd4   a dog or stronger
    G<Hd4     a gold one weaker than a horse S>Dd4   a silver one stronger than a dog
    =Hd4      a horse of either side
    !Ed4      not so: no gold elephant there !_d4    d4 is not empty

  Anywhere in an area: WHAT @ AREA
    S<H@near(c6)     on one of the four squares next to c6
    E@trap(f3)       in the 5x5 window of a trap
    H@c3..e5         in a rectangle
    r@file(a)        on a file      m@rank(3..6)   on some ranks
    R@(a7 b7 near(f6))              on any of these
    R@away  r@home   on the half of the opponent, on its own half
    *@home(g)        the half of a named side (also away(s), goal(g))
    R@goal  E@centre  h@edge  C@traps  e@board

  How many squares: in front
    2+R@rank(6..8)   at least 2     2-G@near(f6)   at most 2
    3r@home          exactly 3      2..4*@centre   2 to 4
    !E@board         none: the gold elephant is gone

  Whose turn: g to move, s to move

  Facts, which the rules decide:
    frozen(Hb3)  frozen(G>C)        cannot move       framed(c)  framed
    hostage(m by E)  hostage        camels and horses held near a trap
    captures(h)  captures(h in c6)  the side to move can, this turn
    threatens(hc6)                  could be captured, whoever is to move
    goal in 3                       the side to move can, with so many steps
    gold goal in 4  opponent goal in 2    if it were their turn
    fork  gold fork                 two pieces can be captured
    blockade(E)  blockade           an elephant is shut in
    guards(c3) >= 2  strongest(c3) = E
    material +2                     Gold has two pieces more (-2: fewer)
    gold lost M  silver lost 2r  pieces(g) <= 10
    phase opening                   or middle, end
    move >= 20  rating >= 2000  gold rating >= 2000  gold won  mover won

  The turn that was played there:
    plays Ed5    captures h in c6    gives up a rabbit    ... by g

  One after the other, in turns of either side:
    A then B     A then within 3 turns B     A for 4 turns
    A then never B until C

Join conditions by spaces, commas or `and`; further `or`, `not`, brackets:
  Ed5 hc6 !_c7 S<H@near(c6) g to move
  hostage(m by E) and not (gold lost M or phase end)

Or draw the board, eight rows, with or without a frame; a cell is a piece,
G, S, *, _ (empty) or . (whatever). More conditions may follow below:
  8| . . . . . . . . |
  7| . . * . . . . . |
  6| . . h _ . x . . |
  5| . . . E . . . . |
  4| . . . . . . . . |
  3| . . x . . x . . |
  2| . . . . . . . . |
  1| . . . . . . . . |
  2+R@away, g to move

A search counts colour-flipped and mirrored boards too, unless it is literal.
";
