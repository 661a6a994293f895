// SPDX-License-Identifier: Apache-2.0
// Three threads that take most of the time, and work of main().
use std::hint::black_box;
use std::thread;

#[inline(never)]
fn work(rounds: u64) -> f64 {
    let mut sum = 0.0;
    for i in 0..rounds {
        sum = black_box(sum + (i as f64).sqrt());
    }
    sum
}

#[inline(never)]
fn own(rounds: u64) -> u64 {
    let mut sum = 1;
    for i in 0..rounds {
        sum = black_box(sum ^ i);
    }
    sum
}

fn main() {
    let threads: Vec<_> = (0..3).map(|_| thread::spawn(|| work(120_000_000))).collect();
    let own = own(120_000_000);
    let sum: f64 = threads.into_iter().map(|t| t.join().unwrap()).sum();
    println!("{} {}", own, sum);
}
