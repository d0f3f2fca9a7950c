//! The network in play: the same worth however a board was reached, from
//! either side, mirrored or not as far as the rules see it.

use hathi_model::network::inputs::{self, ROWS, Scene};
use hathi_model::network::{
    About, Accumulator, BUCKETS, HIDDEN, LEFT, Network, NetworkError, SECOND, bucket,
};
use hathi_rules::{Board, Game, Piece, Role, RuleSet, Setup, Side, Square, Symmetric, Symmetry};

/// Numbers by chance, as large as they get.
fn random_network(seed: u64) -> Network {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut units = |most: i16| std::array::from_fn(|_| random.i16(-most..=most));
    let bias = units(200);
    let out = std::array::from_fn(|_| units(127));
    let gain =
        std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| units(127))));
    let rows = (0..ROWS).map(|_| units(100)).collect();
    let second = std::array::from_fn(|_| {
        std::array::from_fn(|_| std::array::from_fn(|_| random.i16(-300..=300)))
    });
    let mut deeper = |most: i32| std::array::from_fn(|_| random.i32(-most..=most));
    let second_bias = deeper(60_000);
    let second_out = std::array::from_fn(|_| deeper(500));
    let second_gain =
        std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| deeper(500))));
    let direct = (0..ROWS).map(|_| random.i32(-60_000..60_000)).collect();
    let about = About {
        name: "by chance".to_owned(),
        ..About::default()
    };
    Network {
        rows,
        direct,
        bias,
        out,
        gain,
        second,
        second_bias,
        second_out,
        second_gain,
        tempo: [-31, 5, 40, 77],
        about,
    }
}

fn random_game(random: &mut fastrand::Rng) -> Game {
    let mut game = Game::new(RuleSet::default());
    for side in [Side::Gold, Side::Silver] {
        let mut roles = Vec::new();
        for role in Role::ALL {
            roles.extend(std::iter::repeat_n(role, role.count_at_start() as usize));
        }
        random.shuffle(&mut roles);
        let roles: [Role; 16] = roles.try_into().expect("sixteen pieces");
        let setup = Setup::new(side, roles).expect("a complete setup");
        game.set_up(&setup).expect("a setup is due");
    }
    game
}

/// Boards of a random game, step by step, each with where it branches off now
/// and then.
fn walk(seed: u64, mut visit: impl FnMut(usize, &Board)) {
    let mut random = fastrand::Rng::with_seed(seed);
    let game = random_game(&mut random);
    let mut position = game.position();
    let mut line = vec![position];
    for _ in 0..600 {
        // Back up the line, as a search does.
        if random.u8(..8) == 0 && line.len() > 1 {
            let keep = random.usize(1..line.len());
            line.truncate(keep);
            position = line[keep - 1];
        }
        let steps = position.legal_steps();
        if steps.is_empty() || line.len() > 150 {
            line.truncate(1);
            position = line[0];
            continue;
        }
        position = position.after(steps[random.usize(..steps.len())]);
        if position.steps_left() == 0 && !position.is_mid_push() {
            position = position.end_turn();
        } else if position.steps_left() == 0 {
            // A push that cannot be completed: no place to be.
            position = line[line.len() - 1];
            continue;
        }
        line.push(position);
        visit(line.len(), position.board());
    }
}

#[test]
fn corrected_sums_are_those_from_nothing() {
    let network = random_network(1);
    for seed in 0..20 {
        let mut track = vec![Accumulator::new(&network, &Board::EMPTY); 160];
        walk(seed, |ply, board| {
            let (before, rest) = track.split_at_mut(ply);
            rest[0].follow(&network, &before[ply - 1], board);
            for side in [Side::Gold, Side::Silver] {
                for left in 0..=4 {
                    assert_eq!(
                        rest[0].worth(&network, side, left),
                        Accumulator::new(&network, board).worth(&network, side, left),
                        "seed {seed}, {board:?}"
                    );
                }
            }
        });
    }
}

#[test]
fn a_board_and_its_colour_flip_are_worth_the_same() {
    let network = random_network(2);
    for seed in 0..5 {
        walk(seed, |_, board| {
            let flipped = board.under(Symmetry::FLIP);
            let worth = network.evaluate(board, Side::Gold);
            assert_eq!(network.evaluate(&flipped, Side::Silver), worth);
            // With any number of steps left; and what one has whose turn is over, the other has
            // not, who is about to begin.
            let accumulator = Accumulator::new(&network, board);
            let turned = Accumulator::new(&network, &flipped);
            for left in 0..=4 {
                assert_eq!(
                    accumulator.worth(&network, Side::Gold, left),
                    turned.worth(&network, Side::Silver, left)
                );
            }
            assert_eq!(
                accumulator.worth(&network, Side::Gold, 4),
                -accumulator.worth(&network, Side::Silver, 0)
            );
        });
    }
}

