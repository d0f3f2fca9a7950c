-- Every table carries archive_id, the distribution column: Citus shards by it,
-- and what is unique is unique within it. Games of one number, their positions
-- and their puzzles live together.

-- Which schema this is; version counts the migrations that have run.
CREATE TABLE hathi_meta (
    store_id bigint NOT NULL,
    version bigint NOT NULL
);
INSERT INTO hathi_meta VALUES ((random() * 9e18)::bigint, 0);

CREATE TABLE players (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE events (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE games (
    -- Counted up by the writer, of whom there is one at a time.
    id bigint NOT NULL,
    -- The number of the game in its archive, and a hash of players, start and
    -- moves: together they tell a game from all others.
    archive_id bigint NOT NULL,
    fingerprint bigint NOT NULL,
    gold_id bigint NOT NULL REFERENCES players (id),
    silver_id bigint NOT NULL REFERENCES players (id),
    gold_rating bigint,
    silver_rating bigint,
    gold_kind text CHECK (gold_kind IN ('h', 'b')),
    silver_kind text CHECK (silver_kind IN ('h', 'b')),
    gold_title text NOT NULL,
    silver_title text NOT NULL,
    gold_country text NOT NULL,
    silver_country text NOT NULL,
    gold_rating_k bigint,
    silver_rating_k bigint,
    event_id bigint REFERENCES events (id),
    site text NOT NULL,
    time_control text NOT NULL,
    pace text,
    postal boolean NOT NULL,
    -- Seconds since 1970.
    started bigint,
    ended bigint,
    result text CHECK (result IN ('g', 's')),
    termination text CHECK (length(termination) = 1),
    mode text NOT NULL,
    rated boolean NOT NULL,
    corrupt boolean NOT NULL,
    -- Turns after the setups.
    turns bigint NOT NULL,
    takebacks bigint NOT NULL,
    -- Why the game was shortened, if it was.
    fault text,
    -- Sixteen pieces, four bits each.
    gold_setup bigint NOT NULL,
    silver_setup bigint NOT NULL,
    moves bytea NOT NULL,
    PRIMARY KEY (id, archive_id),
    UNIQUE (archive_id, fingerprint)
);

-- Holds all that questions about setups look at.
CREATE INDEX games_by_setup ON games
    (gold_setup, silver_setup, result, gold_rating, silver_rating);
CREATE INDEX games_by_gold ON games (gold_id);
CREATE INDEX games_by_silver ON games (silver_id);
CREATE INDEX games_by_start ON games (started);

-- Every position with a turn played from it, in the view of the mover. Made
-- from the games and written together with them, so no foreign key is checked
-- fifteen million times. The wide columns stand first: no padding between.
CREATE TABLE positions (
    -- The order in which hits are offered: the mover won, then the highest
    -- rating, then the fewest turns left, then the oldest game.
    place bigint NOT NULL,
    -- Bits 0 to 2 of the strength of what stands on each square, and whether
    -- it is an enemy.
    plane_0 bigint NOT NULL,
    plane_1 bigint NOT NULL,
    plane_2 bigint NOT NULL,
    enemies bigint NOT NULL,
    -- Four steps, 16 bits each.
    turn bigint NOT NULL,
    -- Hashes of the board, of its middle, of the area round each trap, and of
    -- who stands there whatever the strength.
    full_key bigint NOT NULL,
    half_key bigint NOT NULL,
    area_0 bigint NOT NULL,
    area_1 bigint NOT NULL,
    area_2 bigint NOT NULL,
    area_3 bigint NOT NULL,
    sides_0 bigint NOT NULL,
    sides_1 bigint NOT NULL,
    sides_2 bigint NOT NULL,
    sides_3 bigint NOT NULL,
    archive_id bigint NOT NULL,
    game_id bigint NOT NULL,
    started bigint,
    -- Turns before this one; even: Gold moves.
    ply integer NOT NULL,
    -- Turns of both sides from here to the end.
    turns_left integer NOT NULL,
    -- Of the mover; 0 if unknown.
    rating integer NOT NULL,
    won boolean NOT NULL,
    PRIMARY KEY (game_id, ply, archive_id)
);

-- Win in two: the position before `ply` of a game, and the winning turn.
CREATE TABLE puzzles (
    id bigint NOT NULL,
    archive_id bigint NOT NULL,
    label text COLLATE "C" NOT NULL,
    turn text NOT NULL,
    -- Null until the game is there.
    game_id bigint,
    ply bigint,
    -- The packed board and the side to move, for looking it up.
    board bytea,
    side text CHECK (side IN ('g', 's')),
    -- Why it could not be linked.
    fault text,
    PRIMARY KEY (archive_id, label),
    FOREIGN KEY (game_id, archive_id) REFERENCES games (id, archive_id)
);

CREATE INDEX puzzles_by_board ON puzzles (board, side);
