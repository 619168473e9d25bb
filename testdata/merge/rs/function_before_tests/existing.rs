pub fn a() {}

#[cfg(test)]
mod tests {
    fn helper() {}
}
