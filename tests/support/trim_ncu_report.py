#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a small file of a report of Nsight Compute (`.ncu-rep`): what Tilescope reads, byte for byte.

    ncu --set full --import-source yes -k add -c 1 -o full python3 add.py
    trim_ncu_report.py full.ncu-rep tests/support/recorded/add.ncu-rep

Left out are sections, rules, metrics without a use here, and what says on which machine it ran.
"""

import struct
import sys

BLOCK_STRINGS, BLOCK_PAYLOAD = 4, 5
LAUNCH_METRICS = 13
LAUNCH_KEPT = {4, 5, 6, 7, 8, 9, 10, 11, 14, 15}
USED = ("launch__", "device__attribute_", "smsp__pcsamp_", "inst_executed", "thread_inst_executed",
        "memory_l1_wavefronts_shared", "memory_l2_theoretical_sectors_global", "profiler__replayer_passes",
        "dram__bytes", "gpu__time_duration", "sm__throughput", "smsp__inst_", "sm__cycles_", "lts__t_")


def read_varint(data, place):
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def fields(data):
    """Yields number, wire type, value and the bytes of each field."""
    place = 0
    while place < len(data):
        begin = place
        tag, place = read_varint(data, place)
        wire = tag & 7
        if wire == 0:
            value, place = read_varint(data, place)
        else:
            size = {1: 8, 5: 4}.get(wire)
            if size is None:
                size, place = read_varint(data, place)
            value = data[place:place + size]
            place += size
        yield tag >> 3, wire, value, data[begin:place]


def bytes_field(number, value):
    return varint(number << 3 | 2) + varint(len(value)) + value


def sized(message):
    return struct.pack("<I", len(message)) + message


def messages(data, place):
    while place < len(data):
        (size,) = struct.unpack_from("<I", data, place)
        yield data[place + 4:place + 4 + size], place + 4 + size
        place += 4 + size


def trimmed_launch(launch, strings, kept):
    out = bytearray()
    for number, _, value, raw in fields(launch):
        if number != LAUNCH_METRICS:
            out += raw if number in LAUNCH_KEPT else b""
            continue
        metric = {field: content for field, _, content, _ in fields(value)}
        name = strings[metric[1]]
        if not name.startswith(USED) or name.startswith("launch__occupancy_per") or "peak_sustained_region" in name:
            continue
        kept.append(name)
        body = b"".join(part for field, _, _, part in fields(value) if field != 1)
        out += bytes_field(LAUNCH_METRICS, varint(1 << 3) + varint(len(kept) - 1) + body)
    return bytes(out)


def main():
    source, target = sys.argv[1:]
    data = open(source, "rb").read()
    strings, kept, sources, launches = [], [], [], []
    stream = messages(data, 4)
    header, place = next(stream)
    while place < len(data):
        block, place = next(messages(data, place))
        numbers = {number: value for number, _, value, _ in fields(block)}
        strings += [text.decode() for _, _, text, _ in fields(numbers[BLOCK_STRINGS])]
        end = place + numbers.get(BLOCK_PAYLOAD, 0)
        for count, into in ((numbers.get(1, 0), sources), (numbers.get(2, 0), launches)):
            for _ in range(count):
                message, place = next(messages(data, place))
                into.append(message)
        place = end
    launches = [trimmed_launch(launch, strings, kept) for launch in launches]
    payload = b"".join(map(sized, sources + launches))
    table = b"".join(bytes_field(1, name.encode()) for name in kept)
    block = (varint(1 << 3) + varint(len(sources)) + varint(2 << 3) + varint(len(launches)) +
             bytes_field(BLOCK_STRINGS, table) + varint(BLOCK_PAYLOAD << 3) + varint(len(payload)))
    with open(target, "wb") as file:
        file.write(b"NVR\0" + sized(header) + sized(block) + payload)


if __name__ == "__main__":
    main()
