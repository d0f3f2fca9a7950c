-- McKee's table of 2014 as a view: every move of every game with the board before it, by his
-- names of columns, so that his questions can be asked as he wrote them. Made from the packed
-- moves (`moves.rs`) while it is read: a question walks through all games.

-- The moves of a game one by one, the setups first.
CREATE FUNCTION hathi_played(packed bytea)
    RETURNS TABLE (ply integer, boardstatus text, next_move text)
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 60 AS
$$
DECLARE
    board text := repeat('-', 64);
    spot integer := 16;
    low integer;
    high integer;
    square integer;
    -- Along the text of the board, which begins at a8.
    place integer;
    target integer;
    piece text;
    trap integer;
BEGIN
    ply := 0;
    FOR side IN 0..1 LOOP
        boardstatus := board;
        next_move := '';
        FOR n IN 0..15 LOOP
            high := get_byte(packed, 8 * side + n / 2) >> 4 * (n % 2) & 15;
            piece := substr(CASE side WHEN 0 THEN 'RCDHME' ELSE 'rcdhme' END, high, 1);
            square := n + 48 * side;
            place := (7 - square / 8) * 8 + square % 8 + 1;
            board := overlay(board PLACING piece FROM place FOR 1);
            next_move := concat_ws(' ', nullif(next_move, ''), piece || chr(97 + square % 8) || square / 8 + 1);
        END LOOP;
        RETURN NEXT;
        ply := ply + 1;
    END LOOP;
    WHILE spot < length(packed) LOOP
        boardstatus := board;
        next_move := '';
        FOR n IN 1..get_byte(packed, spot) LOOP
            -- A square and a direction: north, south, east, west; the piece and the animal that falls.
            low := get_byte(packed, spot + 2 * n - 1);
            high := get_byte(packed, spot + 2 * n);
            square := low & 63;
            place := (7 - square / 8) * 8 + square % 8 + 1;
            target := place + CASE low >> 6 WHEN 0 THEN -8 WHEN 1 THEN 8 WHEN 2 THEN 1 ELSE -1 END;
            piece := substr('RCDHME  rcdhme', high & 15, 1);
            board := overlay(board PLACING '-' FROM place FOR 1);
            board := overlay(board PLACING piece FROM target FOR 1);
            next_move := concat_ws(' ', nullif(next_move, ''),
                piece || chr(97 + square % 8) || square / 8 + 1 || substr('nsew', (low >> 6) + 1, 1));
            IF high >> 4 > 0 THEN
                -- The trap beside the square that was left: no piece falls elsewhere.
                trap := CASE WHEN square IN (10, 17, 19, 26) THEN 18 WHEN square IN (13, 20, 22, 29) THEN 21
                             WHEN square IN (34, 41, 43, 50) THEN 42 ELSE 45 END;
                board := overlay(board PLACING '-' FROM (7 - trap / 8) * 8 + trap % 8 + 1 FOR 1);
                next_move := next_move || ' ' || substr('RCDHME  rcdhme', (high & 8) + (high >> 4), 1)
                    || chr(97 + trap % 8) || trap / 8 + 1 || 'x';
            END IF;
        END LOOP;
        RETURN NEXT;
        ply := ply + 1;
        spot := spot + 1 + 2 * get_byte(packed, spot);
    END LOOP;
END
$$;

CREATE VIEW moves AS
SELECT games.id * 100000 + ply AS id,
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
FROM games CROSS JOIN LATERAL hathi_played(games.moves);

-- MySQL's, in which he asked.
CREATE FUNCTION "if"(condition boolean, yes anyelement, no anyelement) RETURNS anyelement
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT CASE WHEN condition THEN yes ELSE no END';
