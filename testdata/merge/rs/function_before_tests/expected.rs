pub fn a() {}

pub fn helper() {}

#[cfg(test)]
mod tests {
    fn helper() {}
}
