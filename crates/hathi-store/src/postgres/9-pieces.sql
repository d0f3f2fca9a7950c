-- What tells positions with the same key of sides apart (`rows.rs`): for each trap
-- which enemies are stronger than whom, and the first step of the turn. The
-- indexes of those keys have it as well, so that a question by piece is led past
-- all that cannot match. Positions that were there before have none, and are
-- looked at one by one as before.
ALTER TABLE positions ADD COLUMN IF NOT EXISTS pieces_0 bigint, ADD COLUMN IF NOT EXISTS pieces_1 bigint,
    ADD COLUMN IF NOT EXISTS pieces_2 bigint, ADD COLUMN IF NOT EXISTS pieces_3 bigint;
