//! Games of self-play on disk.
//!
//! ```text
//! hathi-selfplay 2 {"engine":"hathi","nodes":5000,...}\n
//! game: number u64, positions u32, winner u8, 3 unused bytes, checksum u32
//!   position: board 32 bytes, score i32, depth u8, side u8, steps taken of the turn u8, steps chosen u8,
//!     the steps chosen 4 times u16, squares the opponent's last turn changed u64, squares this turn has u64
//! game: ...
//! ```
//!
//! Version 1 had no steps and no squares, and is still read.
//!
//! Little-endian. The checksum (CRC-32) is that of the game's positions and of
//! the head before it.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hathi_rules::{Bitboard, PackedBoard, Side, Step, Turn};

use super::{Settings, Standing};

const MAGIC: &str = "hathi-selfplay 2 ";
/// Still read.
const WITHOUT_TURNS: &str = "hathi-selfplay 1 ";
const HEAD: usize = 8 + 4 + 1 + 3 + 4;
const POSITION: usize = SHORT_POSITION + 8 + 8 + 8;
/// Without turns.
const SHORT_POSITION: usize = 32 + 4 + 1 + 1 + 2;
/// A game has fewer positions than this.
const MOST_POSITIONS: u32 = 10_000;
/// A header longer than this is none.
const LONGEST_HEADER: usize = 1 << 16;

/// A position of a game, most often at the start of a turn, and what the search thought of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedPosition {
    /// The board.
    pub board: PackedBoard,
    /// Who was to move.
    pub side: Side,
    /// Hundredths of a rabbit, for that side.
    pub score: i32,
    /// Steps the search had looked through.
    pub depth: u8,
    /// Steps of the turn that were taken already, up to three.
    pub taken: u8,
    /// What the search chose to do from here; empty if that is not known.
    pub turn: Turn,
    /// Squares the opponent's last turn has changed, as far as is known.
    pub changed: Bitboard,
    /// Squares the steps taken already have changed.
    pub moved: Bitboard,
}

/// A game as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its number, from which with the seed it can be played again.
    pub number: u64,
    /// Who won, if anybody.
    pub winner: Option<Side>,
    /// Its positions, without those where a random turn was played.
    pub positions: Vec<PlayedPosition>,
}

impl PlayedGame {
    /// The first position after which no random turn was played, as far as can be seen: positions
    /// with one are left out, so the same side is on move twice in a row. (Two at once do not show.)
    pub fn chosen_to_the_end(&self) -> usize {
        let pairs = self.positions.windows(2);
        let last = pairs.rev().position(|pair| pair[0].side == pair[1].side);
        last.map_or(0, |from_end| self.positions.len() - 1 - from_end)
    }
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file itself.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is something else.
    #[error("{0}: not a file of self-play; `hathi learn selfplay` writes one")]
    NotOurs(PathBuf),
    /// It was begun by an earlier version of this program.
    #[error("{0}: begun by an earlier version; name another file")]
    Earlier(PathBuf),
    /// It was begun with other settings.
    #[error("{path}: begun with other settings ({theirs}); name another file or use those")]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// What it says.
        theirs: String,
    },
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> OpenError + '_ {
    |error| OpenError::Io {
        path: path.to_owned(),
        error,
    }
}

/// A file that games are added to.
pub struct Record {
    path: PathBuf,
    file: File,
    numbers: Vec<u64>,
    positions: u64,
}

impl Record {
    /// Opens a file, or makes it; what is not a whole game at its end is cut off.
    pub fn open(path: &Path, settings: &Settings) -> Result<Record, OpenError> {
        let fail = io(path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(&fail)?;
        let header = serde_json::to_string(settings).unwrap_or_default();
        let mut record = Record {
            path: path.to_owned(),
            numbers: Vec::new(),
            positions: 0,
            file: file.try_clone().map_err(&fail)?,
        };
        if file.metadata().map_err(&fail)?.len() == 0 {
            file.write_all(format!("{MAGIC}{header}\n").as_bytes())
                .map_err(&fail)?;
            return Ok(record);
        }
        let mut games = Games::open(path)?;
        if games.position != POSITION {
            return Err(OpenError::Earlier(path.to_owned()));
        }
        if games.settings != *settings {
            return Err(OpenError::OtherSettings {
                path: path.to_owned(),
                theirs: serde_json::to_string(&games.settings).unwrap_or_default(),
            });
        }
        while let Some(game) = games.next_game() {
            record.numbers.push(game.number);
            record.positions += game.positions.len() as u64;
        }
        file.set_len(games.whole).map_err(&fail)?;
        file.seek(SeekFrom::End(0)).map_err(&fail)?;
        Ok(record)
    }

    /// The numbers of the games in it.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.numbers.iter().copied()
    }

    /// What is in it.
    pub fn standing(&self) -> Standing {
        Standing {
            games: self.numbers.len() as u64,
            positions: self.positions,
        }
    }

