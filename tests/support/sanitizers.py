# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""What changes for programs that a sanitizer was built into: they are slow, and their bookkeeping maps terabytes."""

import functools
import mmap

#: How much longer everything may take; not optimized, as these programs are.
SLOWDOWN = 8


@functools.cache
def is_sanitized(program):
    """Whether the address or the thread sanitizer is in a program, linked as clang does: from the archive."""
    with open(program, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"__asan_init") >= 0 or content.find(b"__tsan_init") >= 0


def patience(program):
    """What limits of time are multiplied with."""
    return SLOWDOWN if is_sanitized(program) else 1


def environment(variables, resident_mib):
    """Options that bound memory in use, since address space cannot be, in addition to the caller's own."""
    extra = {"ASAN_OPTIONS": f"allow_user_poisoning=0:allocator_may_return_null=1:hard_rss_limit_mb={resident_mib}",
             "TSAN_OPTIONS": f"hard_rss_limit_mb={resident_mib}"}
    return {name: ":".join(filter(None, (variables.get(name, ""), value))) for name, value in extra.items()}
