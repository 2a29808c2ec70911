//! Tells the causal profiler `coz` where your program makes progress.
//!
//! ```no_run
//! # fn next_request() -> Option<u32> { None }
//! # fn serve(_: u32) {}
//! while let Some(request) = next_request() {
//!     coz::scope!("request");        // latency: from here to the end of the block
//!     serve(request);
//!     coz::progress!("served");      // throughput: one visit for each request
//! }
//! ```
//!
//! Build with `debug = 1` in `[profile.release]`, run `coz run --- target/release/program`, then `coz report`.
//! Nothing is linked: the profiler is looked up when a place is first passed. Where there is none, a place costs
//! one load and one branch from then on. What the macros mean is told in `coz.h`.
//!
//! The macros have the names that the original coz's crate gives them.
use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// What the profiler keeps for a point: its count of visits comes first.
#[repr(C)]
struct Slot {
    count: AtomicUsize,
    backoff: usize,
}

type GetCounter = unsafe extern "C" fn(c_int, *const c_char) -> *mut Slot;
type Visit = unsafe extern "C" fn(*mut Slot);
type VisitId = unsafe extern "C" fn(*mut Slot, u64);

#[cfg(target_os = "linux")]
fn find(symbol: &'static [u8]) -> *mut c_void {
    extern "C" {
        fn dlsym(handle: *mut c_void, symbol: *const c_char) -> *mut c_void;
    }
    debug_assert_eq!(symbol.last(), Some(&0));
    // A null handle is RTLD_DEFAULT.
    unsafe { dlsym(std::ptr::null_mut(), symbol.as_ptr() as *const c_char) }
}

#[cfg(not(target_os = "linux"))]
fn find(_: &'static [u8]) -> *mut c_void {
    std::ptr::null_mut()
}

/// A place that the program passes. The macros make one each; a static of your own will do as well.
pub struct Counter {
    kind: c_int,
    name: &'static str,
    slot: AtomicPtr<Slot>,
    visit: AtomicPtr<c_void>,
    visit_id: AtomicPtr<c_void>,
}

/// Stands for "looked up, and not wanted": no slot has that address.
const OFF: *mut Slot = 1 as *mut Slot;

impl Counter {
    const fn new(kind: c_int, name: &'static str) -> Counter {
        Counter {
            kind,
            name,
            slot: AtomicPtr::new(std::ptr::null_mut()),
            visit: AtomicPtr::new(std::ptr::null_mut()),
            visit_id: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Throughput: a visit is one unit of work done.
    pub const fn progress(name: &'static str) -> Counter {
        Counter::new(1, name)
    }

    /// Latency: a unit of work arrives.
    pub const fn begin(name: &'static str) -> Counter {
        Counter::new(2, name)
    }

    /// Latency: a unit of work leaves.
    pub const fn end(name: &'static str) -> Counter {
        Counter::new(3, name)
    }

    /// Counts a visit, from any thread.
    #[inline]
    pub fn increment(&self) {
        let slot = self.slot.load(Ordering::Acquire);
        if slot != OFF {
            self.visit(slot);
        }
    }

    /// Counts a visit of the beginning or end of the unit with that id, from any thread of the process.
    #[inline]
    pub fn increment_id(&self, id: u64) {
        let slot = self.slot.load(Ordering::Acquire);
        if slot != OFF {
            self.visit_id(slot, id);
        }
    }

    #[inline(never)]
    fn visit_id(&self, known: *mut Slot, id: u64) {
        let slot = if known.is_null() { self.resolve() } else { known };
        let visit_id = self.visit_id.load(Ordering::Relaxed);
        if slot == OFF || visit_id.is_null() {
            self.visit(slot);
        } else {
            unsafe { std::mem::transmute::<*mut c_void, VisitId>(visit_id)(slot, id) };
        }
    }

    #[inline(never)]
    fn visit(&self, known: *mut Slot) {
        let slot = if known.is_null() { self.resolve() } else { known };
        if slot == OFF {
            return;
        }
        let visit = self.visit.load(Ordering::Relaxed);
        unsafe {
            if visit.is_null() {
                // The original's profiler reads the count alone.
                (*slot).count.fetch_add(1, Ordering::Relaxed);
            } else {
                std::mem::transmute::<*mut c_void, Visit>(visit)(slot);
            }
        }
    }

    // Threads may arrive together: each finds the same, and the slot, which says that the rest is there, is stored last.
    #[cold]
    fn resolve(&self) -> *mut Slot {
        let get_counter = find(b"_coz_get_counter\0");
        let mut slot = std::ptr::null_mut();
        if !get_counter.is_null() {
            if let Ok(name) = CString::new(self.name) {
                let get_counter = unsafe { std::mem::transmute::<*mut c_void, GetCounter>(get_counter) };
                // The original's keeps the pointer, so it has to live on.
                slot = unsafe { get_counter(self.kind, name.into_raw()) };
            }
        }
        if slot.is_null() {
            slot = OFF;
        } else {
            self.visit.store(find(b"_coz_visit\0"), Ordering::Relaxed);
            self.visit_id.store(find(b"_coz_visit_id\0"), Ordering::Relaxed);
        }
        self.slot.store(slot, Ordering::Release);
        slot
    }
}

/// Counts the end of a unit of work when it goes out of scope; `scope!` makes it.
pub struct Guard<'a> {
    end: &'a Counter,
}

impl<'a> Guard<'a> {
    pub fn new(end: &'a Counter) -> Guard<'a> {
        Guard { end }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.end.increment();
    }
}

/// Nothing has to be done for a thread; the original's crate asks for it, so programs call it.
pub fn thread_init() {}

/// One unit of work is done: `progress!()` is named "file:line", `progress!("name")` as it says.
#[macro_export]
macro_rules! progress {
    () => {
        $crate::progress!(concat!(file!(), ":", line!()))
    };
    ($name:expr) => {{
        static COUNTER: $crate::Counter = $crate::Counter::progress($name);
        COUNTER.increment();
    }};
}

/// A unit of work arrives.
#[macro_export]
macro_rules! begin {
    ($name:expr) => {{
        static COUNTER: $crate::Counter = $crate::Counter::begin($name);
        COUNTER.increment();
    }};
}

/// A unit of work leaves.
#[macro_export]
macro_rules! end {
    ($name:expr) => {{
        static COUNTER: $crate::Counter = $crate::Counter::end($name);
        COUNTER.increment();
    }};
}

/// A unit of work arrives, and no other one in progress has that id (a `u64`): what each takes is known then, and
/// not only the mean. `end_id!` says when it leaves.
#[macro_export]
macro_rules! begin_id {
    ($name:expr, $id:expr) => {{
        static COUNTER: $crate::Counter = $crate::Counter::begin($name);
        COUNTER.increment_id($id);
    }};
}

/// The unit of work with that id leaves.
#[macro_export]
macro_rules! end_id {
    ($name:expr, $id:expr) => {{
        static COUNTER: $crate::Counter = $crate::Counter::end($name);
        COUNTER.increment_id($id);
    }};
}

/// A unit of work arrives here, and leaves at the end of the block, however that is left.
#[macro_export]
macro_rules! scope {
    ($name:expr) => {
        let _coz_scope = {
            static END: $crate::Counter = $crate::Counter::end($name);
            $crate::begin!($name);
            $crate::Guard::new(&END)
        };
    };
}
