//! What is explained to who plays.

/// How to play and what can be typed.
pub(super) const HELP: &str = "\
How to write a move
  A step is a piece, its square, and where it goes: n north (up), s south (down), e east
  (right), w west (left). Ee2n is the elephant from e2 one square up, to e3. The letter of the
  piece may be left out: e2n. Up to four steps make a turn: Ee2n Ee3n Ee4n
  Capital letters are Gold's pieces, small ones Silver's, strongest first:
  E elephant, M camel, H horse, D dog, C cat, R rabbit.
  To push, move the enemy first, then your piece after it:   hc4n Ec3n
  To pull, move your piece first, then the enemy after it:   Ec3s hc4s
  A piece on a trap (c3 f3 c6 f6) without a friend beside it is lost. A piece beside a stronger
  enemy and without a friend beside it is frozen, marked ° (or *). Rabbits do not go back.
  Bring a rabbit to the other end of the board to win.

What else you can type
  steps          every step you can begin with; steps e2 only those of the piece on e2
  hint           what the memory or the engine would play
  undo           take back your last move and the answer to it
  board          the board again
  moves          the game so far
  save FILE      write the game to a file
  resign         give up
  quit           leave (the game is not kept)";

/// How to set up.
pub(super) const SETUP: &str = "\
Place your pieces: press Enter for the first, type the number of another, or place all sixteen
yourself, as in: Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
