//! The cost of a call to a model service beyond the service's own time, and of a long reply in memory.
//!
//! `cargo bench -p proctor-cli --bench model` prints each figure beside its peer and its limit. The peer of a call is
//! the same request on a bare socket, read to its end; the peer of a long reply is a short one.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its result and measures the world"
)]

mod peak_memory;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use peak_memory::watched_peak;
use proctor_core::generation::prompts;
use proctor_core::secrets::AllowedSecrets;
use proctor_host::model::{Asking, Model, ModelSpec, Request, clear};
use proctor_host::process::{Interrupt, Launcher};
use proctor_host::settings::ModelSettings;
use proctor_testkit::{ModelServer, Protocol, TestEnvironment};

const ROUNDS: usize = 30;
const KEY: &str = "sesame-open-4711";
/// A service's delay before its first byte, so that its own time is not zero.
const OWN_TIME: Duration = Duration::from_millis(5);

fn main() {
    println!(
        "{:<44} {:>10} {:>10} {:>10}  limit",
        "measurement", "measured", "peer", "beyond"
    );
    for protocol in Protocol::ALL {
        short_call(protocol);
    }
    long_reply();
    memory();
}

fn median(mut values: Vec<Duration>) -> Duration {
    values.sort();
    values[values.len() / 2]
}

fn client(protocol: Protocol, server: &ModelServer) -> Box<dyn Model> {
    let variables = protocol.variables(&server.url(), KEY).into_iter();
    let environment = variables
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    ModelSpec::parse(protocol.model(), Path::new("/"))
        .unwrap()
        .open(
            "",
            &[],
            &ModelSettings::default(),
            &Launcher::plain(),
            &environment,
            &Interrupt::never(),
        )
        .unwrap()
}

/// The time of one call, and the size of its reply.
fn call(model: &mut dyn Model) -> (Duration, usize) {
    let prompt = prompts::probe();
    let request = Request {
        asking: Asking::Scaffold,
        attempt: 1,
        cut_off: 0,
        prompt: &prompt,
    };
    let allowed = AllowedSecrets::default();
    let began = Instant::now();
    let cleared = clear(model, &request, &allowed).unwrap();
    let reply = model.send(&cleared).unwrap();
    (began.elapsed(), reply.text.len())
}

/// The same request on a bare socket.
fn bare(server: &ModelServer) -> Duration {
    let request = server.received()[0].clone();
    let began = Instant::now();
    let mut stream = TcpStream::connect(&server.url()["http://".len()..]).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    began.elapsed()
}

fn row(name: &str, measured: Duration, peer: Duration, limit: Duration) {
    let beyond = measured.saturating_sub(peer);
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:<44} {:>8.1}ms {:>8.1}ms {:>8.1}ms  {:.0} ms ({:.2} of it)",
        millis(measured),
        millis(peer),
        millis(beyond),
        millis(limit),
        millis(beyond) / millis(limit)
    );
}

fn compare(name: &str, protocol: Protocol, server: &ModelServer, bytes: usize, limit: Duration) {
    let mut model = client(protocol, server);
    let (mut ours, mut peers) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (time, length) = call(model.as_mut());
        assert_eq!(length, bytes);
        ours.push(time);
        peers.push(bare(server));
    }
    row(name, median(ours), median(peers), limit);
}

fn short_call(protocol: Protocol) {
    let answer = protocol.good("OK, that is all").slow(OWN_TIME);
    let server = ModelServer::start(vec![answer]);
    let name = format!("a short reply, {}", protocol.model());
    compare(&name, protocol, &server, 15, Duration::from_millis(20));
}

/// Reading a million bytes in small pieces is work; as much again as the limit of a short call for each tenth of them.
fn long_reply() {
    let text = "some words ".repeat(9_091);
    let answer = Protocol::Anthropic.good_in_pieces(&text, 6_000);
    let server = ModelServer::start(vec![answer]);
    let limit = Duration::from_millis(200);
    let name = "a reply of 100 kB in 6,000 pieces";
    compare(name, Protocol::Anthropic, &server, text.len(), limit);
}

fn memory() {
    let peak = |bytes: usize| {
        let text = "some words ".repeat(bytes / 11);
        let answer = Protocol::Anthropic.good_in_pieces(&text, bytes / 16 + 1);
        let server = ModelServer::start(vec![answer]);
        let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        environment.use_pytest();
        environment.init_repository();
        for (name, value) in Protocol::Anthropic.variables(&server.url(), KEY) {
            environment.set_variable(name, value);
        }
        let words = ["doctor", "--model", Protocol::Anthropic.model()];
        watched_peak(&mut environment.proctor_command(words), 0)
    };
    let (short, long) = (peak(1_000), peak(1_000_000));
    println!(
        "{:<44} {long:>8} kB {short:>8} kB {:>10.2}  1.25 times as much",
        "peak with a reply of 1 MB in 62,500 pieces",
        f64::from(long) / f64::from(short)
    );
}
