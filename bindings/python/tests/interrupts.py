# SPDX-License-Identifier: MIT
"""Ctrl-C, pressed by a thread while the main one is in a long call."""
import os
import signal
import threading
import time

import pytest


def seconds_until_interrupted(call, after=0.4):
    """How long after Ctrl-C the call raises KeyboardInterrupt [s]."""
    pressed = []

    def press():
        time.sleep(after)
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        call()
    late = time.perf_counter() - pressed[0]
    thread.join()
    return late
