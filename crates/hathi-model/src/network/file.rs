//! Network files: a line of text that says what it is, then the numbers, packed.
//!
//! ```text
//! hathi-network 3 {"inputs":"...","hidden":64,...}\n
//! <gzip of: bias, out, direct, rows, gain, tempo, second layer; little-endian>
//! ```
//!
//! Version 2 had no second layer, version 1 no gains: there they are nothing.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::inputs::ROWS;
use super::{BUCKETS, HIDDEN, Network, SECOND};

const MAGIC: &str = "hathi-network";
const VERSION: u32 = 3;
/// Still read.
const WITHOUT_SECOND_LAYER: u32 = 2;
/// Still read.
const WITHOUT_GAINS: u32 = 1;
/// The inputs this program knows.
const INPUTS: &str = "pieces-states pairs traps 1";
/// A header longer than this is no header.
const LONGEST_HEADER: usize = 1 << 16;

/// Where a network comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// What it is called.
    pub name: String,
    /// What it was trained on.
    pub data: String,
    /// How it was trained.
    pub settings: String,
    /// Positions it was trained on.
    pub positions: u64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    inputs: String,
    rows: usize,
    hidden: usize,
    buckets: usize,
    #[serde(flatten)]
    about: About,
}

/// Why a network cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file is something else.
    #[error("not a network file; `hathi learn network` writes one")]
    NotANetwork,
    /// Of another time.
    #[error(
        "a network of version {0}, expected {VERSION}; train it again with `hathi learn network`"
    )]
    Version(String),
    /// Made for other inputs or another size.
    #[error("a network for other inputs ({0}); train it again with `hathi learn network`")]
    Inputs(String),
    /// The header cannot be read.
    #[error("the header of the network file is damaged: {0}")]
    Header(String),
    /// The numbers cannot be read.
    #[error("the network file is damaged: {0}")]
    Damaged(String),
    /// It cannot be written.
    #[error("cannot write the network: {0}")]
    Write(String),
    /// The file cannot be read.
    #[error("{path}: {why}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        why: String,
    },
    /// The network that is shipped cannot be read.
    #[error("the network shipped cannot be read: {0}")]
    Shipped(String),
}

impl Network {
    /// The network in a file.
    pub fn open(path: &std::path::Path) -> Result<Network, NetworkError> {
        let fail = |why: String| NetworkError::File {
            path: path.display().to_string(),
            why,
        };
        let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
        Network::read(&bytes).map_err(|error| fail(error.to_string()))
    }

    /// The network these bytes of a file are.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        let end = bytes
            .iter()
            .take(LONGEST_HEADER)
            .position(|&byte| byte == b'\n')
            .ok_or(NetworkError::NotANetwork)?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|_| NetworkError::NotANetwork)?;
        let rest = line
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.strip_prefix(' '))
            .ok_or(NetworkError::NotANetwork)?;
        let (version, header) = rest.split_once(' ').ok_or(NetworkError::NotANetwork)?;
        let (gains, second) = match version.parse() {
            Ok(VERSION) => (true, true),
            Ok(WITHOUT_SECOND_LAYER) => (true, false),
            Ok(WITHOUT_GAINS) => (false, false),
            _ => return Err(NetworkError::Version(version.chars().take(20).collect())),
        };
        let header: Header = serde_json::from_str(header)
            .map_err(|error| NetworkError::Header(error.to_string()))?;
        if header.inputs != INPUTS
            || (header.rows, header.hidden, header.buckets) != (ROWS, HIDDEN, BUCKETS)
        {
            return Err(NetworkError::Inputs(format!(
                "{}, {} rows, {} units, {} buckets",
                header.inputs, header.rows, header.hidden, header.buckets
            )));
        }
        let mut wanted = 2 * (HIDDEN + BUCKETS * HIDDEN + ROWS * HIDDEN) + 4 * ROWS;
        if gains {
            wanted += 2 * 2 * BUCKETS * HIDDEN + 4;
        }
        if second {
            wanted += 2 * 2 * HIDDEN * SECOND + 4 * SECOND * (1 + 2 * BUCKETS);
        }
        let mut numbers = Vec::with_capacity(wanted);
        // One byte more than wanted shows that there are too many.
        flate2::read::GzDecoder::new(&bytes[end + 1..])
            .take(wanted as u64 + 1)
            .read_to_end(&mut numbers)
            .map_err(|error| NetworkError::Damaged(error.to_string()))?;
        if numbers.len() != wanted {
            return Err(NetworkError::Damaged(format!(
                "{} bytes of numbers, expected {wanted}",
                numbers.len()
            )));
        }
        let mut numbers = Numbers(&numbers);
        let bias = numbers.units();
        let out = std::array::from_fn(|_| numbers.units());
        let direct = (0..ROWS).map(|_| numbers.long()).collect();
        let rows = (0..ROWS).map(|_| numbers.units()).collect();
        let gain = std::array::from_fn(|_| std::array::from_fn(|_| numbers.units()));
        let tempo = numbers.long();
        // What a file of an earlier version does not have is nothing.
        let second = std::array::from_fn(|_| std::array::from_fn(|_| numbers.shorts()));
        let second_bias = numbers.longs();
        let second_out = std::array::from_fn(|_| numbers.longs());
        let second_gain = std::array::from_fn(|_| numbers.longs());
        Ok(Network {
            second,
            second_bias,
            second_out,
            second_gain,
            rows,
            direct,
            bias,
            out,
            gain,
            tempo,
            about: header.about,
        })
    }

    /// The network as the bytes of a file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetworkError> {
        let fail = |error: String| NetworkError::Write(error);
        let header = Header {
            inputs: INPUTS.to_owned(),
            rows: ROWS,
            hidden: HIDDEN,
            buckets: BUCKETS,
            about: self.about.clone(),
        };
        let header = serde_json::to_string(&header).map_err(|error| fail(error.to_string()))?;
        let mut bytes = format!("{MAGIC} {VERSION} {header}\n").into_bytes();
        let mut packer = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::best());
        let mut numbers = Vec::new();
        for unit in self.bias.iter().chain(self.out.iter().flatten()) {
            numbers.extend(unit.to_le_bytes());
        }
        for direct in &self.direct {
            numbers.extend(direct.to_le_bytes());
        }
        for unit in self.rows.iter().flatten() {
            numbers.extend(unit.to_le_bytes());
        }
        for unit in self.gain.iter().flatten().flatten() {
            numbers.extend(unit.to_le_bytes());
        }
        numbers.extend(self.tempo.to_le_bytes());
        for unit in self.second.as_flattened().as_flattened() {
            numbers.extend(unit.to_le_bytes());
        }
        let second = self
            .second_bias
            .iter()
            .chain(self.second_out.as_flattened());
        for weight in second.chain(self.second_gain.as_flattened()) {
            numbers.extend(weight.to_le_bytes());
        }
        packer
            .write_all(&numbers)
            .and_then(|()| packer.finish().map(|_| ()))
            .map_err(|error| fail(error.to_string()))?;
        Ok(bytes)
    }
}

/// Numbers one after the other; the caller has counted them.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk() {
            Some((bytes, rest)) => {
                self.0 = rest;
                *bytes
            }
            None => [0; N],
        }
    }

    fn shorts<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| i16::from_le_bytes(self.bytes()))
    }

    fn units(&mut self) -> [i16; HIDDEN] {
        self.shorts()
    }

    fn longs(&mut self) -> [i32; SECOND] {
        std::array::from_fn(|_| self.long())
    }

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }
}
