# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: Tilescope contributors
"""Launches machine code through the CUDA driver, with guard zones between the buffers."""

import ctypes
import struct

import numpy as np

GUARD = 512
GUARD_BYTE = 0x5A
SCALARS = {"u1": "<?", "i1": "<?", "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "u8": "<B", "u16": "<H",
           "u32": "<I", "u64": "<Q", "fp32": "<f", "fp64": "<d"}


class DeviceError(Exception):
    """The driver refused or a kernel failed; after a failed launch the process is of no more use."""


class Device:
    def __init__(self, arena_bytes=256 << 20):
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.arena, self.arena_bytes = ctypes.c_uint64(), arena_bytes
        self.call("cuMemAlloc_v2", ctypes.byref(self.arena), ctypes.c_size_t(arena_bytes))
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()

    def call(self, function, *arguments):
        status = getattr(self.driver, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorName(status, ctypes.byref(text))
            raise DeviceError(f"{function}: {(text.value or b'?').decode()}")

    def run(self, code, arguments):
        """Runs `code` (cubin, symbol, warps, grid, shared and scratch bytes, parameters) once on arrays of bits
        by name and numbers; returns the arrays after the run, and the bytes written outside of them."""
        layout, at = {}, GUARD
        for name, value in arguments.items():
            if isinstance(value, np.ndarray):
                layout[name] = at
                at += -(-value.nbytes // 256) * 256 + GUARD
        scratch_at = at
        programs = int(np.prod(code["grid"]))
        scratch = code.get("scratch", 0) * programs * code.get("ctas", 1)
        if at + scratch + 256 > self.arena_bytes:
            raise DeviceError("the buffers do not fit the arena")
        image = np.full(at, GUARD_BYTE, np.uint8)
        for name, start in layout.items():
            image[start:start + arguments[name].nbytes] = np.frombuffer(arguments[name].tobytes(), np.uint8)
        self.call("cuMemcpyHtoD_v2", self.arena, image.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(at))
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(code["cubin"]))
        try:
            self.call("cuModuleGetFunction", ctypes.byref(function), module, code["symbol"].encode())
            if code["shared"] > 48 * 1024:
                self.call("cuFuncSetAttribute", function, 8, ctypes.c_int(code["shared"]))
            self.launch(function, code, arguments, layout, scratch_at)
            after = np.empty(at, np.uint8)
            self.call("cuMemcpyDtoH_v2", after.ctypes.data_as(ctypes.c_void_p), self.arena, ctypes.c_size_t(at))
        finally:
            self.driver.cuModuleUnload(module)
        return self.read_back(after, arguments, layout)

    def launch(self, function, code, arguments, layout, scratch_at):
        held = []
        for name, kind in code["parameters"]:
            if kind.startswith("*"):
                held.append(ctypes.c_uint64(self.arena.value + layout[name]))
            else:
                value = arguments[name]
                held.append(ctypes.create_string_buffer(struct.pack(SCALARS[kind], value), 8))
        held.append(ctypes.c_uint64(self.arena.value + scratch_at))
        held.append(ctypes.c_uint64(0))
        pointers = (ctypes.c_void_p * len(held))(*[ctypes.cast(ctypes.pointer(h), ctypes.c_void_p) for h in held])
        grid = [ctypes.c_uint(extent) for extent in code["grid"]]
        self.call("cuLaunchKernel", function, *grid, ctypes.c_uint(code["warps"] * 32), ctypes.c_uint(1), ctypes.c_uint(1),
                  ctypes.c_uint(code["shared"]), None, pointers, None)
        self.call("cuCtxSynchronize")

    @staticmethod
    def read_back(after, arguments, layout):
        outside = np.ones(len(after), bool)
        results = {}
        for name, start in layout.items():
            bits = arguments[name]
            outside[start:start + bits.nbytes] = False
            results[name] = after[start:start + bits.nbytes].view(bits.dtype).reshape(bits.shape).copy()
        return results, int((outside & (after != GUARD_BYTE)).sum())
