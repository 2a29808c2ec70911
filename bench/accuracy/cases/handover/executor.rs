/*
 * Asynchronous Rust: two threads of an executor run whatever task is ready, and no task is bound to one of them. A round
 * starts a long and a short task, and goes on when both are done: a visit is one round. Planted: the long one pays until
 * it is as short as the other, and the short one is never waited for.
 *
 * The executor is as plain as one can be: a queue of ready tasks under a lock, and a condition to wait at. A task that waits
 * for another leaves its waker there.
 *
 * @case executor
 */
use std::collections::VecDeque;
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

#[path = "../../../../bindings/rust/src/lib.rs"]
#[allow(dead_code, unused_macros)]
mod coz;
#[allow(unused_imports)]
pub use coz::*; // where its macros look

const STEPS: u32 = 500_000; // about a millisecond
const WARM_SECONDS: f64 = 0.15;

struct Task {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    executor: Arc<Executor>,
}

#[derive(Default)]
struct Executor {
    ready: Mutex<VecDeque<Arc<Task>>>,
    more: Condvar,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let executor = self.executor.clone();
        executor.ready.lock().unwrap().push_back(self);
        executor.more.notify_one();
    }
}

/* One thread of the executor. */
fn execute(executor: &Executor) {
    loop {
        let mut ready = executor.ready.lock().unwrap();
        while ready.is_empty() {
            ready = executor.more.wait(ready).unwrap();
        }
        let task = ready.pop_front().unwrap();
        drop(ready);
        let waker = Waker::from(task.clone());
        let mut future = task.future.lock().unwrap();
        if let Some(mut going) = future.take() {
            if going.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                *future = Some(going);
            }
        }
    }
}

/* What a task has come to, and who waits for it. */
#[derive(Default)]
struct Outcome {
    is_there: bool,
    waker: Option<Waker>,
}

struct Join(Arc<Mutex<Outcome>>);

impl Future for Join {
    type Output = ();
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut outcome = self.0.lock().unwrap();
        if outcome.is_there {
            return Poll::Ready(());
        }
        outcome.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

fn spawn(executor: &Arc<Executor>, body: impl Future<Output = ()> + Send + 'static) -> Join {
    let outcome = Arc::new(Mutex::new(Outcome::default()));
    let told = outcome.clone();
    let future = async move {
        body.await;
        let mut outcome = told.lock().unwrap();
        outcome.is_there = true;
        if let Some(waker) = outcome.waker.take() {
            waker.wake();
        }
    };
    Arc::new(Task { future: Mutex::new(Some(Box::pin(future))), executor: executor.clone() }).wake();
    Join(outcome)
}

#[derive(Clone, Copy)]
struct Knobs {
    long: u32,
    short: u32,
    seconds: f64,
}

fn usage() -> ! {
    eprintln!("usage: executor [--seconds N] [--seed N] [--set KNOB=N] [--cut KNOB=PERCENT]; knobs: long short");
    std::process::exit(2);
}

fn knobs() -> Knobs {
    let mut knobs = Knobs { long: STEPS * 4 / 10, short: STEPS * 3 / 10, seconds: 30.0 };
    let words: Vec<String> = std::env::args().skip(1).collect();
    for pair in words.chunks(2) {
        let value = pair.get(1).map_or("", String::as_str);
        let (name, number) = value.split_once('=').unwrap_or(("", value));
        let number = number.parse::<f64>().unwrap_or_else(|_| usage());
        match (pair[0].as_str(), name) {
            ("--seconds", "") => knobs.seconds = number,
            ("--seed", "") => (),
            ("--set", "long") => knobs.long = number as u32,
            ("--set", "short") => knobs.short = number as u32,
            ("--cut", "long") => knobs.long = (knobs.long as f64 * (1.0 - number / 100.0) + 0.5) as u32,
            ("--cut", "short") => knobs.short = (knobs.short as f64 * (1.0 - number / 100.0) + 0.5) as u32,
            _ => usage(),
        }
    }
    knobs
}

async fn rounds(executor: Arc<Executor>, knobs: Knobs) {
    let started = Instant::now();
    let (mut visits, mut warm) = (0u64, None);
    loop {
        /* All of a loop is its line's: what is inlined into it is the standard library's. */
        let long = spawn(&executor, async move {
            let mut x = 1u32;
            for _ in 0..knobs.long { x = black_box((x ^ x >> 15).wrapping_mul(2246822519)) | 1 } /* TARGET long */
        });
        let short = spawn(&executor, async move {
            let mut x = 1u32;
            for _ in 0..knobs.short { x = black_box((x ^ x >> 15).wrapping_mul(2246822521)) | 1 } /* TARGET short */
        });
        long.await;
        short.await;
        progress!("visit");
        visits += 1;
        let now = started.elapsed().as_secs_f64();
        let (begun, first) = *warm.get_or_insert((now, visits));
        if now < WARM_SECONDS {
            warm = None;
        } else if now >= WARM_SECONDS + knobs.seconds {
            println!("RATE {:.3}", (visits - first) as f64 / (now - begun));
            std::process::exit(0);
        }
    }
}

fn main() {
    let executor = Arc::new(Executor::default());
    drop(spawn(&executor, rounds(executor.clone(), knobs())));
    let other = executor.clone();
    std::thread::spawn(move || execute(&other));
    execute(&executor);
}
