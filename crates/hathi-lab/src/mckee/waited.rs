//! How long McKee waited in 2014 (tables 6 and 8 to 11 of his thesis), in
//! seconds, on eighths of 261,080 games with 15,947,465 positions.

/// A kind of question, and how long he waited; none where he calls it
/// negligible, which is less than a second.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) seconds: [Option<f64>; 8],
}

/// Positions in the first eighth, in the first two, and so on.
pub(crate) const POSITIONS: [u64; 8] = [
    1_993_479, 3_986_958, 5_980_437, 7_973_916, 9_967_395, 11_960_874, 13_954_353, 15_947_465,
];

const NEGLIGIBLE: Option<f64> = None;

pub(crate) const SILVER_SETUP: Measured = Measured {
    name: "Silver's reply",
    seconds: [
        Some(1.0),
        Some(2.3),
        Some(3.49),
        Some(5.34),
        Some(5.58),
        Some(7.17),
        Some(7.40),
        Some(7.96),
    ],
};

pub(crate) const FULL: Measured = Measured {
    name: "full board",
    seconds: [
        NEGLIGIBLE,
        NEGLIGIBLE,
        NEGLIGIBLE,
        NEGLIGIBLE,
        NEGLIGIBLE,
        NEGLIGIBLE,
        Some(1.20),
        Some(1.28),
    ],
};

pub(crate) const HALF: Measured = Measured {
    name: "half board",
    seconds: [
        NEGLIGIBLE,
        NEGLIGIBLE,
        NEGLIGIBLE,
        NEGLIGIBLE,
        Some(1.3),
        Some(1.36),
        Some(1.42),
        Some(1.8),
    ],
};

pub(crate) const AREA: Measured = Measured {
    name: "area",
    seconds: [
        NEGLIGIBLE,
        NEGLIGIBLE,
        NEGLIGIBLE,
        Some(1.8),
        Some(2.3),
        Some(2.48),
        Some(2.68),
        Some(2.8),
    ],
};

pub(crate) const AREA_BY_PIECE: Measured = Measured {
    name: "area by piece",
    seconds: [
        Some(8.03),
        Some(9.89),
        Some(12.89),
        Some(13.95),
        Some(14.17),
        Some(15.96),
        Some(18.54),
        Some(20.03),
    ],
};

/// In the order of his tables.
pub(crate) const TABLES: [&Measured; 5] = [&SILVER_SETUP, &FULL, &HALF, &AREA, &AREA_BY_PIECE];
