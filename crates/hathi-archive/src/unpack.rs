//! Opens a source, whatever it is wrapped in, as streams of plain bytes.
//!
//! The first bytes decide, never the name. One layer of compression is taken
//! off, and a tar file inside it opened; anything deeper is refused. Member
//! names are for messages only.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

use crate::source::Input;
use crate::text::decode;
use crate::{ArchiveError, ArchiveFault, Format, Place, Source};

/// How much an archive may ask for before it is taken for an attack or an
/// accident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest line, in bytes. Longer ones are skipped.
    pub line: usize,
    /// The most bytes that may come out of one compressed file.
    pub unpacked: u64,
    /// How many times bigger what comes out may be than what went in, once
    /// it is more than [`ratio_from`](Limits::ratio_from) bytes.
    pub ratio: u64,
    /// See [`ratio`](Limits::ratio).
    pub ratio_from: u64,
}

impl Default for Limits {
    /// Lines of 16 MiB, 64 GiB unpacked, 1000:1 beyond 64 MiB.
    fn default() -> Limits {
        Limits {
            line: 16 << 20,
            unpacked: 64 << 30,
            ratio: 1000,
            ratio_from: 64 << 20,
        }
    }
}

/// A stream of plain bytes inside a source.
pub(crate) struct Member<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) reader: &'a mut dyn Read,
}

/// How reading a member went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    Whole,
    /// It broke off with an error, which was reported.
    Broken,
}

/// What to do with the members and the errors between them.
pub(crate) trait Visit {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<(), Health>;
    fn error(&mut self, error: ArchiveError) -> ControlFlow<()>;
}

/// Shows each member of a source to the visitor. `progress` counts the bytes
/// read from the source itself.
pub(crate) fn unpack(
    source: Source,
    limits: Limits,
    progress: &Arc<AtomicU64>,
    visit: &mut dyn Visit,
) -> ControlFlow<()> {
    let name = Arc::clone(&source.name);
    let size = source.size();
    let opened: io::Result<Box<dyn Stream>> = match source.input {
        Input::File(path) => File::open(path).map(|file| Box::new(Seekable(file)) as _),
        Input::Stdin => Ok(Box::new(Forward(io::stdin()))),
        Input::Reader(reader) => Ok(Box::new(Forward(reader))),
    };
    let stream = match opened {
        Ok(stream) => stream,
        Err(error) => return visit.error(file_error(&name, error)),
    };
    let packed = Arc::new(AtomicU64::new(0));
    let mut input = BufReader::with_capacity(
        1 << 17,
        Counted {
            stream,
            counters: [Arc::clone(&packed), Arc::clone(progress)],
        },
    );
    let format = match input.fill_buf() {
        Ok(start) => Format::of(start),
        Err(error) => return visit.error(file_error(&name, error)),
    };
    let mut meter = Meter {
        packed: Packed::Counted(packed),
        unpacked: 0,
        limits,
    };
    match format {
        Format::Plain => {
            let reader = &mut input;
            visit.member(Member { name, reader })?;
            ControlFlow::Continue(())
        }
        Format::Tar => tar_members(&name, &mut input, &mut meter, visit),
        Format::Gzip => {
            let mut unzipped = BufReader::new(MultiGzDecoder::new(input));
            single(&name, &mut unzipped, &mut meter, visit)
        }
        Format::Zstd => match zstd::Decoder::with_buffer(input) {
            Ok(decoder) => single(&name, &mut BufReader::new(decoder), &mut meter, visit),
            Err(error) => visit.error(file_error(&name, error)),
        },
        Format::Zip => {
            if input.get_ref().stream.can_seek() {
                // The same compressed bytes may be listed many times over, so
                // the file's size is the measure.
                meter.packed = Packed::Size(size.unwrap_or(0));
                zip_members(&name, input, &mut meter, visit)
            } else {
                zip_stream(&name, &mut input, &mut meter, visit)
            }
        }
        Format::Xz | Format::Bzip2 | Format::SevenZip => visit.error(ArchiveError {
            place: Place::file(&name),
            fault: ArchiveFault::Unsupported(format),
        }),
    }
}

