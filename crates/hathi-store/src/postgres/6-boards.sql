-- The boards once more, without all that hits need: a pattern is compared with
-- every position, and reads a third of the bytes here. The place tells the game
-- and the side (`rows.rs`). On one server only.
CREATE TABLE boards (
    place bigint NOT NULL,
    plane_0 bigint NOT NULL,
    plane_1 bigint NOT NULL,
    plane_2 bigint NOT NULL,
    enemies bigint NOT NULL
);
INSERT INTO boards
    SELECT place, plane_0, plane_1, plane_2, enemies FROM positions ORDER BY game_id, ply;
-- Those of a game stand together, so a summary of some pages at a time leads to
-- whoever takes games out.
CREATE INDEX boards_by_game ON boards USING brin ((place >> 1 & 17179869183))
    WITH (pages_per_range = 32, autosummarize = on);
