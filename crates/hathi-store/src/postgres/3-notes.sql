-- What is written about games: reviews by an engine, and studies. Few and
-- small, so they stay on one node.
CREATE TABLE reviews (
    game_id bigint PRIMARY KEY,
    engine text NOT NULL,
    -- Positions looked at for a turn; 0 if time was the limit.
    nodes bigint NOT NULL,
    version text NOT NULL,
    -- Seconds since 1970.
    made bigint NOT NULL,
    body text NOT NULL
);

CREATE TABLE studies (
    id text PRIMARY KEY,
    title text NOT NULL,
    changed bigint NOT NULL,
    body text NOT NULL
);
CREATE INDEX studies_by_change ON studies (changed);
