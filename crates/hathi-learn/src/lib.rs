//! What games teach: phases of the game, features of turns, and models that
//! say which turns a strong player would look at first.
//!
//! | to find | look in |
//! |---|---|
//! | opening, middle game, end game | [`phase`] |
//! | what a turn looks like to a model | [`features`] |
//! | turns to learn from | [`lessons`], [`samples`] |
//! | models and their files | [`models`] |
//! | training and measuring | [`train`], [`evaluate`] |
//! | what drawings share | [`drawing`] |
//! | groups of points, their number found by itself | [`xmeans`] |

pub mod drawing;
pub mod evaluate;
pub mod features;
pub mod lessons;
pub mod models;
pub mod phase;
pub mod samples;
pub mod train;
pub mod xmeans;
