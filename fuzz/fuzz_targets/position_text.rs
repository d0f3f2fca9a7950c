//! Positions in both forms.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hathi_fuzz::feed("position_text", bytes));