/// A single compressed stream, perhaps of a tar file.
fn single(
    name: &Arc<str>,
    input: &mut dyn BufRead,
    meter: &mut Meter,
    visit: &mut dyn Visit,
) -> ControlFlow<()> {
    match input.fill_buf().map(Format::of) {
        Ok(Format::Tar) => tar_members(name, &mut meter.measure(input), &mut Meter::off(), visit),
        Ok(_) => {
            plain_member(name, input, meter, visit)?;
            ControlFlow::Continue(())
        }
        Err(error) => visit.error(file_error(name, error)),
    }
}

fn tar_members(
    name: &Arc<str>,
    input: &mut dyn Read,
    meter: &mut Meter,
    visit: &mut dyn Visit,
) -> ControlFlow<()> {
    let mut tar = tar::Archive::new(input);
    let entries = match tar.entries() {
        Ok(entries) => entries,
        Err(error) => return visit.error(file_error(name, error)),
    };
    for entry in entries {
        // After a damaged header nothing can be found any more.
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => return visit.error(file_error(name, error)),
        };
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let member = member_name(name, &entry.path_bytes());
        let mut whole = Exactly {
            left: entry.size(),
            inner: &mut entry,
        };
        let mut input = BufReader::new(&mut whole);
        // What follows a member that broke off cannot be found.
        if plain_member(&member, &mut input, meter, visit)? == Health::Broken {
            break;
        }
    }
    ControlFlow::Continue(())
}

fn zip_members<R: Read + Seek>(
    name: &Arc<str>,
    input: R,
    meter: &mut Meter,
    visit: &mut dyn Visit,
) -> ControlFlow<()> {
    let mut zip = match zip::ZipArchive::new(input) {
        Ok(zip) => zip,
        Err(error) => return visit.error(file_error(name, zip_error(error))),
    };
    for i in 0..zip.len() {
        match zip.by_index(i) {
            Ok(mut file) if file.is_file() => {
                let member = member_name(name, file.name_raw());
                plain_member(&member, &mut BufReader::new(&mut file), meter, visit)?;
            }
            Ok(_) => {}
            Err(error) => visit.error(file_error(name, zip_error(error)))?,
        }
    }
    ControlFlow::Continue(())
}

/// A zip file that cannot be rewound: its members as they come.
fn zip_stream(
    name: &Arc<str>,
    mut input: &mut dyn Read,
    meter: &mut Meter,
    visit: &mut dyn Visit,
) -> ControlFlow<()> {
    loop {
        match zip::read::read_zipfile_from_stream(&mut input) {
            Ok(Some(mut file)) if file.is_file() => {
                let member = member_name(name, file.name_raw());
                let mut input = BufReader::new(&mut file);
                if plain_member(&member, &mut input, meter, visit)? == Health::Broken {
                    return ControlFlow::Continue(());
                }
            }
            Ok(Some(_)) => {}
            Ok(None) => return ControlFlow::Continue(()),
            Err(error) => return visit.error(file_error(name, zip_error(error))),
        }
    }
}

/// Shows a stream that has been unpacked, unless it is packed once more.
fn plain_member(
    name: &Arc<str>,
    input: &mut dyn BufRead,
    meter: &mut Meter,
    visit: &mut dyn Visit,
) -> ControlFlow<(), Health> {
    let fault = match input.fill_buf().map(Format::of) {
        Ok(Format::Plain) => {
            return visit.member(Member {
                name: Arc::clone(name),
                reader: &mut meter.measure(input),
            });
        }
        Ok(nested) => ArchiveFault::Nested(nested),
        Err(error) => fault_of(error),
    };
    let health = match fault {
        ArchiveFault::Nested(_) => Health::Whole,
        _ => Health::Broken,
    };
    visit.error(ArchiveError {
        place: Place::file(name),
        fault,
    })?;
    ControlFlow::Continue(health)
}

