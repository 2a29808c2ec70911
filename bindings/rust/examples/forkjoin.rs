//! Each round starts two threads and waits for both, as examples/forkjoin.c does. The planted answer: only the long
//! one's line is worth anything.
//!
//!     cargo build --release --example forkjoin
//!     coz run --- target/release/examples/forkjoin 30
use std::time::{Duration, Instant};

/// What the optimiser knows nothing of.
fn opaque(x: u32) -> u32 {
    unsafe { std::ptr::read_volatile(&x) }
}

fn work(steps: u32) -> u32 {
    let mut x = opaque(1);
    for i in 0..steps {
        x = ((x ^ i) ^ (x >> 15)).wrapping_mul(2246822519) // the work
    }
    x
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10.0);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut rounds = 0;
    while Instant::now() < end {
        coz::scope!("a round");
        let long = std::thread::spawn(|| {
            coz::thread_init();
            opaque(work(2_000_000))
        });
        let short = std::thread::spawn(|| opaque(work(1_000_000)));
        long.join().unwrap();
        short.join().unwrap();
        coz::progress!("round");
        coz::progress!();
        rounds += 1;
    }
    println!("{} rounds", rounds);
}
