//! Files of step networks: a line of text that says what it is, then the
//! numbers, packed.
//!
//! ```text
//! hathi-steps 1 {"inputs":"...","hidden":64,...}\n
//! <gzip of: first layer, its bias, rows, what each counts alone, the tables; little-endian>
//! ```

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::{
    BESIDE_ENTRIES, MEETS_ENTRIES, RECENT_ENTRIES, STEP_HIDDEN, STEP_ROWS, STEP_UNITS, StepNetwork,
};
use crate::network::inputs::ROWS;

const MAGIC: &str = "hathi-steps 1 ";
/// The inputs this program knows.
const INPUTS: &str = "pieces-states pairs traps 1; beside meets recent 1";
/// A header longer than this is no header.
const LONGEST_HEADER: usize = 1 << 16;

/// So many numbers of two bytes.
const SHORTS: usize = STEP_HIDDEN + STEP_ROWS * 4 + BESIDE_ENTRIES + MEETS_ENTRIES + RECENT_ENTRIES;
/// So many numbers of one byte.
const BYTES: usize = ROWS * STEP_HIDDEN + STEP_ROWS * STEP_UNITS;

/// Where a network of steps comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutSteps {
    /// What it is called.
    pub name: String,
    /// What it was trained on.
    pub data: String,
    /// How it was trained.
    pub settings: String,
    /// Points of turns it was trained on.
    pub points: u64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    inputs: String,
    rows: usize,
    hidden: usize,
    #[serde(flatten)]
    about: AboutSteps,
}

/// Why a network of steps cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StepNetworkError {
    /// The file is something else.
    #[error("not a network of steps; `hathi learn steps` writes one")]
    NotOurs,
    /// Made for other inputs or another size.
    #[error("a network of steps for other inputs ({0}); train it again with `hathi learn steps`")]
    Inputs(String),
    /// The header cannot be read.
    #[error("the header of the network of steps is damaged: {0}")]
    Header(String),
    /// The numbers cannot be read.
    #[error("the network of steps is damaged: {0}")]
    Damaged(String),
    /// It cannot be written.
    #[error("cannot write the network of steps: {0}")]
    Write(String),
    /// The one that is shipped cannot be read.
    #[error("the network of steps that is shipped cannot be read: {0}")]
    Shipped(String),
}

impl StepNetwork {
    /// Do these bytes of a file begin as a network of steps does?
    pub fn is_meant(bytes: &[u8]) -> bool {
        bytes.starts_with(b"hathi-steps ")
    }

    /// The network these bytes of a file are.
    pub fn read(bytes: &[u8]) -> Result<StepNetwork, StepNetworkError> {
        let end = bytes
            .iter()
            .take(LONGEST_HEADER)
            .position(|&byte| byte == b'\n')
            .ok_or(StepNetworkError::NotOurs)?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|_| StepNetworkError::NotOurs)?;
        let header = line.strip_prefix(MAGIC).ok_or(StepNetworkError::NotOurs)?;
        let header: Header = serde_json::from_str(header)
            .map_err(|error| StepNetworkError::Header(error.to_string()))?;
        if header.inputs != INPUTS || (header.rows, header.hidden) != (ROWS, STEP_HIDDEN) {
            return Err(StepNetworkError::Inputs(format!(
                "{}, {} rows, {} units",
                header.inputs, header.rows, header.hidden
            )));
        }
        let wanted = BYTES + 2 * SHORTS;
        let mut numbers = Vec::with_capacity(wanted);
        // One byte more than wanted shows that there are too many.
        flate2::read::GzDecoder::new(&bytes[end + 1..])
            .take(wanted as u64 + 1)
            .read_to_end(&mut numbers)
            .map_err(|error| StepNetworkError::Damaged(error.to_string()))?;
        if numbers.len() != wanted {
            return Err(StepNetworkError::Damaged(format!(
                "{} bytes of numbers, expected {wanted}",
                numbers.len()
            )));
        }
        let mut network = StepNetwork::nothing(header.about);
        let (bytes, shorts) = numbers.split_at(BYTES);
        let weights = network.first.as_flattened_mut().iter_mut();
        for (weight, &byte) in weights.chain(network.rows.as_flattened_mut()).zip(bytes) {
            // So that two products fit two bytes.
            *weight = byte.cast_signed().max(-i8::MAX);
        }
        for (number, &bytes) in network.shorts_mut().zip(shorts.as_chunks::<2>().0) {
            *number = i16::from_le_bytes(bytes);
        }
        Ok(network)
    }

    /// The network as the bytes of a file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StepNetworkError> {
        let fail = |error: String| StepNetworkError::Write(error);
        let header = Header {
            inputs: INPUTS.to_owned(),
            rows: ROWS,
            hidden: STEP_HIDDEN,
            about: self.about.clone(),
        };
        let header = serde_json::to_string(&header).map_err(|error| fail(error.to_string()))?;
        let mut bytes = format!("{MAGIC}{header}\n").into_bytes();
        let mut packer = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::best());
        let weights = self.first.as_flattened().iter();
        let mut numbers: Vec<u8> = weights
            .chain(self.rows.as_flattened())
            .map(|weight| weight.cast_unsigned())
            .collect();
        let shorts = self.first_bias.iter().chain(self.alone.as_flattened());
        let tables = shorts.chain(&self.beside).chain(&self.meets);
        for number in tables.chain(&self.recent) {
            numbers.extend(number.to_le_bytes());
        }
        packer
            .write_all(&numbers)
            .and_then(|()| packer.finish().map(|_| ()))
            .map_err(|error| fail(error.to_string()))?;
        Ok(bytes)
    }

    /// One that knows nothing.
    pub fn nothing(about: AboutSteps) -> StepNetwork {
        StepNetwork {
            first: vec![[0; STEP_HIDDEN]; ROWS],
            first_bias: [0; STEP_HIDDEN],
            rows: vec![[0; STEP_UNITS]; STEP_ROWS],
            alone: vec![[0; 4]; STEP_ROWS],
            beside: vec![0; BESIDE_ENTRIES],
            meets: vec![0; MEETS_ENTRIES],
            recent: vec![0; RECENT_ENTRIES],
            about,
        }
    }

    fn shorts_mut(&mut self) -> impl Iterator<Item = &mut i16> {
        let shorts = self.first_bias.iter_mut();
        shorts
            .chain(self.alone.as_flattened_mut())
            .chain(&mut self.beside)
            .chain(&mut self.meets)
            .chain(&mut self.recent)
    }
}
