-- McKee's table of 2014 as a view: every move of every game with the board before it, by his
-- names of columns, so that his questions can be asked as he wrote them. Made from the packed
-- moves (`moves.rs`) while it is read: a question walks through all games.
CREATE VIEW moves AS
WITH RECURSIVE
bytes (byte) AS (
    SELECT 0 UNION ALL SELECT byte + 1 FROM bytes WHERE byte < 255
),
-- The first byte of a step: a square and a direction. Places count along the text of a board,
-- which begins at a8.
leaps AS (
    SELECT byte, byte & 63 AS square, byte >> 6 AS direction FROM bytes
),
places AS (
    SELECT printf('%02X', byte) AS code,
        (7 - square / 8) * 8 + square % 8 + 1 AS place,
        -- North, south, east, west.
        CASE direction WHEN 0 THEN -8 WHEN 1 THEN 8 WHEN 2 THEN 1 ELSE -1 END AS way,
        char(97 + square % 8, 49 + square / 8) || substr('nsew', direction + 1, 1) AS words,
        -- The trap beside the square that is left: no piece falls elsewhere.
        CASE WHEN square IN (10, 17, 19, 26) THEN 'c3' WHEN square IN (13, 20, 22, 29) THEN 'f3'
             WHEN square IN (34, 41, 43, 50) THEN 'c6' WHEN square IN (37, 44, 46, 53) THEN 'f6'
        END AS trap
    FROM leaps
),
heads AS MATERIALIZED (
    SELECT code, words, trap, min(place, place + way) AS low, max(place, place + way) AS high,
        way > 0 AS onwards,
        CASE trap WHEN 'c3' THEN 43 WHEN 'f3' THEN 46 WHEN 'c6' THEN 19 WHEN 'f6' THEN 22 END AS pit
    FROM places
),
-- The second byte: the piece, and the animal that falls.
tails AS MATERIALIZED (
    SELECT printf('%02X', byte) AS code, substr(' RCDHME  rcdhme ', (byte & 15) + 1, 1) AS piece,
        nullif(substr(CASE WHEN byte & 8 THEN ' rcdhme ' ELSE ' RCDHME ' END, (byte >> 4 & 7) + 1, 1), ' ')
            AS fallen
    FROM bytes
),
set_up AS MATERIALIZED (
    SELECT id,
        substr('RCDHME', gold_setup >> 0 & 15, 1) || substr('RCDHME', gold_setup >> 4 & 15, 1) || substr('RCDHME', gold_setup >> 8 & 15, 1) || substr('RCDHME', gold_setup >> 12 & 15, 1) ||
        substr('RCDHME', gold_setup >> 16 & 15, 1) || substr('RCDHME', gold_setup >> 20 & 15, 1) || substr('RCDHME', gold_setup >> 24 & 15, 1) || substr('RCDHME', gold_setup >> 28 & 15, 1) ||
        substr('RCDHME', gold_setup >> 32 & 15, 1) || substr('RCDHME', gold_setup >> 36 & 15, 1) || substr('RCDHME', gold_setup >> 40 & 15, 1) || substr('RCDHME', gold_setup >> 44 & 15, 1) ||
        substr('RCDHME', gold_setup >> 48 & 15, 1) || substr('RCDHME', gold_setup >> 52 & 15, 1) || substr('RCDHME', gold_setup >> 56 & 15, 1) || substr('RCDHME', gold_setup >> 60 & 15, 1) AS gold,
        substr('rcdhme', silver_setup >> 0 & 15, 1) || substr('rcdhme', silver_setup >> 4 & 15, 1) || substr('rcdhme', silver_setup >> 8 & 15, 1) || substr('rcdhme', silver_setup >> 12 & 15, 1) ||
        substr('rcdhme', silver_setup >> 16 & 15, 1) || substr('rcdhme', silver_setup >> 20 & 15, 1) || substr('rcdhme', silver_setup >> 24 & 15, 1) || substr('rcdhme', silver_setup >> 28 & 15, 1) ||
        substr('rcdhme', silver_setup >> 32 & 15, 1) || substr('rcdhme', silver_setup >> 36 & 15, 1) || substr('rcdhme', silver_setup >> 40 & 15, 1) || substr('rcdhme', silver_setup >> 44 & 15, 1) ||
        substr('rcdhme', silver_setup >> 48 & 15, 1) || substr('rcdhme', silver_setup >> 52 & 15, 1) || substr('rcdhme', silver_setup >> 56 & 15, 1) || substr('rcdhme', silver_setup >> 60 & 15, 1) AS silver
    FROM games
),
-- One row a step. `at` is the byte of the packed moves that comes next, `to_go` the steps of the
-- turn that do: with none to go the turn is complete.
walk (id, ply, at, to_go, before, board, said) AS (
    SELECT id, 1, 17, 0, '',
        substr(silver, 9) || substr(silver, 1, 8) || '--------------------------------' ||
            substr(gold, 9) || substr(gold, 1, 8),
        ''
    FROM set_up
    UNION ALL
    SELECT walk.id, ply + (to_go = 0), at + 2 + (to_go = 0),
        CASE to_go WHEN 0 THEN unicode(substr(packed.moves, at, 1)) ELSE to_go END - 1,
        CASE to_go WHEN 0 THEN board ELSE before END,
        CASE WHEN fallen IS NULL THEN
            substr(board, 1, low - 1) || CASE WHEN onwards THEN '-' ELSE piece END ||
            substr(board, low + 1, high - low - 1) || CASE WHEN onwards THEN piece ELSE '-' END ||
            substr(board, high + 1)
        ELSE
            -- The same, and the trap is empty.
            substr(substr(board, 1, low - 1) || CASE WHEN onwards THEN '-' ELSE piece END ||
                substr(board, low + 1, high - low - 1) || CASE WHEN onwards THEN piece ELSE '-' END ||
                substr(board, high + 1), 1, pit - 1) || '-' ||
            substr(substr(board, 1, low - 1) || CASE WHEN onwards THEN '-' ELSE piece END ||
                substr(board, low + 1, high - low - 1) || CASE WHEN onwards THEN piece ELSE '-' END ||
                substr(board, high + 1), pit + 1)
        END,
        CASE to_go WHEN 0 THEN '' ELSE said || ' ' END || piece || words ||
            coalesce(' ' || fallen || trap || 'x', '')
    FROM walk
    JOIN games AS packed ON packed.id = walk.id
    JOIN heads ON heads.code = hex(substr(packed.moves, at + (to_go = 0), 1))
    JOIN tails ON tails.code = hex(substr(packed.moves, at + (to_go = 0) + 1, 1))
),
played (id, ply, boardstatus, next_move) AS (
    SELECT id, 0, '----------------------------------------------------------------',
        printf('%sa1 %sb1 %sc1 %sd1 %se1 %sf1 %sg1 %sh1 %sa2 %sb2 %sc2 %sd2 %se2 %sf2 %sg2 %sh2',
            substr(gold, 1, 1), substr(gold, 2, 1), substr(gold, 3, 1), substr(gold, 4, 1),
            substr(gold, 5, 1), substr(gold, 6, 1), substr(gold, 7, 1), substr(gold, 8, 1),
            substr(gold, 9, 1), substr(gold, 10, 1), substr(gold, 11, 1), substr(gold, 12, 1),
            substr(gold, 13, 1), substr(gold, 14, 1), substr(gold, 15, 1), substr(gold, 16, 1))
    FROM set_up
    UNION ALL
    SELECT id, 1, '------------------------------------------------' || substr(gold, 9) || substr(gold, 1, 8),
        printf('%sa7 %sb7 %sc7 %sd7 %se7 %sf7 %sg7 %sh7 %sa8 %sb8 %sc8 %sd8 %se8 %sf8 %sg8 %sh8',
            substr(silver, 1, 1), substr(silver, 2, 1), substr(silver, 3, 1), substr(silver, 4, 1),
            substr(silver, 5, 1), substr(silver, 6, 1), substr(silver, 7, 1), substr(silver, 8, 1),
            substr(silver, 9, 1), substr(silver, 10, 1), substr(silver, 11, 1), substr(silver, 12, 1),
            substr(silver, 13, 1), substr(silver, 14, 1), substr(silver, 15, 1), substr(silver, 16, 1))
    FROM set_up
    UNION ALL
    SELECT id, ply, before, said FROM walk WHERE to_go = 0 AND ply > 1
)
SELECT played.id * 100000 + ply AS id,
    archive_id AS game_id,
    ply / 2 + 1 AS turn,
    CASE ply % 2 WHEN 0 THEN 'g' ELSE 's' END AS side,
    coalesce(silver_rating, 0) AS brating,
    coalesce(gold_rating, 0) AS wrating,
    result AS winner,
    boardstatus,
    next_move,
    (turns + 1 - ply % 2) / 2 + 1 AS maxturns,
    source
FROM played JOIN games ON games.id = played.id;
