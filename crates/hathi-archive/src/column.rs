//! The columns of an archive file and where a header puts them.

use hathi_rules::Side;

/// Declares the columns in the order the real files have them, with the names
/// a header may give them.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident = $written:literal $(| $other:literal)*,)*) => {
        /// A column of an archive file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Column { $($(#[$doc])* $name,)* }

        impl Column {
            /// All of them, in the order of the real files.
            pub const ALL: [Column; Column::COUNT] = [$(Column::$name,)*];
            /// How many there are.
            pub const COUNT: usize = [$($written,)*].len();

            /// The name in the header of the real files.
            pub const fn name(self) -> &'static str {
                match self { $(Column::$name => $written,)* }
            }

            /// Reads a column name in any of its spellings.
            fn from_name(name: &[u8]) -> Option<Column> {
                let name = name.trim_ascii().to_ascii_lowercase();
                $(if name == $written.as_bytes() $(|| name == $other.as_bytes())* {
                    return Some(Column::$name);
                })*
                None
            }
        }
    };
}

columns! {
    /// Number of the game.
    Id = "id",
    /// Gold's number as a player.
    GoldId = "wplayerid" | "gplayerid",
    /// Silver's number as a player.
    SilverId = "bplayerid" | "splayerid",
    /// Gold's name.
    GoldName = "wusername" | "gusername",
    /// Silver's name.
    SilverName = "busername" | "susername",
    /// Gold's title.
    GoldTitle = "wtitle" | "gtitle",
    /// Silver's title.
    SilverTitle = "btitle" | "stitle",
    /// Gold's country.
    GoldCountry = "wcountry" | "gcountry",
    /// Silver's country.
    SilverCountry = "bcountry" | "scountry",
    /// Gold's rating.
    GoldRating = "wrating" | "grating",
    /// Silver's rating.
    SilverRating = "brating" | "srating",
    /// How fast Gold's rating changes.
    GoldRatingK = "wratingk" | "gratingk",
    /// How fast Silver's rating changes.
    SilverRatingK = "bratingk" | "sratingk",
    /// Gold: human or bot.
    GoldKind = "wtype" | "gtype",
    /// Silver: human or bot.
    SilverKind = "btype" | "stype",
    /// The event.
    Event = "event",
    /// Where it was played.
    Site = "site",
    /// The time control.
    TimeControl = "timecontrol",
    /// Played by correspondence?
    Postal = "postal",
    /// Start, in seconds since 1970.
    Start = "startts",
    /// End, in seconds since 1970.
    End = "endts",
    /// Who won.
    Result = "result",
    /// Why.
    Termination = "termination",
    /// The last full-move number, in spite of the name.
    PlyCount = "plycount",
    /// The rule set, `IGS`.
    Mode = "mode",
    /// Did it count for the ratings?
    Rated = "rated",
    /// Marked as damaged?
    Corrupt = "corrupt",
    /// The moves.
    MoveList = "movelist",
    /// The log of the game: who came, moved and went when.
    Events = "events",
}

impl Column {
    /// One of a pair of columns.
    pub(crate) const fn of(side: Side, gold: Column, silver: Column) -> Column {
        match side {
            Side::Gold => gold,
            Side::Silver => silver,
        }
    }
}

/// Where the header of a file puts the columns. Those it lacks are missing,
/// those that are not known are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    places: [Option<u32>; Column::COUNT],
    count: usize,
}

impl Columns {
    /// Understands a header line; nothing if it is not one.
    pub(crate) fn from_header(line: &[u8]) -> Option<Columns> {
        // Real headers have 250 characters; a megabyte of tabs is no header.
        const LONGEST: usize = 1 << 16;
        if line.len() > LONGEST {
            return None;
        }
        let mut places = [None; Column::COUNT];
        let mut count = 0;
        for name in line.split(|&c| c == b'\t') {
            if let Some(column) = Column::from_name(name) {
                // The first of two columns with one name is as good as any.
                places[column as usize].get_or_insert(count as u32);
            }
            count += 1;
        }
        let columns = Columns { places, count };
        (columns.has(Column::Id) && columns.has(Column::MoveList)).then_some(columns)
    }

    /// Has the file this column?
    pub fn has(&self, column: Column) -> bool {
        self.places[column as usize].is_some()
    }

    /// How many columns the file has, known or not.
    pub fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn place(&self, column: Column) -> Option<usize> {
        self.places[column as usize].map(|place| place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_in_any_order() {
        let old = Columns::from_header(b"id\twrating\tbrating\tmovelist").unwrap();
        let new = Columns::from_header(b"movelist\tfoo\tSRATING \tgrating\tID").unwrap();
        assert_eq!(old.place(Column::SilverRating), Some(2));
        assert_eq!(new.place(Column::SilverRating), Some(2));
        assert_eq!(new.place(Column::GoldRating), Some(3));
        assert_eq!(new.count(), 5);
        assert!(!new.has(Column::Events));
    }

    #[test]
    fn a_row_is_no_header() {
        assert_eq!(Columns::from_header(b"1\t2\tomar"), None);
        assert_eq!(Columns::from_header(b"id\tmoves"), None);
        assert_eq!(Columns::from_header(b""), None);
    }
}