    /// Adds a game, in one piece.
    pub fn append(&mut self, game: &PlayedGame) -> Result<(), OpenError> {
        let mut bytes = Vec::with_capacity(HEAD + POSITION * game.positions.len());
        bytes.extend(game.number.to_le_bytes());
        bytes.extend((game.positions.len() as u32).to_le_bytes());
        bytes.push(match game.winner {
            Some(Side::Gold) => 0,
            Some(Side::Silver) => 1,
            None => 2,
        });
        bytes.extend([0; 3]);
        let mut positions = Vec::with_capacity(POSITION * game.positions.len());
        for position in &game.positions {
            positions.extend(position.board.0);
            positions.extend(position.score.to_le_bytes());
            positions.push(position.depth);
            positions.push(position.side as u8);
            let steps = position.turn.steps();
            positions.extend([position.taken, steps.len() as u8]);
            for index in 0..Turn::MAX_STEPS {
                let bits = steps.get(index).map_or(0, |step| step.to_bits());
                positions.extend(bits.to_le_bytes());
            }
            positions.extend(position.changed.0.to_le_bytes());
            positions.extend(position.moved.0.to_le_bytes());
        }
        let mut sum = flate2::Crc::new();
        sum.update(&bytes);
        sum.update(&positions);
        bytes.extend(sum.sum().to_le_bytes());
        bytes.extend(positions);
        self.file.write_all(&bytes).map_err(io(&self.path))?;
        self.numbers.push(game.number);
        self.positions += game.positions.len() as u64;
        Ok(())
    }
}

/// Games read from a file one after the other.
pub struct Games {
    reader: BufReader<File>,
    /// How they were played.
    pub settings: Settings,
    /// Bytes up to the end of the last whole game.
    whole: u64,
    /// Bytes of a position.
    position: usize,
}

impl Games {
    /// Opens a file of games.
    pub fn open(path: &Path) -> Result<Games, OpenError> {
        let fail = io(path);
        let mut reader = BufReader::new(File::open(path).map_err(&fail)?);
        let mut header = Vec::new();
        let mut byte = [0];
        loop {
            if header.len() > LONGEST_HEADER || reader.read(&mut byte).map_err(&fail)? == 0 {
                return Err(OpenError::NotOurs(path.to_owned()));
            }
            if byte[0] == b'\n' {
                break;
            }
            header.push(byte[0]);
        }
        let text = std::str::from_utf8(&header).unwrap_or_default();
        let (position, text) = match text.strip_prefix(MAGIC) {
            Some(rest) => (POSITION, Some(rest)),
            None => (SHORT_POSITION, text.strip_prefix(WITHOUT_TURNS)),
        };
        let settings = text
            .and_then(|text| serde_json::from_str(text).ok())
            .ok_or_else(|| OpenError::NotOurs(path.to_owned()))?;
        Ok(Games {
            reader,
            settings,
            position,
            whole: header.len() as u64 + 1,
        })
    }

    /// Bytes up to the end of the last whole game.
    pub fn read_so_far(&self) -> u64 {
        self.whole
    }

    /// The next game; none at the end, or where the file is damaged.
    pub fn next_game(&mut self) -> Option<PlayedGame> {
        let mut head = [0; HEAD];
        self.reader.read_exact(&mut head).ok()?;
        let number = u64::from_le_bytes(head[..8].try_into().ok()?);
        let count = u32::from_le_bytes(head[8..12].try_into().ok()?);
        let winner = match head[12] {
            0 => Some(Side::Gold),
            1 => Some(Side::Silver),
            2 => None,
            _ => return None,
        };
        if count > MOST_POSITIONS {
            return None;
        }
        let mut bytes = vec![0; count as usize * self.position];
        self.reader.read_exact(&mut bytes).ok()?;
        let mut sum = flate2::Crc::new();
        sum.update(&head[..16]);
        sum.update(&bytes);
        if sum.sum() != u32::from_le_bytes(head[16..].try_into().ok()?) {
            return None;
        }
        let positions = bytes.chunks_exact(self.position).map(|bytes| {
            let (bytes, more) = bytes.split_at(SHORT_POSITION);
            let (turn, changed, moved) = read_turn(bytes[39], more)?;
            Some(PlayedPosition {
                board: PackedBoard(bytes[..32].try_into().ok()?),
                score: i32::from_le_bytes(bytes[32..36].try_into().ok()?),
                depth: bytes[36],
                side: match bytes[37] {
                    0 => Side::Gold,
                    1 => Side::Silver,
                    _ => return None,
                },
                taken: match bytes[38] {
                    taken @ ..=3 => taken,
                    _ => return None,
                },
                turn,
                changed,
                moved,
            })
        });
        let positions = positions.collect::<Option<Vec<_>>>()?;
        self.whole += (HEAD + bytes.len()) as u64;
        Some(PlayedGame {
            number,
            winner,
            positions,
        })
    }
}

/// The steps chosen and the squares changed of a position; none if they make no sense.
fn read_turn(steps: u8, bytes: &[u8]) -> Option<(Turn, Bitboard, Bitboard)> {
    if bytes.is_empty() {
        return Some((Turn::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY));
    }
    let mut turn = Turn::EMPTY;
    for bits in bytes[..8].as_chunks::<2>().0.get(..usize::from(steps))? {
        turn.push(Step::from_bits(u16::from_le_bytes(*bits))?)
            .ok()?;
    }
    let squares = |bytes: &[u8]| Some(Bitboard(u64::from_le_bytes(bytes.try_into().ok()?)));
    Some((turn, squares(&bytes[8..16])?, squares(&bytes[16..])?))
}
