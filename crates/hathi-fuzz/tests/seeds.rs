//! Every fuzz target over its seeds, and over thousands of damaged copies of
//! them: the same ones every time. `HATHI_FUZZ_INPUTS` sets how many.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use hathi_fuzz::{TARGETS, Target};

/// Damaged copies for a cheap target.
const INPUTS: usize = 4000;

/// Beyond this, bytes only take time.
const LONGEST: usize = 1 << 16;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../fuzz/{name}"))
}

/// The seeds of a target, in the order of their names.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = folder(&format!("seeds/{}", target.name));
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let read = |file: &PathBuf| fs::read(file).expect("a seed");
    let mut seeds: Vec<Vec<u8>> = files.iter().map(read).collect();
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    if target.name == "model_files" {
        // Too long to lie beside the others.
        let model = hathi_model::models::Model::shipped_steps().expect("the model of steps");
        seeds.push(model.to_text().expect("its text").into_bytes());
    }
    if target.name == "dpg_files" {
        let shipped = hathi_engine::dpg::SHIPPED.iter();
        seeds.extend(shipped.map(|(_, text)| text.as_bytes().to_vec()));
    }
    seeds
}

/// A small generator of pseudo-random numbers: the same inputs every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end.max(1)
    }
}

/// What parsers stumble over.
const WORDS: [&[u8]; 16] = [
    b"",
    b"0",
    b"-1",
    b"99999999999999999999",
    b"4294967296",
    b"1e309",
    b"NaN",
    b"\0",
    b"\n",
    b"\t",
    b"\\n",
    b" ",
    b"\xff\xfe",
    "\u{e9}\u{1F418}".as_bytes(),
    b"((((((((((((((((",
    b"[[[[[[[[{\"",
];

fn damage(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(24)).min(bytes.len());
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            4 => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..at, word.iter().copied());
            }
            5 => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..end, word.iter().copied());
            }
            6 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

fn feed(target: &Target, bytes: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.feed)(bytes))) {
        eprintln!("{} was fed \"{}\"", target.name, bytes.escape_ascii());
        resume_unwind(panic);
    }
}

fn feed_all(name: &str) {
    let target = Target::by_name(name).expect("a target");
    let seeds = seeds(target);
    for seed in &seeds {
        feed(target, seed);
    }
    let wanted = std::env::var("HATHI_FUZZ_INPUTS").ok();
    let inputs = wanted.map_or(INPUTS, |number| number.parse().expect("a number"));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..inputs / target.cost {
        feed(target, &damage(&seeds, &mut random));
    }
}

/// A test for each target, so that they run side by side; all are named.
macro_rules! feed {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                feed_all(stringify!($name));
            }
        )*

        #[test]
        fn every_target_is_fed_and_has_a_file() {
            let fed = [$(stringify!($name)),*];
            let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(fed.as_slice(), known);
            let manifest = fs::read_to_string(folder("Cargo.toml")).expect("the manifest");
            for name in known {
                assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
                let file = folder(&format!("fuzz_targets/{name}.rs"));
                let text = fs::read_to_string(file).expect("the target's file");
                assert!(text.contains(&format!("feed(\"{name}\", bytes)")), "{name}");
            }
        }
    };
}

feed! {
    aei_lines archive_rows dpg_files game_record index_files model_files packed_board patterns play
    position_text setup time_control turn_and_step
}
