//! Writing archives, in the form of the real files: every other Arimaa tool
//! can read them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use hathi_rules::{Game, GameRecord, Label, Outcome, Side};

use crate::text::encode;
use crate::{ArchivedGame, Column, Player, RawRow};

/// Writes games in the archive format, to a file or any other writer.
///
/// ```
/// use hathi_archive::{ArchiveWriter, ArchivedGame, GameId};
/// let mut writer = ArchiveWriter::new(Vec::new())?;
/// writer.write(&ArchivedGame {
///     id: GameId::new(7).unwrap(),
///     movelist: b"1w".to_vec(),
///     ..ArchivedGame::default()
/// })?;
/// let text = String::from_utf8(writer.finish()?)?;
/// assert!(text.starts_with("id\twplayerid\tbplayerid\twusername\t"));
/// assert!(text.ends_with("\t0\t1w\tNULL\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveWriter<W: Write> {
    out: W,
    /// The line being put together.
    line: Vec<u8>,
}

impl<W: Write> ArchiveWriter<W> {
    /// Writes the header.
    pub fn new(out: W) -> io::Result<ArchiveWriter<W>> {
        let mut writer = ArchiveWriter::without_header(out);
        writer.out.write_all(&header())?;
        Ok(writer)
    }

    /// Writes rows only, to go on with an archive begun before.
    pub fn without_header(out: W) -> ArchiveWriter<W> {
        ArchiveWriter {
            out,
            line: Vec::new(),
        }
    }

    /// Writes a game.
    pub fn write(&mut self, game: &ArchivedGame) -> io::Result<()> {
        self.line.clear();
        write_game(&mut self.line, game);
        self.out.write_all(&self.line)
    }

    /// Writes a row as it was read, byte by byte, in the columns of the real
    /// files. Columns it lacks are empty, columns that are not known are left
    /// out.
    pub fn write_row(&mut self, row: &RawRow<'_>) -> io::Result<()> {
        self.line.clear();
        for column in Column::ALL {
            if column != Column::Id {
                self.line.push(b'\t');
            }
            self.line
                .extend_from_slice(row.raw(column).unwrap_or_default());
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    /// Rows already in the archive format, line ends included.
    pub(crate) fn write_lines(&mut self, lines: &[u8]) -> io::Result<()> {
        self.out.write_all(lines)
    }

    /// Writes what is still on its way, and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl ArchiveWriter<PackedFile> {
    /// Creates a file, compressed if its name ends with `.gz` or `.zst`. Close
    /// it with [`PackedFile::close`] after [`finish`](ArchiveWriter::finish),
    /// or it lacks its end.
    pub fn create(path: impl AsRef<Path>) -> io::Result<ArchiveWriter<PackedFile>> {
        ArchiveWriter::new(PackedFile::create(path.as_ref())?)
    }
}

/// A file that is compressed while it is written.
pub struct PackedFile(Packing);

enum Packing {
    Plain(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
    Zstd(Box<zstd::Encoder<'static, BufWriter<File>>>),
}

impl PackedFile {
    /// Creates a file; the ending of its name says how it is compressed.
    pub fn create(path: &Path) -> io::Result<PackedFile> {
        let file = BufWriter::with_capacity(1 << 17, File::create(path)?);
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        Ok(PackedFile(match ending.as_str() {
            "gz" => Packing::Gzip(Box::new(GzEncoder::new(
                file,
                flate2::Compression::default(),
            ))),
            "zst" => Packing::Zstd(Box::new(zstd::Encoder::new(file, 3)?)),
            _ => Packing::Plain(file),
        }))
    }

    /// Writes the end of the compressed data and sees the file safely to the
    /// disk.
    pub fn close(self) -> io::Result<()> {
        let file = match self.0 {
            Packing::Plain(file) => file,
            Packing::Gzip(encoder) => encoder.finish()?,
            Packing::Zstd(encoder) => encoder.finish()?,
        };
        file.into_inner()?.sync_all()
    }
}

impl Write for PackedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Packing::Plain(file) => file.write(bytes),
            Packing::Gzip(encoder) => encoder.write(bytes),
            Packing::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Packing::Plain(file) => file.flush(),
            Packing::Gzip(encoder) => encoder.flush(),
            Packing::Zstd(encoder) => encoder.flush(),
        }
    }
}

impl std::fmt::Debug for PackedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PackedFile")
    }
}

