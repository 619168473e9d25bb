struct P { x: u8, y: u8 }
