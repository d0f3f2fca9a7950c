//! Squares, labels, steps and turns.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hathi_fuzz::feed("turn_and_step", bytes));