impl ArchivedGame {
    /// The moves of a game that was played, and how it ended. `off_board` is
    /// for an end that the board does not show: time, resignation.
    #[must_use]
    pub fn with_game(mut self, game: &Game, off_board: Option<Outcome>) -> ArchivedGame {
        let outcome = game.outcome().or(off_board);
        self.result = outcome.and_then(|outcome| outcome.winner);
        self.termination = outcome.map(|outcome| outcome.termination);
        let record = GameRecord::of_game(game);
        self.last_move = record.moves.last().map(|(label, _)| label.number);
        self.movelist = movelist(&record, game.next_label());
        self
    }
}

/// A move list as the archive has it: `w` and `b`, literal `\n`, and the
/// empty label of the side to move at the end.
fn movelist(record: &GameRecord, next: Label) -> Vec<u8> {
    let mut text = Vec::with_capacity(record.moves.len() * 24 + 80);
    for (label, action) in &record.moves {
        let _ = write!(text, "{}{} {action}\\n", label.number, letter(label.side));
    }
    let _ = write!(text, "{}{}", next.number, letter(next.side));
    text
}

/// The letter of the archive: older than the words Gold and Silver.
pub(crate) const fn letter(side: Side) -> char {
    match side {
        Side::Gold => 'w',
        Side::Silver => 'b',
    }
}

/// The header line of the real files.
pub(crate) fn header() -> Vec<u8> {
    let mut line = Column::ALL.map(Column::name).join("\t").into_bytes();
    line.push(b'\n');
    line
}

