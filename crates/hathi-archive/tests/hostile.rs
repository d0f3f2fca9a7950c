//! Damaged and hostile archives: what can be read is read, the rest is said
//! politely, and nothing is unpacked where it does not belong.
#![allow(missing_docs)]

mod common;

use std::io::{Cursor, Read, Write};
use std::ops::ControlFlow;

use common::{bytes, ids_and_errors, read_all};
use hathi_archive::{ArchiveFault, ArchiveReader, Limits, Source};
use proptest::prelude::*;

const HEADER: &str = "id\twrating\tbrating\tstartts\tresult\tmovelist\n";

fn row(id: u64) -> String {
    format!("{id}\t1500\t1600\t1320119182\tw\t1w\n")
}

fn archive(ids: std::ops::Range<u64>) -> String {
    HEADER.to_owned() + &ids.map(row).collect::<String>()
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    for (name, data) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(data).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, data) in members {
        let mut header = tar::Header::new_gnu();
        // By hand: the library refuses to write `../` itself.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(data.len() as u64);
        header.set_entry_type(tar::EntryType::Regular);
        header.set_cksum();
        builder.append(&header, *data).unwrap();
    }
    builder.into_inner().unwrap()
}

/// A file of its own for a test, gone at the end of it.
struct TempFile(std::path::PathBuf);

impl TempFile {
    fn new(name: &str, data: &[u8]) -> TempFile {
        let path = std::env::temp_dir().join(format!("hathi-{}-{name}", std::process::id()));
        std::fs::write(&path, data).unwrap();
        TempFile(path)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn every_wrapping_gives_the_same_rows() {
    let plain = archive(1..4);
    let text = plain.as_bytes();
    let wrapped = [
        ("plain", text.to_vec()),
        ("gz", gzip(text)),
        ("zst", zstd::encode_all(text, 3).unwrap()),
        (
            "zip",
            zip(&[("games.txt", text), ("readme.txt", b"hello\n")]),
        ),
        (
            "tar",
            tar(&[("games.txt", text), ("readme.txt", b"hello\n")]),
        ),
        ("tgz", gzip(&tar(&[("games.txt", text)]))),
        (
            "tar.zst",
            zstd::encode_all(&tar(&[("games.txt", text)])[..], 3).unwrap(),
        ),
        (
            "gz twice in a row",
            [gzip(HEADER.as_bytes()), gzip(&text[HEADER.len()..])].concat(),
        ),
        ("dos", plain.replace('\n', "\r\n").into_bytes()),
        ("no last line end", plain.trim_end().as_bytes().to_vec()),
        ("byte order mark", format!("\u{feff}{plain}").into_bytes()),
    ];
    for (what, data) in wrapped {
        let expected = (vec![1, 2, 3], vec![]);
        assert_eq!(
            ids_and_errors([bytes(what, data.clone())]),
            expected,
            "{what} as a stream"
        );
        // The name says nothing.
        let file = TempFile::new(&format!("{what}.jpg"), &data);
        assert_eq!(
            ids_and_errors([Source::file(&file.0)]),
            expected,
            "{what} as a file"
        );
    }
}

#[test]
fn headers_in_the_middle_change_the_columns() {
    let text = format!(
        "{}movelist\tid\tfoo\n1w\t9\tbar\n{}",
        archive(1..3),
        archive(3..5)
    );
    assert_eq!(
        ids_and_errors([bytes("x", text)]),
        (vec![1, 2, 9, 3, 4], vec![])
    );
}

#[test]
fn bad_rows_are_reported_and_skipped() {
    let text = format!(
        "{HEADER}{}1\t2\n-5\t1\t1\t1\tw\t1w\nx\t1\t1\t1\tw\t1w\n7\t1\t\0\t1\tw\t1w\n\n{}8\t1\t1\t1\tw\t1w\t\n{}",
        row(1),
        row(2),
        row(3)
    );
    let (ids, errors) = ids_and_errors([bytes("x", text)]);
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(
        errors,
        [
            "x, line 3, game 1: 2 columns, the header has 6; the row is skipped",
            "x, line 4: `-5` is not a game id; the row is skipped",
            "x, line 5: `x` is not a game id; the row is skipped",
            "x, line 6, game 7: the row contains NUL bytes and is skipped",
            "x, line 9, game 8: 7 columns, the header has 6; the row is skipped",
        ]
    );
}

#[test]
fn nonsense_in_fields_is_no_value() {
    let text = format!("{HEADER}1\t-20\t99999999999\t-1\tz\tNULL\n2\tNULL\tabc\t\t\t\n");
    let (games, errors) = read_all(ArchiveReader::new([bytes("x", text)]));
    assert!(errors.is_empty());
    for game in games {
        assert_eq!(game.players.gold.rating, None);
        assert_eq!(game.players.silver.rating, None);
        assert_eq!(
            (game.start, game.result, game.movelist),
            (None, None, vec![])
        );
    }
}

#[test]
fn a_line_of_100_megabytes_is_skipped() {
    let start = format!("{HEADER}{}2\t", row(1));
    let end = format!("\n{}", row(3));
    let text = Cursor::new(start)
        .chain(std::io::repeat(b'x').take(100_000_000))
        .chain(Cursor::new(end));
    let (ids, errors) = ids_and_errors([Source::reader("x", text)]);
    assert_eq!(ids, [1, 3]);
    assert_eq!(
        errors,
        ["x, line 3: the line is longer than 16777216 bytes and is skipped"]
    );
}

#[test]
fn a_short_limit_holds_within_a_block_too() {
    let text = format!("{HEADER}{}{}\n{}", row(1), "2".repeat(500), row(3));
    let limits = Limits {
        line: 100,
        ..Limits::default()
    };
    let reader = ArchiveReader::new([bytes("x", text)]).with_limits(limits);
    let (games, errors) = read_all(reader);
    assert_eq!(
        games.iter().map(|g| g.id.number()).collect::<Vec<_>>(),
        [1, 3]
    );
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].place.line, Some(3));
}

