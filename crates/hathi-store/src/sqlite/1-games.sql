-- Which database this is, for the index that belongs to it.
CREATE TABLE meta (
    store_id INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES (abs(random()));

CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    -- The number of the game in its archive, and a hash of players, start and
    -- moves: together they tell a game from all others.
    archive_id INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    gold_id INTEGER NOT NULL REFERENCES players (id),
    silver_id INTEGER NOT NULL REFERENCES players (id),
    gold_rating INTEGER,
    silver_rating INTEGER,
    gold_kind TEXT CHECK (gold_kind IN ('h', 'b')),
    silver_kind TEXT CHECK (silver_kind IN ('h', 'b')),
    gold_title TEXT NOT NULL,
    silver_title TEXT NOT NULL,
    gold_country TEXT NOT NULL,
    silver_country TEXT NOT NULL,
    gold_rating_k INTEGER,
    silver_rating_k INTEGER,
    event_id INTEGER REFERENCES events (id),
    site TEXT NOT NULL,
    time_control TEXT NOT NULL,
    -- Class of the time control: lightning, blitz, fast, standard, slow,
    -- postal, untimed; null if it cannot be read.
    pace TEXT,
    postal INTEGER NOT NULL,
    -- Seconds since 1970.
    started INTEGER,
    ended INTEGER,
    result TEXT CHECK (result IN ('g', 's')),
    termination TEXT CHECK (length(termination) = 1),
    mode TEXT NOT NULL,
    rated INTEGER NOT NULL,
    corrupt INTEGER NOT NULL,
    -- Turns after the setups.
    turns INTEGER NOT NULL,
    takebacks INTEGER NOT NULL,
    -- Why the game was shortened, if it was.
    fault TEXT,
    -- Sixteen pieces, four bits each.
    gold_setup INTEGER NOT NULL,
    silver_setup INTEGER NOT NULL,
    moves BLOB NOT NULL,
    UNIQUE (archive_id, fingerprint)
) STRICT;

-- Holds all that questions about setups look at.
CREATE INDEX games_by_setup ON games
    (gold_setup, silver_setup, result, gold_rating, silver_rating);
CREATE INDEX games_by_gold ON games (gold_id);
CREATE INDEX games_by_silver ON games (silver_id);
CREATE INDEX games_by_start ON games (started);

-- Win in two: the position before `ply` of a game, and the winning turn.
CREATE TABLE puzzles (
    id INTEGER PRIMARY KEY,
    archive_id INTEGER NOT NULL,
    label TEXT NOT NULL,
    turn TEXT NOT NULL,
    -- Null until the game is there.
    game_id INTEGER REFERENCES games (id) ON DELETE SET NULL,
    ply INTEGER,
    -- The packed board and the side to move, for looking it up.
    board BLOB,
    side TEXT CHECK (side IN ('g', 's')),
    -- Why it could not be linked.
    fault TEXT,
    UNIQUE (archive_id, label)
) STRICT;

CREATE INDEX puzzles_by_board ON puzzles (board, side);
