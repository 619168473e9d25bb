struct P { x: u8 }