/// Appends a row, line end included.
pub(crate) fn write_game(line: &mut Vec<u8>, game: &ArchivedGame) {
    let both = |f: fn(&Player) -> Field<'_>| [f(&game.players.gold), f(&game.players.silver)];
    let id = game.id.to_string();
    let fields: [&[Field<'_>]; 9] = [
        &[Field::Text(&id)],
        &both(|p| Field::Number(Some(p.id.map_or(0, u64::cast_signed)))),
        &both(|p| Field::Text(&p.name)),
        &both(|p| Field::Text(&p.title)),
        &both(|p| Field::Text(&p.country)),
        &both(|p| Field::Number(Some(p.rating.unwrap_or(0).into()))),
        &both(|p| Field::Number(p.rating_k.map(i64::from))),
        &both(|p| Field::Letter(p.kind.to_char())),
        &[
            Field::Text(&game.event),
            Field::Text(&game.site),
            Field::Text(&game.time_control),
            Field::Flag(game.postal),
            Field::Number(Some(game.start.unwrap_or(0))),
            Field::Number(Some(game.end.unwrap_or(0))),
            Field::Letter(game.result.map(letter)),
            Field::Letter(game.termination.map(hathi_rules::Termination::to_char)),
            Field::Number(game.last_move.map(i64::from)),
            Field::Text(&game.mode),
            Field::Flag(game.rated),
            Field::Flag(game.corrupt),
            Field::Log(&game.movelist),
            Field::Log(game.events.as_deref().unwrap_or(b"NULL")),
        ],
    ];
    let start = line.len();
    for field in fields.into_iter().flatten() {
        if line.len() > start {
            line.push(b'\t');
        }
        field.write(line);
    }
    line.push(b'\n');
}

/// What a field is written from.
enum Field<'a> {
    Number(Option<i64>),
    Text(&'a str),
    Letter(Option<char>),
    Flag(bool),
    /// Many lines in one field.
    Log(&'a [u8]),
}

impl Field<'_> {
    fn write(&self, line: &mut Vec<u8>) {
        match self {
            Field::Number(Some(number)) => {
                let _ = write!(line, "{number}");
            }
            Field::Text(text) => {
                // A tab or line end would shift the columns of the whole row.
                let safe = |&byte: &u8| if byte < b' ' { b' ' } else { byte };
                line.extend(encode(text).iter().map(safe));
            }
            Field::Letter(Some(letter)) => line.push(*letter as u8),
            Field::Number(None) | Field::Letter(None) => {}
            Field::Flag(flag) => line.push(if *flag { b'1' } else { b'0' }),
            Field::Log(log) => {
                if memchr::memchr3(b'\n', b'\t', b'\r', log).is_none() && !log.contains(&0) {
                    line.extend_from_slice(log);
                    return;
                }
                for &byte in *log {
                    match byte {
                        b'\n' => line.extend_from_slice(b"\\n"),
                        b'\t' | 0 => line.push(b' '),
                        b'\r' => {}
                        _ => line.push(byte),
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use hathi_rules::{RuleSet, Termination};

    use super::*;
    use crate::{ArchiveReader, GameId, PlayerKind, Replayer, Source};

    fn read_back(bytes: Vec<u8>) -> Vec<ArchivedGame> {
        let mut games = Vec::new();
        let source = Source::reader("test", io::Cursor::new(bytes));
        let _ = ArchiveReader::new([source]).for_each(|row| {
            games.push(row.unwrap().to_game_with_events());
            ControlFlow::<()>::Continue(())
        });
        games
    }

    fn some_game() -> ArchivedGame {
        let mut game = ArchivedGame {
            id: GameId::new(42).unwrap(),
            event: "Postal Mixer".to_owned(),
            site: "Over the Net".to_owned(),
            time_control: "3d/90d".to_owned(),
            postal: true,
            start: Some(1_320_119_182),
            mode: "IGS".to_owned(),
            ..ArchivedGame::default()
        };
        game.players.gold.name = "André".to_owned();
        game.players.gold.kind = PlayerKind::Human;
        game.players.silver.name = "Łukasz".to_owned();
        game.players.silver.rating = Some(1234);
        game
    }

    #[test]
    fn reading_gives_what_was_written() {
        let mut writer = ArchiveWriter::new(Vec::new()).unwrap();
        let mut game = some_game();
        writer.write(&game).unwrap();
        game.result = Some(Side::Silver);
        game.termination = Some(Termination::Resignation);
        game.events = Some(b"1 [Mon] w player joining\\n".to_vec());
        game.last_move = Some(1);
        game.movelist = b"1w resigns\\n1b".to_vec();
        writer.write(&game).unwrap();
        let games = read_back(writer.finish().unwrap());
        assert_eq!(games.len(), 2);
        assert_eq!(games[1], game);
    }

    #[test]
    fn tabs_and_line_ends_do_no_harm() {
        let mut game = some_game();
        game.event = "a\tb\nc".to_owned();
        game.movelist = b"1w\tfoo\r\n1b\0".to_vec();
        let mut writer = ArchiveWriter::new(Vec::new()).unwrap();
        writer.write(&game).unwrap();
        let games = read_back(writer.finish().unwrap());
        assert_eq!(games[0].event, "a b c");
        assert_eq!(games[0].movelist, b"1w foo\\n1b ");
    }

    #[test]
    fn a_played_game_replays() {
        let mut game = Game::new(RuleSet::Modern);
        for setup in [
            "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
            "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7",
        ] {
            game.set_up(&setup.parse().unwrap()).unwrap();
        }
        game.play(&"Ee2n Ee3n".parse().unwrap()).unwrap();
        let resigned = Outcome::win(Side::Gold, Termination::Resignation);
        let archived = some_game().with_game(&game, Some(resigned));
        assert!(archived.movelist.ends_with(b"\\n2w Ee2n Ee3n\\n2b"));
        assert_eq!(archived.last_move, Some(2));
        assert_eq!(archived.recorded(), Some(resigned));
        let mut replayer = Replayer::new();
        let replayed = replayer.replay_game(&archived);
        assert_eq!(replayed.game.turns(), game.turns());
        assert_eq!(replayed.fault, None);
    }

    #[test]
    fn a_game_not_begun_is_a_bare_label() {
        let archived = some_game().with_game(&Game::new(RuleSet::Modern), None);
        assert_eq!(archived.movelist, b"1w");
        assert_eq!(archived.last_move, None);
    }
}
