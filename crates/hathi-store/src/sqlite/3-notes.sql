-- What is written about games: reviews by an engine, and studies.
CREATE TABLE reviews (
    game_id INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    engine TEXT NOT NULL,
    -- Positions looked at for a turn; 0 if time was the limit.
    nodes INTEGER NOT NULL,
    version TEXT NOT NULL,
    -- Seconds since 1970.
    made INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    changed INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX studies_by_change ON studies (changed);
