# SPDX-License-Identifier: MIT
"""Tests interrupt themselves; a shell ignores SIGINT for what it starts in the background."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
