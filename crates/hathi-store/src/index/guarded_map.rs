//! A file mapped into memory that somebody else may cut.
//!
//! Reading a mapped page that its file no longer has raises SIGBUS, which ends
//! the process: a server would fall because somebody copied a shorter index
//! over the one it uses, or a disk failed. So the first map installs a handler
//! for that signal. Where the page belongs to one of our maps, the rest of
//! that map becomes zeros and the map is marked as torn; reading goes on, and
//! whoever asked looks at the mark before he believes what he read. A signal
//! from anywhere else goes to whoever had it before. That costs nothing while
//! all is well: no page is looked at twice.
//!
//! The rest of the page in which a file ends reads as zeros without any signal.
//! So the last bytes are looked at, too, after every answer: they are a
//! checksum, and whatever is cut, they are cut away with it. To ask the system
//! for the length of the file would take a third of the time of an answer.
//!
//! What is not seen is who writes other bytes into the middle of the file:
//! blocks are compared with their checksums once, when they are first used.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memmap2::Mmap;

/// A mapped file, and whether it is still whole.
#[derive(Debug)]
pub(crate) struct GuardedMap {
    /// Given back first: what is unmapped is nobody's any more.
    place: Place,
    map: Mmap,
    /// Its last bytes when it was opened.
    tail: [u8; TAIL],
}

/// Enough that they are not zeros by chance.
const TAIL: usize = 8;

impl GuardedMap {
    /// Maps a file.
    pub(crate) fn of(file: &File) -> io::Result<GuardedMap> {
        handler::install()?;
        // SAFETY: index files are written under another name and renamed when
        // complete, never changed in place by this program. Contents are
        // treated as untrusted bytes, and pages that are cut away become zeros.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(file) }?;
        let place = Place::take(map.as_ptr() as usize, map.len())?;
        let tail = map.last_chunk().copied().unwrap_or_default();
        Ok(GuardedMap { place, map, tail })
    }

    /// Has all that was read been in the file? To be asked afterwards.
    pub(crate) fn is_whole(&self) -> bool {
        // Looked at anew every time, and before the mark: it may be what is torn.
        let tail = std::hint::black_box(&*self.map).last_chunk().copied();
        let same = tail.unwrap_or_default() == self.tail;
        same && !self.place.0.torn.load(Ordering::Acquire)
    }
}

impl Deref for GuardedMap {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}

/// Where a map is, for the handler, which must not take locks or memory.
#[derive(Debug)]
struct Slot {
    taken: AtomicBool,
    /// 0 while it is not filled in.
    start: AtomicUsize,
    len: AtomicUsize,
    torn: AtomicBool,
}

/// Maps at the same time; a server has a handful.
const SLOTS: usize = 1024;

static MAPS: [Slot; SLOTS] = [const {
    Slot {
        taken: AtomicBool::new(false),
        start: AtomicUsize::new(0),
        len: AtomicUsize::new(0),
        torn: AtomicBool::new(false),
    }
}; SLOTS];

