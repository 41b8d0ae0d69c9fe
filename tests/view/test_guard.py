"""The viewer answers its own page on its own machine; other pages are refused, garbage leaves no traceback."""

from __future__ import annotations

import http.client
import logging
import os
import random
import signal
import socket
import subprocess
import sys
import time

import pytest

from gough import Motion

pytest.importorskip("viser")
websockets = pytest.importorskip("websockets.sync.client")

import msgspec  # noqa: E402
import viser  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

from gough import load  # noqa: E402
from gough.display import display_units  # noqa: E402
from gough.errors import InputError  # noqa: E402
from gough.view.browser import server  # noqa: E402
from gough.view.browser.live import LiveView  # noqa: E402

PROTOCOL = f"viser-v{viser.__version__}"


@pytest.fixture(scope="module")
def live():
    robot = load("planar3rrr")
    view = LiveView(robot, Motion.named(robot, "circle"), display_units("mm,deg"))
    yield view
    view.close()


def port_of(live):
    return live.server.get_port()


def status_of(live, **headers):
    """Of GET / with these headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port_of(live), timeout=10)
    connection.putrequest("GET", "/", skip_host=True)
    for name, value in headers.items():
        for entry in value if isinstance(value, list) else [value]:
            connection.putheader(name, entry)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


def joined(live, protocol=PROTOCOL, **headers):
    """An open WebSocket, with an Origin or another Host if they are stated."""
    host = headers.pop("Host", f"127.0.0.1:{port_of(live)}")
    with socket.create_connection(("127.0.0.1", port_of(live))) as probe:
        sock = probe.dup()
    return websockets.connect(
        f"ws://{host}/", sock=sock, subprotocols=[protocol] if protocol else None, additional_headers=headers
    )


def test_the_page_itself_is_served(live):
    port = port_of(live)
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", "localhost:9000"):
        assert status_of(live, Host=host) == 200
        assert status_of(live, Host=host, Origin=f"http://{host}") == 200
        with joined(live, Host=host, Origin=f"http://{host}") as page:
            assert page.recv(timeout=10)
    with joined(live) as script:
        assert script.recv(timeout=10)


FOREIGN_HOSTS = [
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example:8080",
    "",
    "[::1]",
]
FOREIGN_HOSTS += ["127.0.0.1:80@evil.example", "127.0.0.2:8080", "0.0.0.0:8080"]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_is_refused(live, host):
    assert status_of(live, Host=host) == 403
    if host and "@" not in host:
        with pytest.raises(InvalidStatus) as raised:
            joined(live, Host=host)
        assert raised.value.response.status_code == 403


def test_no_host_and_two_hosts_are_refused(live):
    assert status_of(live) == 403
    assert status_of(live, Host=[f"127.0.0.1:{port_of(live)}", "evil.example"]) == 403


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "https://127.0.0.1:{}", "http://127.0.0.1", "http://127.0.0.1:1", "http://localhost:{}"]
    + ["null", "", "file://", "http://127.0.0.1:{}.evil.example"],
)
def test_a_foreign_origin_is_refused(live, origin):
    stated = origin.format(port_of(live))
    assert status_of(live, Host=f"127.0.0.1:{port_of(live)}", Origin=stated) == 403
    with pytest.raises(InvalidStatus) as raised:
        joined(live, Origin=stated)
    assert raised.value.response.status_code == 403


def test_two_origins_are_refused(live):
    mine = f"http://127.0.0.1:{port_of(live)}"
    assert status_of(live, Host=f"127.0.0.1:{port_of(live)}", Origin=[mine, "http://evil.example"]) == 403


@pytest.mark.parametrize("protocol", [None, "viser-v0.0.1", "\x1b[31mviser-v"])
def test_another_version_is_refused_without_a_word(live, protocol, capfd):
    if protocol and "\x1b" in protocol:
        request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port_of(live)}\r\nUpgrade: websocket\r\n"
        assert b" 101 " not in raw(live, f"{request}Sec-WebSocket-Protocol: {protocol}\r\n\r\n".encode())
    else:
        with pytest.raises(InvalidStatus):
            joined(live, protocol)
    assert capfd.readouterr() == ("", "")


def raw(live, data):
    """What the server answers to these bytes."""
    with socket.create_connection(("127.0.0.1", port_of(live)), timeout=5) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        found = b""
        try:
            while chunk := connection.recv(65536):
                found += chunk
        except OSError:
            pass
    return found


def message(**fields):
    return msgspec.msgpack.encode(fields)


def garbage(live):
    """Frames that no page of the viewer sends."""
    rng = random.Random(11)
    slider = live.controls.sliders.handles[0]._impl.uuid
    update = {"type": "GuiUpdateMessage", "uuid": slider}
    yield "text"
    yield b""
    yield b"\xc1"
    yield message()
    yield message(type="Nothing")
    yield message(type=3)
    yield message(type="GuiUpdateMessage")
    yield msgspec.msgpack.encode([1, 2])
    for value in ("abc", None, [], {}, float("nan"), float("inf"), -1e300, 1e300, "1e999", True, b"x"):
        yield message(**update, updates={"value": value})
    yield message(**update, updates={"nothing": 1})
    yield message(**update, updates=7)
    yield message(**update, updates={"min": "low"})
    yield message(type="ViewerCameraMessage", wxyz="x", position=None)
    for size in (1, 10, 1000, 100_000):
        yield rng.randbytes(size)


def test_garbage_leaves_no_traceback_and_the_viewer_runs(capfd, caplog):
    robot = load("planar3rrr")
    live = LiveView(robot, None, display_units("mm,deg"))
    caplog.set_level(logging.WARNING)
    try:
        for frame in garbage(live):
            with joined(live) as page:
                page.send(frame)
                try:
                    for _ in range(3):
                        page.recv(timeout=0.05)
                except (TimeoutError, ConnectionClosed):
                    pass
        rng = random.Random(3)
        for data in (b"", b"\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01", rng.randbytes(5000)):
            raw(live, data)
        raw(live, b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n")
        raw(live, b"GET /%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        raw(live, b"POST / HTTP/1.1\r\nHost: localhost\r\nUpgrade: a\r\nUpgrade: b\r\n\r\n")
        time.sleep(0.3)
        assert status_of(live, Host="localhost") == 200
        with joined(live) as page:
            assert page.recv(timeout=10)
    finally:
        live.close()
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
    assert caplog.records == []


def test_a_value_that_cannot_be_is_warned_of(live):
    live._safely(lambda: live.show_pose([float("nan")] * 3))(None)
    assert live.warning
    live._safely(lambda: float("x"))(None)
    assert live.warning == "the page sent a value that is not understood"
    live.pose(live.robot.platform.home)
    assert live.warning == ""


def test_a_server_that_cannot_be_guarded_is_refused():
    with pytest.raises(InputError, match="cannot be guarded"), server.guarded(PROTOCOL):
        pass


def test_in_the_command_too():
    """From outside, as a browser sees it."""
    port = server.free_port()
    script = "import sys; from gough.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "view", "planar3rrr", "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored where the tests run in background
    )
    try:
        assert process.stdout.readline().startswith("planar3rrr at http://127.0.0.1:")
        for host, status in ((f"127.0.0.1:{port}", 200), ("evil.example", 403)):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/", headers={"Host": host})
            assert connection.getresponse().status == status
            connection.close()
    finally:
        process.send_signal(2)
        _, err = process.communicate(timeout=20)
    assert err == "gough: interrupted\n"
    assert process.returncode == 130
