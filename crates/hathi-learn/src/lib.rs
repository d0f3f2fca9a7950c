//! What games teach: phases of the game, features of turns, and models that
//! say which turns a strong player would look at first.
//!
//! | to find | look in |
//! |---|---|
//! | opening, middle game, end game | [`phase`] |
//! | groups of points, their number found by itself | [`xmeans`] |

pub mod phase;
pub mod xmeans;
