"""A headless Chromium, spoken to over its DevTools pipe: keys, window, colours, what a page loads."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import IO, Any

__all__ = ["Browser", "find"]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SECONDS = 60.0
_KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "ArrowRight": (39, "")}
_NONE = "about:blank"


def find() -> str | None:
    """The browser's path; None where there is none."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class Browser:
    """One process with one page.

    Args:
        executable: the browser.
        folder: where it may keep its profile.

    Attributes:
        loaded: addresses of all that was asked for since the last `open`.
        complaints: what it logged since then, violations of the page's own policy among it.
    """

    def __init__(self, executable: str, folder: Path) -> None:
        (child_in, self._out), (self._in, child_out) = os.pipe(), os.pipe()
        for end in (child_in, child_out):
            os.set_inheritable(end, True)
        options = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe"
        # The pipe is file descriptors 3 and 4; a shell puts ours there.
        script = f'exec "$0" {options} --user-data-dir="$1" 3<&{child_in} 4>&{child_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", script, executable, str(folder / "profile")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(child_in, child_out),
            env={**os.environ, "HOME": str(folder)},
        )
        os.close(child_in)
        os.close(child_out)
        self._reader: IO[bytes] = os.fdopen(self._in, "rb")
        self._number = 0
        self.loaded: list[str] = []
        self.complaints: list[str] = []
        self._session = ""
        target = self.ask("Target.createTarget", url=_NONE)["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.ask(f"{domain}.enable")

    def close(self) -> None:
        """End the process."""
        self._session = ""
        try:
            self.ask("Browser.close")
        except (OSError, EOFError):
            self._process.kill()
        self._process.wait(_SECONDS)
        os.close(self._out)
        self._reader.close()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol.

        Raises:
            EOFError: the browser has ended.
            RuntimeError: it refuses.
        """
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def open(self, path: Path | str, width: int, height: int = 900, *, dark: bool = False) -> None:
        """Show a file, or what is at an address, in a window of that size."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.loaded.clear()
        self.complaints.clear()
        url = path if isinstance(path, str) else path.as_uri()
        # The page before is complete, too, and may be at the same address.
        self.ask("Page.navigate", url=_NONE)
        self.ask("Page.navigate", url=url)
        self.wait_for(f"document.readyState == 'complete' && location.protocol == '{url.split(':')[0]}:'")

    def wait_for(self, condition: str, seconds: float = _SECONDS) -> None:
        """Wait until an expression of JavaScript is true."""
        ends = time.monotonic() + seconds
        while not self.value(condition):
            assert time.monotonic() < ends, condition
            time.sleep(0.02)

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript gives, as JSON can hold it."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go, as a person does."""
        code, text = _KEYS[key]
        known = {"key": key, "code": key, "windowsVirtualKeyCode": code, "text": text}
        self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **known)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **known)

    def spoken(self) -> list[tuple[str, str]]:
        """Role and name of everything that a screen reader is told of."""
        nodes = self.ask("Accessibility.getFullAXTree")["nodes"]
        return [
            (str(node.get("role", {}).get("value", "")), str(node.get("name", {}).get("value", "")))
            for node in nodes
            if not node.get("ignored")
        ]

    def _next(self) -> dict[str, Any]:
        data = bytearray()
        while not data.endswith(b"\0"):
            byte = self._reader.read(1)
            if not byte:
                raise EOFError("the browser has ended")
            data += byte
        found: dict[str, Any] = json.loads(data[:-1])
        return found

    def _note(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            self.loaded.append(parameters["request"]["url"])
        elif event.get("method") == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(str(parameters["exceptionDetails"]))