#[test]
fn rows_are_in_range_and_tell_pieces_apart() {
    for seed in 0..5 {
        walk(seed, |_, board| {
            let mut rows = Vec::new();
            inputs::list(&Scene::of(board), |row| rows.push(row));
            assert!(rows.iter().flatten().all(|&row| usize::from(row) < ROWS));
            let mut gold: Vec<_> = rows.iter().map(|row| row[0]).collect();
            gold.sort_unstable();
            let all = gold.len();
            gold.dedup();
            assert_eq!(gold.len(), all, "no row twice");
            assert!(bucket(board) < BUCKETS);
        });
    }
}

#[test]
fn a_frozen_piece_is_another_row_than_a_free_one() {
    let mut free = Board::EMPTY;
    free.place(Square::D4, Piece::GoldHorse);
    free.place(Square::D6, Piece::SilverCamel);
    let mut frozen = free;
    frozen.remove(Square::D6);
    frozen.place(Square::D5, Piece::SilverCamel);
    let rows = |board: &Board| {
        let mut rows = Vec::new();
        inputs::list(&Scene::of(board), |row| rows.push(row[0]));
        rows
    };
    let (free, frozen) = (rows(&free), rows(&frozen));
    assert_eq!(free.len(), 2 + 4, "two pieces and four traps");
    assert_eq!(frozen.len(), 2 + 1 + 4, "and a pair");
    assert!(!frozen.contains(&free[0]), "the horse is frozen now");
}

#[test]
fn networks_survive_their_file() {
    let network = random_network(3);
    let bytes = network.to_bytes().expect("written");
    let again = Network::read(&bytes).expect("read");
    assert!(again == network, "the same numbers");
}

/// A file with other numbers and another first line.
fn repacked(
    network: &Network,
    header: impl Fn(&str) -> String,
    change: impl Fn(Vec<u8>) -> Vec<u8>,
) -> Vec<u8> {
    use std::io::{Read, Write};
    let bytes = network.to_bytes().expect("written");
    let end = 1 + bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a line");
    let mut numbers = Vec::new();
    flate2::read::GzDecoder::new(&bytes[end..])
        .read_to_end(&mut numbers)
        .expect("packed");
    let mut other = header(&String::from_utf8_lossy(&bytes[..end])).into_bytes();
    let mut packer = flate2::write::GzEncoder::new(&mut other, flate2::Compression::fast());
    packer.write_all(&change(numbers)).expect("packed");
    packer.finish().expect("packed");
    other
}

/// A file of an earlier version, in which gains stand once: those of a whole turn.
fn earlier(network: &Network, version: u32) -> Vec<u8> {
    let gain = 2 * 2 * BUCKETS * HIDDEN;
    let second_gain = 4 * SECOND * BUCKETS;
    let second_layer = 2 * (2 * HIDDEN * SECOND) + 4 * SECOND * (1 + BUCKETS);
    repacked(
        network,
        |header| header.replace("hathi-network 4", &format!("hathi-network {version}")),
        |numbers| {
            let after = numbers.len() - LEFT * 2 * second_gain - second_layer;
            let gains = after - LEFT * (gain + 4);
            let mut kept = numbers[..gains].to_vec();
            if version >= 2 {
                kept.extend(&numbers[gains + (LEFT - 1) * gain..][..gain]);
                kept.extend(&numbers[after - 4..after]);
            }
            if version >= 3 {
                kept.extend(&numbers[after..][..second_layer]);
                let last = &numbers[numbers.len() - 2 * second_gain..];
                // Of each stretch of the game only the view of the side on move.
                for stretch in last.chunks(2 * 4 * SECOND) {
                    kept.extend(&stretch[..4 * SECOND]);
                }
            }
            kept
        },
    )
}

#[test]
fn networks_of_earlier_versions_are_still_read() {
    let network = random_network(5);
    // Being on move was worth in proportion to the steps left; the other side's gain with a
    // whole turn is its own with none.
    let mut whole = network.clone();
    for views in &mut whole.second_gain[LEFT - 1] {
        views[1] = [0; SECOND];
    }
    let read = Network::read(&earlier(&network, 3)).expect("read");
    assert_eq!(read.gain[3], whole.gain[3]);
    assert_eq!(read.second_gain[3], whole.second_gain[3]);
    assert_eq!((read.tempo[3], read.tempo[1]), (77, 0));
    walk(1, |_, board| {
        let (old, new) = (
            Accumulator::new(&read, board),
            Accumulator::new(&whole, board),
        );
        let worth = |left| old.worth(&read, Side::Gold, left);
        assert_eq!(worth(4), new.worth(&whole, Side::Gold, 4));
        // Half a turn each: between what both ends say, but for rounding.
        let middle = i32::midpoint(worth(4), worth(0));
        assert!((worth(2) - middle).abs() < 60, "{} {middle}", worth(2));
    });
    let read = Network::read(&earlier(&network, 2)).expect("read");
    assert_eq!(read.gain[3], network.gain[3]);
    assert_eq!(read.second, [[[0; 2 * SECOND]; HIDDEN / 2]; 2]);
    assert_eq!(read.second_out, [[0; SECOND]; BUCKETS]);
    let read = Network::read(&earlier(&network, 1)).expect("read");
    assert_eq!(read.gain, [[[[0; HIDDEN]; 2]; BUCKETS]; LEFT]);
    assert_eq!(read.tempo, [0; LEFT]);
    assert!(read.rows == network.rows && read.out == network.out);
}

