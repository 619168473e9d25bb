import pathlib
import runpy
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def test_the_script_prints():
    done = subprocess.run([sys.executable, str(HERE / "worker.py"), "5"], capture_output=True, text=True)
    assert done.stdout == "10\n"


def test_the_example_is_right():
    assert runpy.run_path(str(HERE / "example.py"))["RESULT"] == 42
