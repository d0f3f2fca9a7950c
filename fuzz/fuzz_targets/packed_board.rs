//! Boards from damaged bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hathi_fuzz::feed("packed_board", bytes));
