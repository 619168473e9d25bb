//! SSH's binary encoding: numbers with the first byte highest, texts with their length in front.

use super::SshError;

/// Takes values from the front of some bytes.
#[derive(Debug, Clone, Copy)]
pub(in crate::approval) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(in crate::approval) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(in crate::approval) fn bytes(&mut self, count: usize) -> Result<&'a [u8], SshError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(SshError::Length)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(in crate::approval) fn byte(&mut self) -> Result<u8, SshError> {
        Ok(self.bytes(1)?[0])
    }

    pub(in crate::approval) fn u32(&mut self) -> Result<u32, SshError> {
        let bytes = self.bytes(4)?.try_into().map_err(|_| SshError::Length)?;
        Ok(u32::from_be_bytes(bytes))
    }

    pub(in crate::approval) fn u64(&mut self) -> Result<u64, SshError> {
        let bytes = self.bytes(8)?.try_into().map_err(|_| SshError::Length)?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// Bytes with their length in front.
    pub(in crate::approval) fn string(&mut self) -> Result<&'a [u8], SshError> {
        let length = usize::try_from(self.u32()?).map_err(|_| SshError::Length)?;
        self.bytes(length)
    }

    pub(in crate::approval) fn text(&mut self) -> Result<&'a str, SshError> {
        std::str::from_utf8(self.string()?).map_err(|_| SshError::Malformed)
    }

    /// A positive number without the zero in front that marks it as one.
    pub(in crate::approval) fn positive(&mut self) -> Result<&'a [u8], SshError> {
        let bytes = self.string()?;
        match bytes {
            [0, rest @ ..] if rest.first().is_some_and(|byte| byte & 0x80 != 0) => Ok(rest),
            [first, ..] if *first != 0 && first & 0x80 == 0 => Ok(bytes),
            _ => Err(SshError::Malformed),
        }
    }

    pub(in crate::approval) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Nothing may be left over.
    pub(in crate::approval) fn end(self) -> Result<(), SshError> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(SshError::Length)
        }
    }
}

/// Appends bytes with their length in front.
pub(super) fn put_string(into: &mut Vec<u8>, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    into.extend_from_slice(&length.to_be_bytes());
    into.extend_from_slice(bytes);
}
