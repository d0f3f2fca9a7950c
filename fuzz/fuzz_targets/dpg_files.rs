//! Directed position graphs.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hathi_fuzz::feed("dpg_files", bytes));
