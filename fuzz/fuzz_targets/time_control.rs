//! Time controls.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hathi_fuzz::feed("time_control", bytes));
