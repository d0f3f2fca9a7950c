-- A game is known by its source, its number there and, where several games
-- have that number, which of them it is.
ALTER TABLE games
    -- arimaa, sample, synth, play, arena, aei, file.
    ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT 'arimaa',
    -- 1; 2 for the second game with this number and other content, and so on.
    ADD COLUMN copy bigint NOT NULL DEFAULT 1 CHECK (copy >= 1),
    -- The numbers of the players on the game server.
    ADD COLUMN gold_number bigint,
    ADD COLUMN silver_number bigint;
ALTER TABLE games ALTER COLUMN source DROP DEFAULT, ALTER COLUMN copy DROP DEFAULT;

-- Until now a store told its games apart by number and content alone. The
-- sample games, 1 to 412, were played within an hour of November 2026; numbers
-- from 20,000,001 on are those of synthetic archives.
UPDATE games SET source = CASE
        WHEN name = 'Hathi arena' AND site = 'local' AND archive_id <= 412
            AND started BETWEEN 1794804074 AND 1794807295 THEN 'sample'
        WHEN name = 'Hathi arena' THEN 'arena'
        WHEN name = 'Hathi play' THEN 'play'
        WHEN name = 'Hathi AEI' THEN 'aei'
        ELSE 'arimaa'
    END
FROM events WHERE events.id = event_id;
UPDATE games SET source = 'synth'
WHERE source = 'arimaa' AND archive_id BETWEEN 20000001 AND 999999999999;
UPDATE games SET copy = counted.copy
FROM (SELECT id, archive_id,
          row_number() OVER (PARTITION BY archive_id, source ORDER BY id) AS copy
      FROM games) AS counted
WHERE counted.copy > 1 AND counted.id = games.id AND counted.archive_id = games.archive_id;

ALTER TABLE games DROP CONSTRAINT games_archive_id_fingerprint_key;
ALTER TABLE games ADD CONSTRAINT games_by_name UNIQUE (archive_id, source, copy);
ALTER TABLE games ADD CONSTRAINT games_by_content UNIQUE (archive_id, source, fingerprint);
DROP INDEX IF EXISTS games_by_setup;
CREATE INDEX games_by_setup ON games
    (gold_setup, silver_setup, result, gold_rating, silver_rating, source);
CREATE INDEX games_by_source ON games (source);

-- The log of a game, who came and moved when: packed, and apart, since it is
-- longer than all the rest.
CREATE TABLE logs (
    game_id bigint NOT NULL,
    archive_id bigint NOT NULL,
    log bytea NOT NULL,
    PRIMARY KEY (game_id, archive_id)
);

-- The 44 puzzles of the samples were the first in a store that began with
-- them. Any other puzzle that was taken for one of a sample game waits for its
-- own game again.
ALTER TABLE puzzles ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT 'arimaa';
ALTER TABLE puzzles ALTER COLUMN source DROP DEFAULT;
UPDATE puzzles SET source = games.source
FROM games WHERE games.id = game_id AND games.archive_id = puzzles.archive_id
    AND (games.source <> 'sample' OR puzzles.id <= 44);
UPDATE puzzles SET game_id = NULL, ply = NULL, board = NULL, side = NULL,
    fault = 'the game is not in the store'
FROM games WHERE games.id = game_id AND games.archive_id = puzzles.archive_id
    AND games.source <> puzzles.source;
UPDATE puzzles SET fault = 'the game is not in the store'
WHERE game_id IS NULL AND NOT EXISTS (SELECT 1 FROM games
    WHERE games.source = puzzles.source AND games.archive_id = puzzles.archive_id);
ALTER TABLE puzzles DROP CONSTRAINT puzzles_pkey;
ALTER TABLE puzzles ADD PRIMARY KEY (archive_id, source, label);
