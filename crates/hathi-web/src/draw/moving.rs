//! A game as a moving picture.

use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use hathi_rules::{Board, Game, Piece, Side, Square};

use super::pixels::raster;
use super::{Drawing, Film, svg};
use crate::error::ApiError;

/// Turns shown at most; a longer game ends there.
const MOST_TURNS: usize = 400;

/// The game from its first position to its last.
pub(crate) fn gif(game: &Game, film: Film, stop: &hathi_engine::Stop) -> Result<Vec<u8>, ApiError> {
    // Squares of whole pixels.
    let square = (film.size / 8).max(8);
    let side = square * 8;
    let mut painter = Painter::new(square, film);
    let mut bytes = Vec::new();
    let broken = |error: gif::EncodingError| ApiError::internal(error.to_string());
    let mut encoder = Encoder::new(&mut bytes, side as u16, side as u16, &[]).map_err(broken)?;
    encoder.set_repeat(Repeat::Infinite).map_err(broken)?;
    let boards: Vec<&Board> = game
        .positions()
        .iter()
        .map(hathi_rules::Position::board)
        .take(MOST_TURNS + 1)
        .collect();
    let last = boards.len().saturating_sub(1);
    let mut before: Vec<Cell> = Vec::new();
    for (i, board) in boards.iter().enumerate() {
        if stop.asked() {
            return Err(ApiError::timeout("nobody waits for the picture"));
        }
        let touched: Vec<Square> = match i.checked_sub(1).and_then(|ply| game.turns().get(ply)) {
            Some(turn) => turn
                .steps()
                .iter()
                .flat_map(|step| [Some(step.from()), step.to()])
                .flatten()
                .collect(),
            None => Vec::new(),
        };
        let cells: Vec<Cell> = Square::all()
            .map(|square| (board.piece_at(square), touched.contains(&square)))
            .collect();
        let changed: Vec<Square> = Square::all()
            .filter(|s| before.get(s.index()) != Some(&cells[s.index()]))
            .collect();
        let (left, top, width, height) = painter.frame_of(&changed);
        let mut pixels = painter.paint(&cells, left, top, width, height)?;
        let mut frame = Frame::from_rgba_speed(
            (width * square) as u16,
            (height * square) as u16,
            &mut pixels,
            20,
        );
        frame.left = (left * square) as u16;
        frame.top = (top * square) as u16;
        frame.dispose = DisposalMethod::Keep;
        // In hundredths of a second; the end stays longer.
        let hundredths = (film.delay.as_millis() / 10).min(2000) as u16;
        frame.delay = if i == last {
            hundredths.max(300)
        } else {
            hundredths
        };
        encoder.write_frame(&frame).map_err(broken)?;
        before = cells;
    }
    drop(encoder);
    Ok(bytes)
}

/// What is on a square, and whether a turn has just touched it.
type Cell = (Option<Piece>, bool);

/// Draws every kind of square once and copies it from then on.
struct Painter {
    square: u32,
    bottom: Side,
    coordinates: bool,
    known: HashMap<Tile, Vec<u8>>,
}

/// What squares look alike by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Tile {
    cell: Cell,
    dark: bool,
    trap: bool,
    /// One with a letter or a number on it is like no other.
    lettered: Option<Square>,
}

impl Painter {
    fn new(square: u32, film: Film) -> Painter {
        Painter {
            square,
            bottom: film.bottom,
            coordinates: film.coordinates,
            known: HashMap::new(),
        }
    }

    /// Column and row on the picture.
    fn place(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (square.file().index() as u32, square.rank().index() as u32);
        match self.bottom {
            Side::Gold => (file, 7 - rank),
            Side::Silver => (7 - file, rank),
        }
    }

    /// The smallest rectangle with all these squares: left, top, width,
    /// height, in squares.
    fn frame_of(&self, squares: &[Square]) -> (u32, u32, u32, u32) {
        let places: Vec<(u32, u32)> = squares.iter().map(|s| self.place(*s)).collect();
        let range = |of: fn(&(u32, u32)) -> u32| {
            let low = places.iter().map(of).min().unwrap_or(0);
            (low, places.iter().map(of).max().unwrap_or(0) - low + 1)
        };
        let ((left, width), (top, height)) = (range(|p| p.0), range(|p| p.1));
        (left, top, width, height)
    }

    fn paint(
        &mut self,
        cells: &[Cell],
        left: u32,
        top: u32,
        width: u32,
        height: u32,
    ) -> Result<Vec<u8>, ApiError> {
        let size = self.square as usize;
        let row = width as usize * size * 4;
        let mut pixels = vec![0; row * height as usize * size];
        for square in Square::all() {
            let (column, line) = self.place(square);
            if !(left..left + width).contains(&column) || !(top..top + height).contains(&line) {
                continue;
            }
            let tile = self.tile(square, cells[square.index()])?;
            let x = (column - left) as usize * size * 4;
            let y = (line - top) as usize * size;
            for (i, source) in tile.chunks_exact(size * 4).enumerate() {
                let at = (y + i) * row + x;
                pixels[at..at + size * 4].copy_from_slice(source);
            }
        }
        Ok(pixels)
    }

    /// The pixels of one square.
    fn tile(&mut self, square: Square, cell: Cell) -> Result<&[u8], ApiError> {
        let dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
        let (column, line) = self.place(square);
        let key = Tile {
            cell,
            dark,
            trap: square.is_trap(),
            lettered: Some(square).filter(|_| self.coordinates && (column == 0 || line == 7)),
        };
        let size = self.square as usize;
        if !self.known.contains_key(&key) {
            // The whole board with this piece alone, of which one square is
            // kept: the same drawing as everywhere.
            let mut board = Board::EMPTY;
            if let Some(piece) = cell.0 {
                board.place(square, piece);
            }
            let marked = [square];
            let drawing = Drawing {
                board: &board,
                bottom: self.bottom,
                turn: None,
                marked: if cell.1 { &marked } else { &[] },
                coordinates: self.coordinates,
                size: self.square * 8,
            };
            let pixels = raster(&svg(&drawing), drawing.size)?;
            let row = size * 8 * 4;
            let mut tile = Vec::with_capacity(size * size * 4);
            for y in 0..size {
                let at = (line as usize * size + y) * row + column as usize * size * 4;
                tile.extend_from_slice(&pixels.data()[at..at + size * 4]);
            }
            self.known.insert(key, tile);
        }
        Ok(self.known.get(&key).map_or(&[], Vec::as_slice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_engine::Stop;
    use std::time::Duration;

    #[test]
    fn a_game_moves() {
        let game = crate::read::game(
            "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
             ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
             Ee2n Ee3n
             ed7s ed6s",
        )
        .expect("a game")
        .game;
        for coordinates in [false, true] {
            let film = Film {
                bottom: Side::Gold,
                coordinates,
                size: 160,
                delay: Duration::from_millis(500),
            };
            moves(&gif(&game, film, &Stop::default()).expect("a picture"));
        }
    }

    fn moves(bytes: &[u8]) {
        let mut decoder = gif::DecodeOptions::new().read_info(bytes).expect("a GIF");
        assert_eq!((decoder.width(), decoder.height()), (160, 160));
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            frames.push((frame.width, frame.height, frame.delay));
        }
        // The whole board, then what a turn has changed.
        assert_eq!(frames, [(160, 160, 50), (20, 60, 50), (40, 120, 300)]);
    }
}
