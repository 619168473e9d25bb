//! A passkey as an authenticator and a browser have it, made of a key of the test's own.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::digest::{SHA256, SHA512, digest};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
};
use serde_json::{Value, json};

/// A passkey for `localhost`.
#[derive(Debug)]
pub struct Passkey {
    /// Signs with two numbers side by side, as SSH has them.
    plain: EcdsaKeyPair,
    /// The same key, in the form that browsers give.
    packed: EcdsaKeyPair,
    random: SystemRandom,
}

/// An authenticator's flags: the user touched it.
pub const TOUCHED: u8 = 0x01;
/// The user touched it and gave a PIN or a finger.
pub const VERIFIED: u8 = 0x05;

fn put(into: &mut Vec<u8>, bytes: &[u8]) {
    into.extend_from_slice(&u32::try_from(bytes.len()).expect("short").to_be_bytes());
    into.extend_from_slice(bytes);
}

fn put_number(into: &mut Vec<u8>, bytes: &[u8]) {
    let start = bytes.iter().take_while(|byte| **byte == 0).count();
    let mut number = bytes[start..].to_vec();
    if number.first().is_some_and(|byte| byte & 0x80 != 0) {
        number.insert(0, 0);
    }
    put(into, &number);
}

fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The beginning of every answer of an authenticator.
fn header(flags: u8) -> Vec<u8> {
    let mut data = digest(&SHA256, b"localhost").as_ref().to_vec();
    data.push(flags);
    data.extend_from_slice(&5_u32.to_be_bytes());
    data
}

fn client_data(kind: &str, challenge: &str, origin: &str) -> String {
    format!(
        "{{\"type\":\"{kind}\",\"challenge\":\"{challenge}\",\"origin\":\"{origin}\",\"crossOrigin\":false}}"
    )
}

impl Passkey {
    /// A new one.
    #[expect(clippy::new_without_default, reason = "every one is another")]
    pub fn new() -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("random bytes");
        let pair = |algorithm| {
            let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random);
            pair.expect("just made")
        };
        Self {
            plain: pair(algorithm),
            packed: pair(&ECDSA_P256_SHA256_ASN1_SIGNING),
            random: SystemRandom::new(),
        }
    }

    fn blob(&self) -> Vec<u8> {
        let mut blob = Vec::new();
        put(&mut blob, b"sk-ecdsa-sha2-nistp256@openssh.com");
        put(&mut blob, b"nistp256");
        put(&mut blob, self.plain.public_key().as_ref());
        put(&mut blob, b"localhost");
        blob
    }

    /// Its public half, as OpenSSH writes it.
    pub fn public(&self) -> String {
        let blob = STANDARD.encode(self.blob());
        format!("sk-ecdsa-sha2-nistp256@openssh.com {blob}")
    }

    /// Its credential id.
    pub fn credential(&self) -> Vec<u8> {
        digest(&SHA256, &self.blob()).as_ref()[..16].to_vec()
    }

    /// A page's message after its browser had this passkey sign a challenge, which is in the form for pages.
    pub fn assertion(&self, challenge: &str, origin: &str, flags: u8) -> Value {
        let client_data = client_data("webauthn.get", challenge, origin);
        let data = header(flags);
        let mut signed = data.clone();
        signed.extend_from_slice(digest(&SHA256, client_data.as_bytes()).as_ref());
        let signature = self.packed.sign(&self.random, &signed);
        json!({
            "authenticator_data": text(&data),
            "client_data": text(client_data.as_bytes()),
            "signature": text(signature.expect("random bytes").as_ref()),
        })
    }

    /// A page's message after its browser created this passkey.
    pub fn registration(&self, challenge: &str, origin: &str, flags: u8) -> Value {
        let mut data = header(flags | 0x40);
        data.extend_from_slice(&[0; 16]);
        let credential = self.credential();
        data.extend_from_slice(&[0, u8::try_from(credential.len()).expect("short")]);
        data.extend_from_slice(&credential);
        let (x, y) = self.plain.public_key().as_ref()[1..].split_at(32);
        data.extend_from_slice(&[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20]);
        data.extend_from_slice(x);
        data.extend_from_slice(&[0x22, 0x58, 0x20]);
        data.extend_from_slice(y);
        json!({
            "authenticator_data": text(&data),
            "client_data": text(client_data("webauthn.create", challenge, origin).as_bytes()),
        })
    }

    /// The binary form of an SSH signature; `said` is the browser's version of the challenge.
    pub fn sign(
        &self,
        namespace: &str,
        content: &str,
        flags: u8,
        said: impl Fn(String) -> String,
    ) -> Vec<u8> {
        let mut message = b"SSHSIG".to_vec();
        let hash = digest(&SHA512, content.as_bytes());
        for part in [namespace.as_bytes(), b"", b"sha512", hash.as_ref()] {
            put(&mut message, part);
        }
        let origin = "http://localhost:8123";
        let client_data = client_data("webauthn.get", &said(text(&message)), origin);
        let mut signed = header(flags);
        signed.extend_from_slice(digest(&SHA256, client_data.as_bytes()).as_ref());
        let signature = self.plain.sign(&self.random, &signed);
        let signature = signature.expect("random bytes");
        let (r, s) = signature.as_ref().split_at(32);
        let mut numbers = Vec::new();
        put_number(&mut numbers, r);
        put_number(&mut numbers, s);
        let mut raw = Vec::new();
        put(&mut raw, b"webauthn-sk-ecdsa-sha2-nistp256@openssh.com");
        put(&mut raw, &numbers);
        raw.push(flags);
        raw.extend_from_slice(&5_u32.to_be_bytes());
        put(&mut raw, origin.as_bytes());
        put(&mut raw, client_data.as_bytes());
        put(&mut raw, b"");
        let mut blob = b"SSHSIG".to_vec();
        blob.extend_from_slice(&1_u32.to_be_bytes());
        for part in [&self.blob()[..], namespace.as_bytes(), b"", b"sha512", &raw] {
            put(&mut blob, part);
        }
        blob
    }
}
