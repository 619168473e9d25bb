//! Any bytes can be read as a signature, as a new passkey, as signers, as revocations, as a statement and as evidence, always with the same
//! result; what is read of a statement or a key is written the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proctor_core::approval::ssh::{Assertion, Certificate, NewPasskey, PublicKey, Signature, armoured};
use proctor_core::approval::{Evidence, NAMESPACE, Revoked, Signers, Statement};

/// What a browser says about a page of ours whose question was "question".
const ORIGIN: &str = "http://localhost:1";
const MADE: &[u8] = br#"{"type":"webauthn.create","challenge":"cXVlc3Rpb24","origin":"http://localhost:1"}"#;
const USED: &[u8] = br#"{"type":"webauthn.get","challenge":"cXVlc3Rpb24","origin":"http://localhost:1"}"#;

fuzz_target!(|bytes: &[u8]| {
    for armour in [bytes.to_vec(), armoured(bytes).into_bytes()] {
        let signature = Signature::parse(&armour);
        assert_eq!(signature, Signature::parse(&armour));
        if let Ok(signature) = signature {
            let _ = signature.challenge(bytes);
        }
    }
    if let Ok(key) = PublicKey::parse(bytes) {
        assert_eq!(PublicKey::parse_text(&key.text()), Ok(key));
    }
    if let Ok(passkey) = NewPasskey::read(bytes, MADE, b"question", ORIGIN) {
        assert!(passkey.key.is_local_passkey());
        let assertion = Assertion {
            authenticator_data: bytes.to_vec(),
            client_data: USED.to_vec(),
            signature: passkey.credential,
        };
        let _ = assertion.armoured(&passkey.key, NAMESPACE, b"question", ORIGIN);
    }
    let _ = Certificate::parse(bytes);
    let _ = Revoked::parse(bytes);
    let _ = Evidence::parse(bytes);
    if let Ok(statement) = Statement::parse(bytes) {
        assert_eq!(Statement::parse(statement.to_text().as_bytes()), Ok(statement));
    }
    let text = String::from_utf8_lossy(bytes);
    for line in Signers::parse(&text).lines {
        let _ = (line.names("a@b"), line.may_sign(NAMESPACE), line.has_wildcard());
    }
});
