enum Color { Red, Blue, Green }
