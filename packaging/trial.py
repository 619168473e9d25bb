"""`scripts/package --try`: installs the packages as a user would, in clean environments, and uses what was installed."""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

# Nothing listens there: whatever would be fetched while a package is installed fails.
NO_REGISTRY = "http://127.0.0.1:9/"
# How this machine reaches PyPI, from where the demo installs pytest. All else of the environment is left behind.
NETWORK = re.compile(r"(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|PIP_(CERT|PROXY|(EXTRA_)?INDEX_URL|FIND_LINKS)", re.IGNORECASE)
PATIENCE = 180
WORKFLOW = Path(__file__).resolve().parent.parent / ".github/workflows/release.yml"


def complain(message):
    sys.exit(f"error: {message}")


def plain(output):
    """What a terminal would show, except that lines are not drawn over."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.decode("utf-8", "replace"))


class Terminal:
    """A program on a terminal of its own, whose session it leads."""

    def __init__(self, command, environment, folder):
        self.output = b""
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execve(command[0], command, environment)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 100, 0, 0))

    def piece(self):
        ready, _, _ = select.select([self.end], [], [], PATIENCE)
        if not ready:
            complain(f"no output for {PATIENCE} s after:\n{plain(self.output)}")
        try:
            return os.read(self.end, 65536)
        except OSError:
            # On Linux this is how a terminal says that its last program has gone.
            return b""

    def wait_for(self, text):
        while text not in plain(self.output):
            piece = self.piece()
            if not piece:
                complain(f"{text!r} never came:\n{plain(self.output)}")
            self.output += piece

    def type(self, keys):
        os.write(self.end, keys)

    def ended(self):
        """The exit code, after everything was read; negative for a signal."""
        while piece := self.piece():
            self.output += piece
        _, status = os.waitpid(self.process, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)


class Installation:
    """One way to install and call Proctor."""

    def __init__(self, name, scratch, program, prefix, folders, arguments=()):
        # Pages and completions are below the prefix; npm links only the pages there, completions stay in the package.
        self.name, self.prefix, self.completions = name, prefix, prefix
        self.home = scratch / "home"
        self.home.mkdir()
        self.work = scratch / "work"
        self.work.mkdir()
        self.command = [str(program), *arguments]
        # uvx and npx stay as processes of their own; how they pass a signal on is theirs.
        self.through_another = bool(arguments)
        self.environment = clean_environment(self.home, folders)

    def run(self, *arguments, environment=None, **options):
        environment = environment or self.environment
        return subprocess.run(
            [*self.command, *arguments], env=environment, cwd=self.work, capture_output=True, timeout=PATIENCE, **options
        )

    def on_terminal(self, *arguments):
        return Terminal([*self.command, *arguments], {**self.environment, "TERM": "xterm-256color"}, self.work)

    def require(self, condition, complaint):
        if not condition:
            complain(f"{self.name}: {complaint}")


def interpreter():
    """The Python itself: a virtual environment's, or a version manager's, would drag its home along."""
    return Path(os.path.realpath(sys.executable)).parent


def clean_environment(home, folders):
    path = [*map(str, folders), str(interpreter()), "/usr/bin", "/bin"]
    kept = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    return {
        **kept,
        "HOME": str(home),
        "PATH": os.pathsep.join(path),
        "LANG": "C.UTF-8",
        # npm's and uv's ways to stay offline; Proctor's demo in Python uses neither.
        "npm_config_registry": NO_REGISTRY,
        "npm_config_ignore_scripts": "true",
        "npm_config_update_notifier": "false",
        "UV_OFFLINE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def install(command, environment, folder):
    done = subprocess.run([str(word) for word in command], env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        complain(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def program_at(name):
    found = shutil.which(name)
    if not found:
        complain(f"--try needs {name}")
    return found


def wheel_in_environment(wheel, scratch):
    place = scratch / "venv"
    made = Installation("wheel, pip", scratch, place / "bin/proctor", place, [place / "bin"])
    install([interpreter() / "python3", "-m", "venv", place], made.environment, made.work)
    install([place / "bin/pip", "install", "--quiet", "--no-index", wheel], made.environment, made.work)
    return made


def wheel_by_uvx(wheel, scratch, uvx):
    """`uvx proctor`, with the file in place of a published package."""
    arguments = ["--quiet", "--no-index", "--from", str(wheel), "proctor"]
    return Installation("wheel, uvx", scratch, uvx, None, [], arguments)


def npm_globally(package, scratch):
    place = scratch / "prefix"
    made = Installation("npm, global", scratch, place / "bin/proctor", place, [place / "bin", Path(program_at("node")).parent])
    install([program_at("npm"), "install", "--global", "--prefix", place, package], made.environment, made.work)
    made.completions = place / "lib/node_modules/proctor"
    return made


def npm_in_project(package, scratch):
    node = Path(program_at("node")).parent
    made = Installation("npm, npx", scratch, program_at("npx"), None, [node], ["--no", "--", "proctor"])
    (made.work / "package.json").write_text('{"name": "sample", "private": true}\n')
    install([program_at("npm"), "install", "--no-audit", "--no-fund", package], made.environment, made.work)
    made.prefix = made.completions = made.work / "node_modules/proctor"
    return made


def unpacked(archive, scratch):
    place = scratch / "prefix"
    place.mkdir()
    made = Installation("archive", scratch, place / "bin/proctor", place, [place / "bin"])
    install(["tar", "-xzf", archive, "--strip-components=1", "-C", place], made.environment, made.work)
    return made


def check_workflow(tool):
    """What can be checked of a workflow that cannot run here: that it is YAML, and its steps are scripts."""
    python = tool("uv", "").parent / "python"
    if subprocess.run([python, "-c", "import yaml"], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pyyaml"], check=True)
    reader = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)['jobs']))"
    with WORKFLOW.open("rb") as text:
        jobs = json.loads(subprocess.run([python, "-c", reader], stdin=text, stdout=subprocess.PIPE, check=True).stdout)
    steps = [step for job in jobs.values() for step in job["steps"]]
    for step in steps:
        if "uses" not in step and subprocess.run(["bash", "-n"], input=step["run"], text=True).returncode != 0:
            complain(f"{WORKFLOW.name}: {step['name']} is not a script")
    print(f"{WORKFLOW.name}: {len(jobs)} jobs, {len(steps)} steps; read, never run")


def check_pass_through(made, binary):
    """Whatever is asked, the answer is the binary's own: exit code and both streams, byte for byte."""
    for arguments in (
        ["--version"],
        ["--help"],
        ["run"],
        ["--format", "json", "run", "--nothing"],
        ["man", "two words\nand a line, 'quoted' \"twice\", $HOME * \\ é"],
        ["man", ""],
        ["status"],
    ):
        got = made.run(*arguments)
        expected = subprocess.run([binary, *arguments], env=made.environment, cwd=made.work, capture_output=True)
        for what in ("returncode", "stdout", "stderr"):
            ours, theirs = getattr(got, what), getattr(expected, what)
            made.require(ours == theirs, f"{arguments}: {what} is {ours!r}, the binary's is {theirs!r}")
    made.require(made.run("run").returncode == 2, "wrong usage does not end with 2")
    greeting = {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    answer = made.run("mcp", input=json.dumps(greeting).encode() + b"\n")
    made.require(json.loads(answer.stdout)["id"] == 7, f"standard input did not arrive: {answer}")


def check_files(made, shared):
    if made.prefix is None:
        return "not installed by it"
    for place, content in shared.items():
        path = (made.prefix if place.startswith("share/man/") else made.completions) / place
        made.require(path.is_file(), f"{place} is missing")
        made.require(path.read_text("utf-8") == content, f"{place} is not what the program prints")
    if man := shutil.which("man"):
        shown = subprocess.run(
            [man, "-M", made.prefix / "share/man", "proctor-run"], env={**made.environment, "MANPAGER": "cat"}, capture_output=True
        )
        made.require(b"proctor run" in shown.stdout, f"man does not show proctor-run: {shown}")
    bash = 'source "$1" && complete -p proctor'
    completed = subprocess.run(["bash", "-c", bash, "bash", made.completions / "share/bash-completion/completions/proctor"], capture_output=True)
    made.require(completed.returncode == 0, f"bash does not take the completions: {completed.stderr}")
    return f"{len(shared)} files"


def check_demo(made):
    """The whole workflow: the question on the terminal, the answer by hand, the merge."""
    terminal = made.on_terminal("demo")
    terminal.wait_for("Type APPROVE")
    terminal.type(b"APPROVE\n")
    code = terminal.ended()
    shown = plain(terminal.output)
    made.require(code == 0, f"the demo ended with {code}:\n{shown}")
    made.require(re.search("✓ N7 Merge +merged into main as", shown), f"the demo did not merge:\n{shown}")


def check_ctrl_c(made):
    """Ctrl-C while the tests run, which is the terminal's signal to everyone on it, and at the question."""
    for text in ("N2", "Type APPROVE"):
        terminal = made.on_terminal("demo")
        terminal.wait_for(text)
        terminal.type(b"\x03")
        code = terminal.ended()
        shown = plain(terminal.output)
        # npx ends by the signal that it got itself, which a shell shows as 130 too.
        ended = code == 130 or (made.through_another and code == -signal.SIGINT)
        made.require(ended and "interrupted" in shown, f"Ctrl-C at {text!r} ended with {code}:\n{shown}")


def check_signals(made, binary):
    """A signal to the process that was started; it has become the binary, so there is no one to pass it on."""
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen(
            [*made.command, "demo"], env=made.environment, cwd=made.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        seen = b""
        while b"N1" not in seen:
            piece = process.stdout.read1()
            made.require(piece, f"the demo ended early:\n{plain(seen)}")
            seen += piece
        running = Path(f"/proc/{process.pid}/exe")
        if running.exists():
            made.require(running.read_bytes() == Path(binary).read_bytes(), "a process stays between caller and binary")
        process.send_signal(number)
        rest, _ = process.communicate(timeout=PATIENCE)
        made.require(process.returncode == 130, f"{number.name} ended with {process.returncode}:\n{plain(seen + rest)}")


def check_refusals(made, scratch):
    """The launcher on machines that the package has nothing for."""
    for answer, sentence in (
        ("Plan9 mips", "Proctor does not run on this platform (Plan9 mips)"),
        ("Darwin arm64", "this package has no binary for darwin-arm64"),
    ):
        folder = scratch / answer.replace(" ", "-")
        folder.mkdir()
        (folder / "uname").write_text(f"#!/bin/sh\necho {answer}\n")
        (folder / "uname").chmod(0o755)
        refused = made.run("--version", environment={**made.environment, "PATH": f"{folder}:/usr/bin:/bin"})
        lines = refused.stderr.decode().splitlines()
        made.require(
            refused.returncode == 5 and len(lines) == 2 and lines[0] == f"error: {sentence}" and lines[1].startswith("hint: "),
            f"on {answer}: {refused}",
        )


def try_packages(built, shared, binary, tool, median_start):
    with tempfile.TemporaryDirectory(prefix="proctor-try-") as place:

        def scratch(name):
            folder = Path(place) / name
            folder.mkdir()
            return folder

        check_workflow(tool)
        uvx = tool("uv", "").parent / "uvx"
        installations = [
            wheel_in_environment(built["wheel"], scratch("wheel")),
            wheel_by_uvx(built["wheel"], scratch("uvx"), uvx),
            unpacked(built["archive"], scratch("archive")),
        ]
        if "npm package" in built:
            launched = npm_globally(built["npm package"], scratch("npm"))
            installations += [launched, npm_in_project(built["npm package"], scratch("npx"))]
        for made in installations:
            started = time.monotonic()
            done = ["arguments, streams, exit codes"]
            check_pass_through(made, binary)
            done.append(f"pages and completions: {check_files(made, shared)}")
            check_demo(made)
            done.append("demo to its merge")
            check_ctrl_c(made)
            done.append("Ctrl-C")
            if not made.through_another:
                check_signals(made, binary)
                done.append("SIGINT, SIGTERM")
            if made.name == "npm, global":
                check_refusals(made, scratch("elsewhere"))
                done.append("other platforms refused")
            start = median_start(*made.command, env=made.environment, cwd=made.work)
            print(f"{made.name}: {'; '.join(done)}; starts in {start:.1f} ms; {time.monotonic() - started:.0f} s")
            sys.stdout.flush()
