// SPDX-License-Identifier: Apache-2.0
// Generic functions, closures and methods of traits.
trait Shape {
    fn area(&self) -> f64;
}
struct Square(f64);
struct Circle(f64);
impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Circle {
    #[inline(never)]
    fn area(&self) -> f64 {
        (0..100).fold(0.0, |sum, i| sum + self.0 / (i as f64 + 1.0))
    }
}
#[inline(never)]
fn apply<F: Fn(u32) -> u32>(n: u32, f: F) -> u32 {
    (0..n).fold(0u32, |sum, i| sum.wrapping_add(f(i)))
}
fn main() {
    let rounds: u32 = std::env::args().nth(1).and_then(|w| w.parse().ok()).unwrap_or(1);
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2.0)), Box::new(Circle(3.0))];
    let mut sum = 0.0;
    let mut whole = 0u32;
    for round in 0..rounds * 20 {
        for shape in &shapes {
            sum += shape.area();
        }
        whole = whole.wrapping_add(apply(100, |x| (0..20).fold(x, |y, i| y.wrapping_mul(33) ^ (i + round))));
    }
    println!("{} {}", sum, whole);
}