/// A slot, until it is dropped.
#[derive(Debug)]
struct Place(&'static Slot);

impl Place {
    fn take(start: usize, len: usize) -> io::Result<Place> {
        let free = |slot: &&Slot| {
            let taken = &slot.taken;
            taken
                .compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
        };
        let slot = MAPS
            .iter()
            .find(free)
            .ok_or_else(|| io::Error::other("too many indexes are open at once"))?;
        slot.torn.store(false, Ordering::Release);
        slot.len.store(len, Ordering::Release);
        slot.start.store(start, Ordering::Release);
        Ok(Place(slot))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.start.store(0, Ordering::Release);
        self.0.taken.store(false, Ordering::Release);
    }
}

#[cfg(unix)]
mod handler {
    use std::io;
    use std::num::NonZero;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use nix::libc::{c_int, c_void, siginfo_t};
    use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    use nix::unistd::{SysconfVar, sysconf};

    use super::{MAPS, Slot};

    /// Whoever had the signal before us.
    static BEFORE: OnceLock<SigAction> = OnceLock::new();

    /// Bytes of a page.
    static PAGE: AtomicUsize = AtomicUsize::new(4096);

    pub(super) fn install() -> io::Result<()> {
        static INSTALLED: OnceLock<Result<(), nix::Error>> = OnceLock::new();
        let installed = INSTALLED.get_or_init(|| {
            if let Ok(Some(page)) = sysconf(SysconfVar::PAGE_SIZE)
                && let Ok(page) = usize::try_from(page)
            {
                PAGE.store(page, Ordering::Release);
            }
            let ours = SigAction::new(
                SigHandler::SigAction(torn),
                // On the stack that threads have for signals, if they have one.
                SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK,
                SigSet::empty(),
            );
            // SAFETY: the handler reads and writes atomics and calls mmap and
            // sigaction, nothing that could wait or take memory.
            #[allow(unsafe_code)]
            let before = unsafe { sigaction(Signal::SIGBUS, &ours) }?;
            let _ = BEFORE.set(before);
            Ok(())
        });
        (*installed).map_err(io::Error::from)
    }

    extern "C" fn torn(_: c_int, info: *mut siginfo_t, _: *mut c_void) {
        // SAFETY: the system hands over a valid description of the signal.
        #[allow(unsafe_code)]
        let address = unsafe { (*info).si_addr() } as usize;
        if MAPS.iter().any(|slot| mend(slot, address)) {
            return;
        }
        // Not ours: the instruction is tried again and raises it again, for
        // whoever had it before.
        if let Some(before) = BEFORE.get() {
            // SAFETY: it is what was installed before.
            #[allow(unsafe_code)]
            let _ = unsafe { sigaction(Signal::SIGBUS, before) };
        }
    }

    /// Puts zeros where the file has ended, if that is in this map.
    fn mend(slot: &Slot, address: usize) -> bool {
        let start = slot.start.load(Ordering::Acquire);
        let len = slot.len.load(Ordering::Acquire);
        if start == 0 || address < start || address >= start + len {
            return false;
        }
        // Before anybody can read a zero.
        slot.torn.store(true, Ordering::Release);
        let page = PAGE.load(Ordering::Acquire);
        let from = address / page * page;
        let (Some(at), Some(rest)) = (NonZero::new(from), NonZero::new(start + len - from)) else {
            return false;
        };
        let flags = MapFlags::MAP_PRIVATE | MapFlags::MAP_FIXED;
        // SAFETY: these pages belong to a map of ours that nobody writes to and
        // that lives as long as its slot is filled in.
        #[allow(unsafe_code)]
        let mapped = unsafe { mmap_anonymous(Some(at), rest, ProtFlags::PROT_READ, flags) };
        mapped.is_ok()
    }
}

#[cfg(not(unix))]
mod handler {
    pub(super) fn install() -> std::io::Result<()> {
        // A file that is mapped cannot be cut there.
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_away_is_noticed_and_kills_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, vec![7; 100_000]).expect("written");
        let maps: Vec<_> = (0..3)
            .map(|_| GuardedMap::of(&File::open(&path).expect("a file")).expect("mapped"))
            .collect();
        assert!(maps.iter().all(|map| map[99_999] == 7 && map.is_whole()));
        let file = File::options().write(true).open(&path).expect("a file");
        file.set_len(5_000).expect("cut");
        for map in &maps {
            assert_eq!(map[100], 7);
            // In the page where the file ends.
            assert_eq!(map[5_001], 0);
            assert!(!map.is_whole());
            assert_eq!(map[50_000], 0);
            let sum: u64 = map.iter().map(|&byte| u64::from(byte)).sum();
            assert!(sum >= 7 * 5_000, "{sum}");
        }
        // Its old length does not make it whole again.
        file.set_len(100_000).expect("longer");
        assert!(maps.iter().all(|map| !map.is_whole()));
        drop(maps);
        // A new map in the same place starts whole.
        std::fs::write(&path, vec![9; 100_000]).expect("written");
        let map = GuardedMap::of(&File::open(&path).expect("a file")).expect("mapped");
        assert_eq!(map[50_000], 9);
        assert!(map.is_whole());
    }
}
