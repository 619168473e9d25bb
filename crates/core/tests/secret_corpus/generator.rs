//! Made-up secrets: no key is stored here, so that no scanner finds one in this repository.

/// A small generator of pseudo-random numbers (xorshift64*), the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).expect("31 bits") % limit
    }

    pub(crate) fn text(&mut self, class: &str, length: usize) -> String {
        let alphabet = alphabet(class).as_bytes();
        (0..length)
            .map(|_| char::from(alphabet[self.below(alphabet.len())]))
            .collect()
    }

    /// Fills a shape: `ghp_<w36>` is `ghp_` and 36 letters and digits.
    pub(crate) fn fill(&mut self, shape: &str) -> String {
        let mut filled = String::new();
        let mut parts = shape.split('<');
        filled.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (hole, rest) = part.split_once('>').expect("every hole is closed");
            let digits = hole.find(|letter: char| letter.is_ascii_digit());
            let (class, length) = hole.split_at(digits.expect("a hole has a length"));
            let length = length.parse().expect("a length is a number");
            filled.push_str(&self.text(class, length));
            filled.push_str(rest);
        }
        filled
    }
}

fn alphabet(class: &str) -> &'static str {
    match class {
        "w" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "url" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "base" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "hex" => "0123456789abcdef",
        "HEX" => "0123456789ABCDEF",
        "digit" => "0123456789",
        "letter" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "low" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "UP" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "BASE" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "bech" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
        "mixed" => "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#$%&*+-.?@^_~",
        "safe" => "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789",
        other => panic!("no alphabet is called {other}"),
    }
}

/// Base 64 with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let alphabet = alphabet("base").as_bytes();
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from(group[0]) << 16 | u32::from(group[1]) << 8 | u32::from(group[2]);
        for place in 0..4 {
            if place <= chunk.len() {
                let index = bits >> (18 - 6 * place) & 63;
                text.push(char::from(
                    alphabet[usize::try_from(index).expect("six bits")],
                ));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// Base 64 for addresses, without padding.
pub(crate) fn base64url(bytes: &[u8]) -> String {
    base64(bytes)
        .replace('+', "-")
        .replace('/', "_")
        .replace('=', "")
}

/// A block in armour with this many lines.
pub(crate) fn armour(random: &mut Random, label: &str, lines: usize) -> String {
    let mut block = format!("-----BEGIN {label}-----\n");
    for _ in 0..lines {
        block.push_str(&random.text("base", 64));
        block.push('\n');
    }
    let last = random.fill("<base42>==");
    format!("{block}{last}\n-----END {label}-----")
}
