//! The server as clients see it, over a real connection.

mod common;
mod engines;
mod lab;
mod learn;
mod memory;
mod plays;
mod routes;
mod safety;
mod watch;
