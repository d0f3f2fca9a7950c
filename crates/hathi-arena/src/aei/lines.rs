//! Lines of any length and bytes, without surprises.

use std::io::{self, BufRead};

/// No message of the protocol comes near this.
const LONGEST: usize = 1 << 16;

/// Reads lines from a peer that may send anything. A line that is too long
/// is cut; bytes that are not UTF-8 are replaced.
pub(crate) struct Lines<R>(pub(crate) R);

impl<R: BufRead> Lines<R> {
    /// The next line without its end; none at the end of the input.
    pub(crate) fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut any = false;
        loop {
            let buffer = match self.0.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                if !any {
                    return Ok(None);
                }
                break;
            }
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = LONGEST - line.len();
            line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.0.consume(used);
            if end.is_some() {
                break;
            }
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_out_as_lines() {
        let mut input = b"aei\r\n\xff\xfe\n\n".to_vec();
        input.extend(vec![b'x'; 3 * LONGEST]);
        input.extend(b"\nlast");
        let mut lines = Lines(&input[..]);
        let mut next = || lines.next().expect("memory");
        assert_eq!(next().as_deref(), Some("aei"));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().map(|line| line.len()), Some(LONGEST));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