#[test]
fn a_bomb_is_not_unpacked() {
    let zeros = vec![0; 8 << 20];
    let limits = Limits {
        ratio: 100,
        ratio_from: 1 << 20,
        ..Limits::default()
    };
    let bombs = [
        gzip(&zeros),
        zstd::encode_all(&zeros[..], 3).unwrap(),
        zip(&[("a.txt", &zeros)]),
        gzip(&tar(&[("a.txt", &zeros)])),
    ];
    for bomb in bombs {
        let file = TempFile::new("bomb", &bomb);
        for source in [bytes("bomb", bomb.clone()), Source::file(&file.0)] {
            let (games, errors) = read_all(ArchiveReader::new([source]).with_limits(limits));
            assert!(games.is_empty());
            assert!(
                errors
                    .iter()
                    .any(|e| matches!(e.fault, ArchiveFault::TooDense { .. })),
                "{errors:?}"
            );
        }
    }
    let limits = Limits {
        unpacked: 1 << 20,
        ..Limits::default()
    };
    let (_, errors) = read_all(ArchiveReader::new([bytes("b", gzip(&zeros))]).with_limits(limits));
    assert!(matches!(errors[0].fault, ArchiveFault::TooBig { .. }));
}

#[test]
fn names_that_climb_out_are_only_names() {
    let text = archive(1..2);
    for data in [
        tar(&[("../../etc/evil\x1b[2J.txt", text.as_bytes())]),
        zip(&[("../../etc/evil.txt", text.as_bytes())]),
    ] {
        let mut places = Vec::new();
        let _ = ArchiveReader::new([bytes("x", data)]).for_each(|row| {
            places.push(row.unwrap().place().to_string());
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(places.len(), 1);
        assert!(places[0].starts_with("x: ../../etc/evil"), "{places:?}");
        assert!(!places[0].contains('\x1b'));
    }
}

#[test]
fn archives_inside_archives_stay_closed() {
    let inner = gzip(archive(1..2).as_bytes());
    for data in [
        gzip(&inner),
        zip(&[("a.gz", &inner)]),
        tar(&[("a.gz", &inner)]),
    ] {
        let (ids, errors) = ids_and_errors([bytes("x", data)]);
        assert!(ids.is_empty());
        assert_eq!(errors.len(), 1);
        assert!(errors[0].contains("itself a gzip file"), "{errors:?}");
    }
}

#[test]
fn a_file_cut_short_gives_what_it_has() {
    let text = archive(1..20_000);
    let tarred = tar(&[("games.txt", text.as_bytes())]);
    let whole = [
        ("gz", gzip(text.as_bytes())),
        ("zst", zstd::encode_all(text.as_bytes(), 3).unwrap()),
        ("tgz", gzip(&tarred)),
        ("tar", tarred),
    ];
    for (what, data) in whole {
        let (ids, errors) = ids_and_errors([
            bytes(what, &data[..data.len() * 3 / 4]),
            bytes("next", archive(7..8)),
        ]);
        assert!(
            ids.len() > 1000 && ids.len() < 20_000,
            "{what}: {}",
            ids.len()
        );
        assert_eq!(ids.last(), Some(&7), "reading goes on with the next file");
        assert_eq!(errors.len(), 1, "{what}: {errors:?}");
        assert!(errors[0].starts_with(what), "{errors:?}");
    }
}

#[test]
fn what_is_no_archive_is_said_to_be_none() {
    for (data, message) in [
        (&b""[..], "not a game archive"),
        (b"hello\nworld\n", "not a game archive"),
        (b"\xfd7zXZ\0...", "an xz file is not supported"),
        (b"PK\x03\x04 and no more", "x: "),
        (&[0x1f, 0x8b, 8], "x: "),
    ] {
        let (ids, errors) = ids_and_errors([bytes("x", data)]);
        assert!(ids.is_empty());
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].contains(message), "{errors:?}");
    }
    let (_, errors) = ids_and_errors([Source::file("/no/such/file")]);
    assert!(errors[0].starts_with("/no/such/file: "), "{errors:?}");
}

