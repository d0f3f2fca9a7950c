-- What was played from the shapes of boards that come up most often, added up
-- beforehand: nobody waits until a hundred thousand hits are read. Writers add
-- what their games change, in the same transaction. Small, so they stay on one
-- node.
CREATE TABLE kept_shapes (
    shape bigint PRIMARY KEY,
    -- Full, half, area and area by piece at home or away; a hash of the planes,
    -- and the planes.
    kind integer NOT NULL,
    key bigint NOT NULL,
    plane_0 bigint NOT NULL,
    plane_1 bigint NOT NULL,
    plane_2 bigint NOT NULL,
    enemies bigint NOT NULL,
    -- Are the games in it that were there before it was chosen?
    ready boolean NOT NULL
);
CREATE INDEX kept_shapes_by_key ON kept_shapes (key);
CREATE SEQUENCE kept_rows;

-- Turns that begin with the same step, packed (`kept/packed.rs`).
CREATE TABLE kept_turns (
    shape bigint NOT NULL,
    first_step bigint NOT NULL,
    turns bytea NOT NULL
);
ALTER TABLE kept_turns ALTER COLUMN turns SET STORAGE EXTERNAL;
CREATE INDEX kept_turns_by_step ON kept_turns (shape, first_step);

-- Hits and games of a shape: of the samples or of the others, and of one side
-- to move and one way round (0 to 3) or of all (4).
CREATE TABLE kept_games (
    shape bigint NOT NULL,
    sample boolean NOT NULL,
    part integer NOT NULL,
    hits bigint NOT NULL,
    games bigint NOT NULL,
    -- The strongest and the newest of them, packed.
    named bytea NOT NULL
);
CREATE INDEX kept_games_by_shape ON kept_games (shape, part);

-- How many games there were when shapes were last chosen; 0 if they have to be
-- chosen again.
ALTER TABLE hathi_meta ADD COLUMN kept_games bigint NOT NULL DEFAULT 0;
