-- How many games and positions there are: writers add a row for each source of
-- a batch, so that several can write at once and nobody has to count. Opening a
-- store and saying how much is in it reads this and no table of games.
CREATE TABLE hathi_counts (
    source text COLLATE "C" NOT NULL,
    games bigint NOT NULL,
    positions bigint NOT NULL,
    last_game bigint NOT NULL
);
INSERT INTO hathi_counts
    SELECT source, count(*), coalesce(sum(turns), 0), max(id) FROM games GROUP BY source;

-- Rows of games and of names are given out by these, not counted, so that
-- several can write at once.
CREATE SEQUENCE game_rows;
SELECT setval('game_rows', coalesce(max(id), 0) + 1, false) FROM games;
CREATE SEQUENCE name_rows;
SELECT setval('name_rows', coalesce(max(id), 0) + 1, false)
    FROM (SELECT id FROM players UNION ALL SELECT id FROM events) AS names;

-- A position holds all that questions want to know of its game: no hit is
-- looked up in another table. Copied, since that is quicker than changing
-- every row under ten indexes; those are made anew.
ALTER TABLE positions RENAME TO positions_before;
ALTER TABLE positions_before DROP CONSTRAINT positions_pkey;
CREATE TABLE positions (
    place bigint NOT NULL,
    plane_0 bigint NOT NULL,
    plane_1 bigint NOT NULL,
    plane_2 bigint NOT NULL,
    enemies bigint NOT NULL,
    turn bigint NOT NULL,
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
    ply integer NOT NULL,
    turns_left integer NOT NULL,
    -- Of the mover and of the opponent; 0 if unknown.
    rating integer NOT NULL,
    other_rating integer NOT NULL,
    won boolean NOT NULL,
    -- Is it of a sample game? They do not count once there are real ones.
    sample boolean NOT NULL
);
INSERT INTO positions
    SELECT place, plane_0, plane_1, plane_2, enemies, positions_before.turn, full_key, half_key,
        area_0, area_1, area_2, area_3, sides_0, sides_1, sides_2, sides_3,
        positions_before.archive_id, game_id, positions_before.started, ply, turns_left, rating,
        greatest(0, least(65535, coalesce(
            CASE WHEN ply % 2 = 0 THEN silver_rating ELSE gold_rating END, 0))),
        won, source = 'sample'
    FROM positions_before JOIN games
        ON games.id = game_id AND games.archive_id = positions_before.archive_id;
DROP TABLE positions_before;
ALTER TABLE positions ADD PRIMARY KEY (game_id, ply, archive_id);
