-- What the rules, the game and the turn played say of each position (`packed.rs` of the patterns has the
-- bits), with the board once more: a pattern with facts is compared with every position, and reads nothing
-- else. Written together with the position. NULL stands for an empty set of squares. On one server only;
-- over several the positions have these columns.
CREATE TABLE facts (
    place bigint NOT NULL,
    -- Goals, forks, blockades, material, phase, the strongest beside each trap; move number, ratings, result.
    on_board bigint NOT NULL,
    of_game bigint NOT NULL,
    plane_0 bigint NOT NULL,
    plane_1 bigint NOT NULL,
    plane_2 bigint NOT NULL,
    enemies bigint NOT NULL,
    -- Pieces that the turn moves, and that fall with it.
    of_turn bigint NOT NULL,
    frozen bigint,
    hostages bigint,
    framed bigint,
    -- What could be captured in each trap.
    victims_0 bigint,
    victims_1 bigint,
    victims_2 bigint,
    victims_3 bigint
);
CREATE INDEX facts_by_game ON facts USING brin ((place >> 1 & 17179869183))
    WITH (pages_per_range = 32, autosummarize = on);

-- What the facts mean, a number that grows when that changes; and of games after the first of these rows, up
-- to the second, none are there yet.
ALTER TABLE hathi_meta ADD COLUMN facts_version bigint NOT NULL DEFAULT 0,
    ADD COLUMN facts_done bigint NOT NULL DEFAULT 0, ADD COLUMN facts_last bigint NOT NULL DEFAULT 0;
