-- The same over several servers: positions are there for scans alone, so the facts stand in them.
ALTER TABLE positions ADD COLUMN on_board bigint, ADD COLUMN of_game bigint, ADD COLUMN of_turn bigint,
    ADD COLUMN frozen bigint, ADD COLUMN hostages bigint, ADD COLUMN framed bigint,
    ADD COLUMN victims_0 bigint, ADD COLUMN victims_1 bigint, ADD COLUMN victims_2 bigint,
    ADD COLUMN victims_3 bigint;
ALTER TABLE hathi_meta ADD COLUMN facts_version bigint NOT NULL DEFAULT 0,
    ADD COLUMN facts_done bigint NOT NULL DEFAULT 0, ADD COLUMN facts_last bigint NOT NULL DEFAULT 0;
