# SPDX-License-Identifier: MIT
"""A browser without a window, driven by chromedriver over HTTP; nothing but the standard library."""
import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--hide-scrollbars"]


def missing():
    """Why there is no browser, or an empty text."""
    for program, package in (("chromium", "chromium"), ("chromedriver", "chromium-driver")):
        if not shutil.which(program):
            return f"{program} is not installed (Debian package {package}: scripts/install-packages browser)"
    return ""


class Browser:
    """One window. Width and height in pixels, scheme light or dark."""

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="bristle-browser-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # In a group of its own, so that no window outlives a test.
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], start_new_session=True,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.call("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        options = {"binary": shutil.which("chromium"), "args": FLAGS + [f"--user-data-dir={self.profile}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + made["sessionId"]
        return self

    def __exit__(self, *unused):
        try:
            if self.session:
                self.call("DELETE", self.session)
        except OSError:
            pass
        try:
            os.killpg(self.driver.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.driver.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def command(self, name, **parameters):
        return self.call("POST", self.session + "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def window(self, width, height, scheme):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 600)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, url):
        began = time.time()
        self.call("POST", self.session + "/url", {"url": url})
        return time.time() - began

    def run(self, script, *arguments):
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=20):
        """The value of a script once it is true."""
        until = time.time() + seconds
        while True:
            value = self.run(script, *arguments)
            if value or time.time() > until:
                return value
            time.sleep(0.05)

    def console(self):
        """What the page complained about."""
        return [e["message"] for e in self.call("POST", self.session + "/se/log", {"type": "browser"})
                if e["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        shot = self.command("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot))
