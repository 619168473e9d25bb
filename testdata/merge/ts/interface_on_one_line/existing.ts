interface P { a: string }
