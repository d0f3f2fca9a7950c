//! "Leveraging Game Phase in Arimaa" (Choksi, Ebrahim-Zadeh, Mohan, 2013), done
//! again.

pub mod ordering;
pub mod table1;
