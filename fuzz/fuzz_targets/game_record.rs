//! Move lists.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hathi_fuzz::feed("game_record", bytes));
