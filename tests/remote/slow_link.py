#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A ProxyCommand of ssh that passes at most so many bytes a second to the far end.

Usage: slow_link.py HOST PORT BYTES_PER_SECOND
"""

import os
import socket
import sys
import threading
import time


def back(link):
    while block := link.recv(65536):
        os.write(1, block)
    os._exit(0)


def main():
    link = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    rate = int(sys.argv[3])
    threading.Thread(target=back, args=(link,), daemon=True).start()
    while block := os.read(0, max(rate // 20, 1)):
        link.sendall(block)
        time.sleep(len(block) / rate)
    link.shutdown(socket.SHUT_WR)
    threading.Event().wait()


main()
