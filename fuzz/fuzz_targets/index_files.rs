//! Damaged index files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hathi_fuzz::feed("index_files", bytes));
