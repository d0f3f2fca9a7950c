-- A game is known by its source, its number there and, where several games
-- have that number, which of them it is. What is unique changes, and SQLite
-- cannot change that in place: the tables are made anew. Rows keep their ids,
-- so the index stays valid.
CREATE TABLE new_games (
    id INTEGER PRIMARY KEY,
    -- arimaa, sample, synth, play, arena, aei, file.
    source TEXT NOT NULL,
    -- The number of the game in its source.
    archive_id INTEGER NOT NULL,
    -- 1; 2 for the second game with this number and other content, and so on.
    copy INTEGER NOT NULL CHECK (copy >= 1),
    -- A hash of players, start and moves: the same game again has the same.
    fingerprint INTEGER NOT NULL,
    gold_id INTEGER NOT NULL REFERENCES players (id),
    silver_id INTEGER NOT NULL REFERENCES players (id),
    -- The numbers of the players on the game server.
    gold_number INTEGER,
    silver_number INTEGER,
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
    UNIQUE (source, archive_id, copy)
) STRICT;

-- Until now a store told its games apart by number and content alone. The
-- sample games, 1 to 412, were played within an hour of November 2026; numbers
-- from 20,000,001 on are those of synthetic archives.
INSERT INTO new_games
WITH sourced AS (
    SELECT games.*,
        CASE
            WHEN name = 'Hathi arena' AND site = 'local' AND archive_id <= 412
                AND started BETWEEN 1794804074 AND 1794807295 THEN 'sample'
            WHEN name = 'Hathi arena' THEN 'arena'
            WHEN name = 'Hathi play' THEN 'play'
            WHEN name = 'Hathi AEI' THEN 'aei'
            WHEN archive_id BETWEEN 20000001 AND 999999999999 THEN 'synth'
            ELSE 'arimaa'
        END AS source
    FROM games LEFT JOIN events ON events.id = event_id
)
SELECT id, source, archive_id,
    row_number() OVER (PARTITION BY source, archive_id ORDER BY id),
    fingerprint, gold_id, silver_id, NULL, NULL, gold_rating, silver_rating, gold_kind,
    silver_kind, gold_title, silver_title, gold_country, silver_country, gold_rating_k,
    silver_rating_k, event_id, site, time_control, pace, postal, started, ended, result,
    termination, mode, rated, corrupt, turns, takebacks, fault, gold_setup, silver_setup, moves
FROM sourced;

-- The log of a game, who came and moved when: packed, and apart, since it is
-- longer than all the rest.
CREATE TABLE logs (
    game_id INTEGER PRIMARY KEY REFERENCES new_games (id) ON DELETE CASCADE,
    log BLOB NOT NULL
) STRICT;

CREATE TABLE new_puzzles (
    id INTEGER PRIMARY KEY,
    -- The game it names.
    source TEXT NOT NULL,
    archive_id INTEGER NOT NULL,
    label TEXT NOT NULL,
    turn TEXT NOT NULL,
    -- Null until the game is there.
    game_id INTEGER REFERENCES new_games (id) ON DELETE SET NULL,
    ply INTEGER,
    -- The packed board and the side to move, for looking it up.
    board BLOB,
    side TEXT CHECK (side IN ('g', 's')),
    -- Why it could not be linked.
    fault TEXT,
    UNIQUE (source, archive_id, label)
) STRICT;

-- The 44 puzzles of the samples were the first in a store that began with
-- them. Any other puzzle that was taken for one of a sample game waits for its
-- own game again.
INSERT INTO new_puzzles
WITH named AS (
    SELECT puzzles.*, new_games.source AS found,
        puzzles.id <= 44 AND new_games.source = 'sample' AS of_samples
    FROM puzzles LEFT JOIN new_games ON new_games.id = game_id
)
SELECT id,
    CASE
        WHEN of_samples THEN 'sample'
        WHEN found IS NULL OR found = 'sample' THEN 'arimaa'
        ELSE found
    END,
    archive_id, label, turn,
    CASE WHEN of_samples OR found <> 'sample' THEN game_id END,
    CASE WHEN of_samples OR found <> 'sample' THEN ply END,
    CASE WHEN of_samples OR found <> 'sample' THEN board END,
    CASE WHEN of_samples OR found <> 'sample' THEN side END,
    CASE WHEN of_samples OR found <> 'sample' THEN fault ELSE 'the game is not in the store' END
FROM named;

UPDATE new_puzzles SET fault = 'the game is not in the store'
WHERE game_id IS NULL AND NOT EXISTS (SELECT 1 FROM new_games
    WHERE new_games.source = new_puzzles.source
        AND new_games.archive_id = new_puzzles.archive_id);

DROP TABLE puzzles;
DROP TABLE games;
ALTER TABLE new_games RENAME TO games;
ALTER TABLE new_puzzles RENAME TO puzzles;

-- The same game twice is known by this.
CREATE UNIQUE INDEX games_by_content ON games (source, archive_id, fingerprint);
-- Holds all that questions about setups look at.
CREATE INDEX games_by_setup ON games
    (gold_setup, silver_setup, result, gold_rating, silver_rating, source);
CREATE INDEX games_by_gold ON games (gold_id);
CREATE INDEX games_by_silver ON games (silver_id);
CREATE INDEX games_by_start ON games (started);
CREATE INDEX puzzles_by_board ON puzzles (board, side);
CREATE INDEX puzzles_by_game ON puzzles (game_id);