#[test]
fn networks_with_fewer_units_are_the_same_with_units_that_are_nothing() {
    // The second half of the units neither has weights nor counts.
    const FEW: usize = HIDDEN / 2;
    let mut network = random_network(7);
    let silence = |units: &mut [i16; HIDDEN]| units[FEW..].fill(0);
    network.rows.iter_mut().for_each(silence);
    silence(&mut network.bias);
    network.out.iter_mut().for_each(silence);
    for views in network.gain.as_flattened_mut().as_flattened_mut() {
        silence(views);
    }
    for pairs in &mut network.second {
        pairs[FEW / 2..].fill([0; 2 * SECOND]);
    }
    let halved = repacked(
        &network,
        |header| {
            header.replace(
                &format!("\"hidden\":{HIDDEN}"),
                &format!("\"hidden\":{FEW}"),
            )
        },
        |numbers| {
            let mut kept = Vec::new();
            let mut rest = &numbers[..];
            let halves = |rest: &mut &[u8], count: usize, kept: &mut Vec<u8>| {
                for _ in 0..count {
                    kept.extend(&rest[..2 * FEW]);
                    *rest = &rest[2 * HIDDEN..];
                }
            };
            let whole = |rest: &mut &[u8], bytes: usize, kept: &mut Vec<u8>| {
                kept.extend(&rest[..bytes]);
                *rest = &rest[bytes..];
            };
            halves(&mut rest, 1 + BUCKETS, &mut kept);
            whole(&mut rest, 4 * ROWS, &mut kept);
            halves(&mut rest, ROWS + LEFT * BUCKETS * 2, &mut kept);
            whole(&mut rest, 4 * LEFT, &mut kept);
            for _ in 0..2 {
                whole(&mut rest, 2 * FEW * SECOND, &mut kept);
                rest = &rest[2 * (HIDDEN - FEW) * SECOND..];
            }
            kept.extend(rest);
            kept
        },
    );
    let read = Network::read(&halved).expect("read");
    assert!(read == network, "the same numbers");
}

/// Numbers that no training gives: nonsense in play, but no overflow.
#[test]
fn extreme_numbers_are_survived() {
    let mut network = random_network(6);
    for extreme in [i16::MAX, i16::MIN] {
        network.second = [[[extreme; 2 * SECOND]; HIDDEN / 2]; 2];
        network.second_bias = [i32::from(extreme) << 16; SECOND];
        network.second_out = [[i32::MIN; SECOND]; BUCKETS];
        network.second_gain = [[[[i32::MAX; SECOND]; 2]; BUCKETS]; LEFT];
        walk(3, |_, board| {
            network.evaluate(board, Side::Gold);
        });
    }
}

#[test]
fn damaged_files_are_refused_with_a_reason() {
    let bytes = random_network(4).to_bytes().expect("written");
    let header = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a line");
    let fails = |bytes: &[u8]| Network::read(bytes).expect_err("damaged").to_string();
    assert!(matches!(Network::read(b""), Err(NetworkError::NotANetwork)));
    assert!(matches!(
        Network::read(b"hello\nworld"),
        Err(NetworkError::NotANetwork)
    ));
    assert!(fails(b"hathi-network 7 {}\n").contains("version 7"));
    assert!(fails(b"hathi-network 1 {}\n").contains("header"));
    assert!(fails(&bytes[..=header]).contains("damaged"));
    assert!(fails(&bytes[..bytes.len() / 2]).contains("damaged"));
    let mut flipped = bytes.clone();
    let middle = usize::midpoint(header, bytes.len());
    flipped[middle] ^= 0x10;
    assert!(fails(&flipped).contains("damaged"), "the checksum sees it");
    let text = String::from_utf8_lossy(&bytes[..=header]).into_owned();
    let other = text.replace(&format!("\"hidden\":{HIDDEN}"), "\"hidden\":7");
    let mut foreign = other.into_bytes();
    foreign.extend(&bytes[header + 1..]);
    assert!(fails(&foreign).contains("other inputs"));
}

#[test]
fn the_network_shipped_can_be_read_and_counts_pieces() {
    let network = Network::shipped().expect("readable");
    let start: hathi_rules::Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
            .parse()
            .expect("a position");
    let worth = |board: &Board| network.evaluate(board, Side::Gold);
    let even = worth(start.board());
    assert!(even.abs() < 100, "{even}");
    for (square, least) in [(Square::A8, 40), (Square::B7, 60), (Square::E7, 300)] {
        let mut board = *start.board();
        board.remove(square);
        assert!(worth(&board) > even + least, "{square}: {}", worth(&board));
    }
}
