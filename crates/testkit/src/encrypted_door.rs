//! An encrypted way to a model service on this machine, with a certificate that no client trusts.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::ModelServer;
use crate::loopback::read_request;

/// A door to a [`ModelServer`]. Stays open until the test's process ends.
#[derive(Debug)]
pub struct EncryptedDoor {
    address: SocketAddr,
    certificate: String,
}

impl EncryptedDoor {
    /// Opens one.
    pub fn open(server: &ModelServer) -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])
            .expect("a certificate can be made");
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der())
            .expect("the key has just been made");
        let config =
            ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .expect("the provider has the usual versions")
                .with_no_client_auth()
                .with_single_cert(vec![made.cert.der().clone()], key)
                .expect("certificate and key belong together");
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port is free");
        let address = listener.local_addr().expect("a bound port has an address");
        let (config, inner) = (Arc::new(config), server.url());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that does not trust the certificate leaves, which some tests are about.
                let _ = pass_on(stream, &config, &inner["http://".len()..]);
            }
        });
        Self {
            address,
            certificate: made.cert.pem(),
        }
    }

    /// Where it is, without a slash at its end.
    pub fn url(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }

    /// The certificate in PEM form.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }
}

fn pass_on(mut outside: TcpStream, config: &Arc<ServerConfig>, inner: &str) -> std::io::Result<()> {
    let mut connection =
        ServerConnection::new(Arc::clone(config)).map_err(std::io::Error::other)?;
    connection.complete_io(&mut outside)?;
    let mut outside = StreamOwned::new(connection, outside);
    let mut inside = TcpStream::connect(inner)?;
    inside.write_all(read_request(&mut outside).as_bytes())?;
    let mut answer = Vec::new();
    inside.read_to_end(&mut answer)?;
    outside.write_all(&answer)?;
    outside.conn.send_close_notify();
    outside.flush()
}
