//! A job's reach beyond files: the network, other processes, the terminal, the kernel.

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;

use proctor_host::process::SandboxLevel;

use crate::world::{World, chosen, run, skipped};

pub(crate) fn no_port_of_the_machine_can_be_reached(world: &World) {
    let streams = TcpListener::bind("127.0.0.1:0").expect("a port");
    let packets = UdpSocket::bind("127.0.0.1:0").expect("a port");
    streams.set_nonblocking(true).expect("a setting");
    packets.set_nonblocking(true).expect("a setting");
    let port = |address: std::io::Result<std::net::SocketAddr>| address.expect("bound").port();
    world.printed(&format!(
        "
try:
    socket.create_connection(('127.0.0.1', {}), 1)
    sys.exit('connected')
except OSError:
    pass
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {}))
except OSError:
    pass",
        port(streams.local_addr()),
        port(packets.local_addr())
    ));
    assert!(streams.accept().is_err());
    assert!(packets.recv(&mut [0]).is_err());
}

pub(crate) fn loopback_works_only_in_a_network_of_its_own(world: &World) {
    let text = world.printed(
        "
try:
    server = socket.create_server(('127.0.0.1', 0))
    client = socket.create_connection(server.getsockname())
    other, _ = server.accept()
    client.sendall(b'x')
    print(other.recv(1))
except OSError as error:
    print(type(error).__name__)
pair = socket.socketpair()
pair[0].send(b'x')",
    );
    let expected = match world.level() {
        SandboxLevel::Bubblewrap => "b'x'\n",
        _ => "PermissionError\n",
    };
    assert_eq!(text, expected);
}

pub(crate) fn no_service_on_a_unix_socket_can_be_reached(world: &World) {
    let service = world.root.join("service");
    let _listener = UnixListener::bind(&service).expect("a socket");
    let mut job = world.python(
        "
try:
    socket.socket(socket.AF_UNIX).connect(root + '/service')
    print('connected')
except OSError:
    pass
pair = socket.socketpair()
pair[0].send(b'x')",
    );
    let sandbox = chosen(world.level(), None).expect("it was there a moment ago");
    job.confinement.as_mut().expect("it is confined").sandbox = sandbox;
    let finished = run(&job);
    assert_eq!(finished.output.text(), "");
    assert_eq!(finished.exit.code(), Some(0));
}

pub(crate) fn no_environment_but_the_jobs_own_can_be_read(world: &World) {
    let mut job = world.python("");
    let foreign = std::env::vars_os()
        .map(|(name, _)| name)
        .find(|name| job.environment.iter().all(|(own, _)| own != name))
        .expect("a test is started with more than PATH");
    job.arguments[1] = format!(
        "import glob
for path in glob.glob('/proc/*/environ') + ['/proc/1/environ']:
    try:
        names = [entry.split(b'=')[0] for entry in open(path, 'rb').read().split(b'\\0')]
    except OSError:
        continue
    if {:?}.encode() in names:
        print(path)",
        foreign.to_string_lossy()
    )
    .into();
    let finished = run(&job);
    assert_eq!(finished.output.text(), "");
    assert_eq!(finished.exit.code(), Some(0));
}

pub(crate) fn neither_proctor_nor_the_supervisor_can_be_signalled(world: &World) {
    let proctor = std::process::id();
    let unconfined = |gap: &&str| gap.contains("signals");
    let targets = if world.sandbox.gaps().iter().any(unconfined) {
        skipped("signals to proctor: before Linux 6.12 landlock does not confine them");
        String::from("[]")
    } else {
        format!("[{proctor}]")
    };
    let text = world.printed(&format!(
        "
targets = {targets}
if {proctor} in map(int, filter(str.isdigit, os.listdir('/proc'))):
    targets.append(os.getppid())
    import resource
    try:
        resource.prlimit({proctor}, resource.RLIMIT_CORE, (0, 0))
        print('limited')
    except OSError:
        pass
for target in targets:
    for number in (0, signal.SIGCONT, signal.SIGKILL):
        try:
            os.kill(target, number)
            print('signalled', target, number)
        except OSError:
            pass"
    ));
    assert_eq!(text, "");
}

pub(crate) fn there_is_no_terminal(world: &World) {
    let text = world.printed(
        "
try:
    open('/dev/tty', 'w')
    print('opened')
except OSError:
    pass
print(os.isatty(0), os.isatty(1), os.isatty(2))",
    );
    assert_eq!(text, "False False False\n");
}

pub(crate) fn the_kernels_back_doors_are_shut(world: &World) {
    let text = world.printed(
        "
import ctypes, errno, fcntl, platform, termios
libc = ctypes.CDLL(None, use_errno=True)
def failed(result):
    return os.strerror(ctypes.get_errno()) if result == -1 else 'worked'
print(failed(libc.unshare(0x10000000)))
numbers = {'x86_64': (250, 425, 323), 'aarch64': (219, 425, 282)}[platform.machine()]
for number in numbers:
    print(failed(libc.syscall(number, 0, 0, 0)))
print(failed(libc.mount(b'none', b'/mnt', b'tmpfs', 0, None)))
master, slave = os.pipe()
try:
    fcntl.ioctl(slave, termios.TIOCSTI, b'x')
except OSError as error:
    print(error.strerror)",
    );
    let no = "Operation not permitted\n";
    assert_eq!(
        text,
        format!("{no}{no}Function not implemented\n{no}{no}{no}")
    );
}
