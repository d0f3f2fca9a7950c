//! The server as clients see it, over a real connection.

mod common;
mod engines;
mod experiments;
mod imports;
mod lab;
mod learn;
mod limits;
mod memory;
mod plays;
mod public;
mod puzzles;
mod routes;
mod safety;
mod watch;
