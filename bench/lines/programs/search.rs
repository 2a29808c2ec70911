//! search PATTERN FILE TIMES: counts the matches in the file's lines, as often as that.
use std::collections::HashMap;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let pattern = regex::Regex::new(&arguments[1]).expect("a pattern");
    let text = std::fs::read_to_string(&arguments[2]).expect("a file");
    let times: usize = arguments[3].parse().expect("a number");
    let mut found: HashMap<String, usize> = HashMap::new();
    for _ in 0..times {
        for line in text.lines() {
            for word in pattern.find_iter(line) {
                *found.entry(word.as_str().to_lowercase()).or_insert(0) += 1;
            }
        }
    }
    let mut words: Vec<(String, usize)> = found.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    for (word, count) in words.iter().take(5) {
        println!("{} {}", count, word);
    }
}