fn member_name(file: &str, member: &[u8]) -> Arc<str> {
    const LONGEST: usize = 200;
    let member = &member[..member.len().min(LONGEST)];
    // Control characters have no business on a terminal.
    let member = decode(member).replace(char::is_control, "?");
    format!("{file}: {member}").into()
}

fn zip_error(error: zip::result::ZipError) -> io::Error {
    match error {
        zip::result::ZipError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}

fn file_error(name: &Arc<str>, error: io::Error) -> ArchiveError {
    ArchiveError {
        place: Place::file(name),
        fault: fault_of(error),
    }
}

/// What an error from one of the readers here means.
pub(crate) fn fault_of(error: io::Error) -> ArchiveFault {
    if let Some(fault) = error
        .get_ref()
        .and_then(|e| e.downcast_ref::<ArchiveFault>())
    {
        return fault.clone();
    }
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return ArchiveFault::Truncated;
    }
    ArchiveFault::Io(Arc::new(error))
}

impl Format {
    /// Recognises a format by its first bytes.
    pub(crate) fn of(start: &[u8]) -> Format {
        match start {
            [0x1f, 0x8b, ..] => Format::Gzip,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Format::Zip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Format::Zstd,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Format::Xz,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Format::Bzip2,
            [b'7', b'z', 0xbc, 0xaf, ..] => Format::SevenZip,
            _ if start.get(257..262) == Some(b"ustar") => Format::Tar,
            _ => Format::Plain,
        }
    }
}

/// A source of bytes that may or may not be able to go back.
trait Stream: Read {
    fn can_seek(&self) -> bool;
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64>;
}

struct Seekable(File);

struct Forward<R>(R);

impl Read for Seekable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Stream for Seekable {
    /// A named pipe is a file that cannot.
    fn can_seek(&self) -> bool {
        self.0.metadata().is_ok_and(|meta| meta.is_file())
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl<R: Read> Read for Forward<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: Read> Stream for Forward<R> {
    fn can_seek(&self) -> bool {
        false
    }

    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Counts what is read from a source.
struct Counted {
    stream: Box<dyn Stream>,
    counters: [Arc<AtomicU64>; 2],
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.stream.read(buffer)?;
        for counter in &self.counters {
            counter.fetch_add(n as u64, Ordering::Relaxed);
        }
        Ok(n)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.stream.seek(to)
    }
}

/// Notices when less comes than was announced.
struct Exactly<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Exactly<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        if n == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left = self.left.saturating_sub(n as u64);
        Ok(n)
    }
}

/// What has gone into unpacking so far.
enum Packed {
    Counted(Arc<AtomicU64>),
    Size(u64),
}

/// Watches how much comes out.
struct Meter {
    packed: Packed,
    unpacked: u64,
    limits: Limits,
}

impl Meter {
    /// For what is measured already.
    fn off() -> Meter {
        Meter {
            packed: Packed::Size(u64::MAX),
            unpacked: 0,
            limits: Limits {
                unpacked: u64::MAX,
                ..Limits::default()
            },
        }
    }

    fn measure<'a>(&'a mut self, inner: &'a mut dyn Read) -> Measured<'a> {
        Measured { inner, meter: self }
    }

    fn add(&mut self, n: usize) -> Result<(), ArchiveFault> {
        self.unpacked += n as u64;
        let limits = self.limits;
        if self.unpacked > limits.unpacked {
            return Err(ArchiveFault::TooBig {
                limit: limits.unpacked,
            });
        }
        let packed = match &self.packed {
            Packed::Counted(counter) => counter.load(Ordering::Relaxed),
            Packed::Size(size) => *size,
        };
        if self.unpacked > limits.ratio_from && self.unpacked > packed.saturating_mul(limits.ratio)
        {
            return Err(ArchiveFault::TooDense {
                unpacked: self.unpacked,
                packed,
                limit: limits.ratio,
            });
        }
        Ok(())
    }
}

struct Measured<'a> {
    inner: &'a mut dyn Read,
    meter: &'a mut Meter,
}

impl Read for Measured<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.meter.add(n).map_err(io::Error::other)?;
        Ok(n)
    }
}
