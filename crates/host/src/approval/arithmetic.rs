//! Whether a key made a signature.

use proctor_core::approval::ssh::{Curve, KeyMaterial, RawSignature, SignedBytes};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA512, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

/// Whether the key made this signature of these bytes. A key that is too weak made none.
pub fn holds(signed: &SignedBytes<'_>) -> bool {
    let checks = |algorithm: &'static dyn VerificationAlgorithm, key: &[u8], signature: &[u8]| {
        let key = UnparsedPublicKey::new(algorithm, key);
        key.verify(&signed.message, signature).is_ok()
    };
    match (signed.key, signed.signature) {
        (
            KeyMaterial::Ed25519(key) | KeyMaterial::SecurityEd25519(key, _),
            RawSignature::Ed25519(signature),
        ) => checks(&ED25519, key, signature),
        (KeyMaterial::Ecdsa(Curve::P384, key), RawSignature::Ecdsa(Curve::P384, signature)) => {
            checks(&ECDSA_P384_SHA384_FIXED, key, signature)
        }
        (
            KeyMaterial::Ecdsa(Curve::P256, key) | KeyMaterial::SecurityEcdsa(key, _),
            RawSignature::Ecdsa(Curve::P256, signature),
        ) => checks(&ECDSA_P256_SHA256_FIXED, key, signature),
        (KeyMaterial::Rsa(exponent, modulus), RawSignature::Rsa { is_sha512, bytes }) => {
            let algorithm = if *is_sha512 {
                &RSA_PKCS1_2048_8192_SHA512
            } else {
                &RSA_PKCS1_2048_8192_SHA256
            };
            let key = RsaPublicKeyComponents {
                n: modulus,
                e: exponent,
            };
            // A signature that begins with zeros may have been written without them.
            let mut padded = vec![0; modulus.len().saturating_sub(bytes.len())];
            padded.extend_from_slice(bytes);
            key.verify(algorithm, &signed.message, &padded).is_ok()
        }
        _ => false,
    }
}