/// Bytes that look like an archive here and there.
fn archive_like() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(HEADER.as_bytes().to_vec()),
        Just(b"movelist\tid\n".to_vec()),
        Just(b"id\t".to_vec()),
        (0..100u64).prop_map(|id| row(id).into_bytes()),
        Just(vec![0x1f, 0x8b, 8, 0]),
        Just(b"PK\x03\x04".to_vec()),
        Just(vec![0x28, 0xb5, 0x2f, 0xfd]),
        Just(b"\t\n\r\0".to_vec()),
        prop::collection::vec(any::<u8>(), 0..40),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(data in archive_like()) {
        let limits = Limits { line: 200, ..Limits::default() };
        let (games, errors) = read_all(ArchiveReader::new([bytes("x", data.clone())]).with_limits(limits));
        // The same on several threads, in the same order.
        let mut parallel = (Vec::new(), 0);
        let _ = ArchiveReader::new([bytes("x", data.clone())]).with_limits(limits).for_each_parallel(
            2,
            || (),
            |(), row| row.map(|row| row.to_game_with_events()),
            |row| {
                match row {
                    Ok(game) => parallel.0.push(game),
                    Err(_) => parallel.1 += 1,
                }
                ControlFlow::<()>::Continue(())
            },
        );
        prop_assert_eq!(&games, &parallel.0);
        prop_assert_eq!(errors.len(), parallel.1);
        for wrapped in [gzip(&data), zip(&[("a", &data)]), tar(&[("a", &data)])] {
            let _ = ids_and_errors([bytes("x", wrapped)]);
        }
    }

    #[test]
    fn damage_anywhere_is_survived(at in any::<prop::sample::Index>(), to in any::<u8>(), kind in 0..4) {
        let text = archive(1..30);
        let text = text.as_bytes();
        let mut data = match kind {
            0 => gzip(text),
            1 => zip(&[("a.txt", text), ("b.txt", text)]),
            2 => gzip(&tar(&[("a.txt", text)])),
            _ => zstd::encode_all(text, 3).unwrap(),
        };
        let at = at.index(data.len());
        data[at] = to;
        let _ = ids_and_errors([bytes("x", data.clone())]);
        let _ = ids_and_errors([bytes("x", &data[..at])]);
    }

    #[test]
    fn puzzle_lists_of_any_bytes(data in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = hathi_archive::PuzzleReader::new("x", &data[..]).count();
    }
}
