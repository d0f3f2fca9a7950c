//! Network files: a line of text that says what it is, then the numbers, packed.
//!
//! ```text
//! hathi-network 4 {"inputs":"...","hidden":64,...}\n
//! <gzip of: bias, out, direct, rows, gain, tempo, second layer; little-endian>
//! ```
//!
//! Up to version 3 being on move was worth in proportion to the steps left, so gains stood there
//! once and not for each number of steps; version 2 had no second layer, version 1 no gains: there they
//! are nothing.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::inputs::ROWS;
use super::{BUCKETS, HIDDEN, LEFT, Network, SECOND};

const MAGIC: &str = "hathi-network";
const VERSION: u32 = 4;
/// Still read.
const IN_PROPORTION: u32 = 3;
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
        // How often gains stand there, and whether there is a second layer.
        let version: u32 = version
            .parse()
            .map_err(|_| NetworkError::Version(version.chars().take(20).collect()))?;
        let (gains, second) = match version {
            VERSION => (LEFT, true),
            IN_PROPORTION => (1, true),
            WITHOUT_SECOND_LAYER => (1, false),
            WITHOUT_GAINS => (0, false),
            _ => return Err(NetworkError::Version(version.to_string())),
        };
        let header: Header = serde_json::from_str(header)
            .map_err(|error| NetworkError::Header(error.to_string()))?;
        // Fewer units, as networks had before, are the same network with units that are nothing.
        let hidden = header.hidden;
        if header.inputs != INPUTS
            || (header.rows, header.buckets) != (ROWS, BUCKETS)
            || !(2..=HIDDEN).contains(&hidden)
            || !hidden.is_multiple_of(2)
        {
            return Err(NetworkError::Inputs(format!(
                "{}, {} rows, {} units, {} buckets",
                header.inputs, header.rows, header.hidden, header.buckets
            )));
        }
        let mut wanted = 2 * (hidden + BUCKETS * hidden + ROWS * hidden) + 4 * ROWS;
        wanted += gains * (2 * 2 * BUCKETS * hidden + 4);
        if second {
            // The other view has gains of its own only where steps left have.
            let views = if gains == LEFT { 2 } else { 1 };
            wanted += 2 * 2 * hidden * SECOND + 4 * SECOND * (1 + BUCKETS);
            wanted += 4 * SECOND * BUCKETS * gains * views;
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
        let mut numbers = Numbers {
            bytes: &numbers,
            hidden,
        };
        let bias = numbers.units();
        let out = std::array::from_fn(|_| numbers.units());
        let direct = (0..ROWS).map(|_| numbers.long()).collect();
        let rows = (0..ROWS).map(|_| numbers.units()).collect();
        let mut by_step = std::array::from_fn::<_, LEFT, _>(|_| GainsWith::NOTHING);
        let read = &mut by_step[..gains];
        for gains in read.iter_mut() {
            gains.gain = std::array::from_fn(|_| std::array::from_fn(|_| numbers.units()));
        }
        for gains in read.iter_mut() {
            gains.tempo = numbers.long();
        }
        // What a file of an earlier version does not have is nothing.
        let second = std::array::from_fn(|_| numbers.pairs());
        let second_bias = numbers.longs();
        let second_out = std::array::from_fn(|_| numbers.longs());
        for gains in &mut by_step[..gains] {
            for views in &mut gains.second_gain {
                views[0] = numbers.longs();
                if version == VERSION {
                    views[1] = numbers.longs();
                }
            }
        }
        if version != VERSION {
            let all = by_step[0].clone();
            by_step = std::array::from_fn(|place| all.in_proportion(place as i32 + 1));
        }
        let gain = by_step.each_ref().map(|gains| gains.gain);
        let second_gain = by_step.each_ref().map(|gains| gains.second_gain);
        let tempo = by_step.map(|gains| gains.tempo);
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
        for unit in self.gain.as_flattened().as_flattened().as_flattened() {
            numbers.extend(unit.to_le_bytes());
        }
        for tempo in self.tempo {
            numbers.extend(tempo.to_le_bytes());
        }
        for unit in self.second.as_flattened().as_flattened() {
            numbers.extend(unit.to_le_bytes());
        }
        let second = self
            .second_bias
            .iter()
            .chain(self.second_out.as_flattened());
        let gains = self.second_gain.as_flattened().as_flattened();
        for weight in second.chain(gains.as_flattened()) {
            numbers.extend(weight.to_le_bytes());
        }
        packer
            .write_all(&numbers)
            .and_then(|()| packer.finish().map(|_| ()))
            .map_err(|error| fail(error.to_string()))?;
        Ok(bytes)
    }
}

/// What being on move is worth with some number of steps left.
#[derive(Clone)]
struct GainsWith {
    gain: [[[i16; HIDDEN]; 2]; BUCKETS],
    second_gain: [[[i32; SECOND]; 2]; BUCKETS],
    tempo: i32,
}

impl GainsWith {
    const NOTHING: GainsWith = GainsWith {
        gain: [[[0; HIDDEN]; 2]; BUCKETS],
        second_gain: [[[0; SECOND]; 2]; BUCKETS],
        tempo: 0,
    };

    /// From what a whole turn is worth: the side on move has as much of it as it
    /// has steps left, the other as many as are gone. Rounded, so with one to
    /// three steps left some hundredths of a rabbit off.
    fn in_proportion(&self, left: i32) -> GainsWith {
        let gone = 4 - left;
        let part = |whole: i32, other: i32| {
            let four = left
                .wrapping_mul(whole)
                .wrapping_sub(gone.wrapping_mul(other));
            four.wrapping_add(2 * four.signum()) / 4
        };
        let mut gains = GainsWith::NOTHING;
        for (to, from) in gains.gain.iter_mut().zip(&self.gain) {
            for unit in 0..HIDDEN {
                let (own, other) = (i32::from(from[0][unit]), i32::from(from[1][unit]));
                to[0][unit] = part(own, other) as i16;
                to[1][unit] = part(other, own) as i16;
            }
        }
        for (to, from) in gains.second_gain.iter_mut().zip(&self.second_gain) {
            for unit in 0..SECOND {
                to[0][unit] = part(from[0][unit], 0);
                to[1][unit] = part(0, from[0][unit]);
            }
        }
        gains.tempo = part(self.tempo, self.tempo);
        gains
    }
}

/// Numbers one after the other; the caller has counted them.
struct Numbers<'a> {
    bytes: &'a [u8],
    /// Units of the first layer that the file has.
    hidden: usize,
}

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        match self.bytes.split_first_chunk() {
            Some((bytes, rest)) => {
                self.bytes = rest;
                *bytes
            }
            None => [0; N],
        }
    }

    fn shorts<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| i16::from_le_bytes(self.bytes()))
    }

    fn units(&mut self) -> [i16; HIDDEN] {
        let mut units = [0; HIDDEN];
        for unit in units.iter_mut().take(self.hidden) {
            *unit = i16::from_le_bytes(self.bytes());
        }
        units
    }

    /// What the second layer makes of the first, two units at a time.
    fn pairs(&mut self) -> [[i16; 2 * SECOND]; HIDDEN / 2] {
        let mut pairs = [[0; 2 * SECOND]; HIDDEN / 2];
        for pair in pairs.iter_mut().take(self.hidden / 2) {
            *pair = self.shorts();
        }
        pairs
    }

    fn longs(&mut self) -> [i32; SECOND] {
        std::array::from_fn(|_| self.long())
    }

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }
}
