enum Color { Red, Blue }
