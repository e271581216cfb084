// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The functions of NVIDIA's libdevice under Triton's names, e.g.
// `libdevice.tanh`.
#pragma once

#include "compiler/frontend/Emitter.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// One form of a function: `tanh` has `(fp32) -> fp32` as `__nv_tanhf` and `(fp64) -> fp64` as
/// `__nv_tanh`.
struct LibdeviceOverload {
  std::vector<DType> arguments;
  std::string symbol;
  DType result;
  /// The result is a truth value: it is compared with zero.
  bool isPredicate = false;
};

bool hasLibdeviceFunction(std::string_view name);
/// Empty when there is no function of that name.
const std::vector<LibdeviceOverload> &libdeviceOverloads(std::string_view name);

/// A function of libdevice behind a library's own module for it, e.g. `pack.tl_extra_shim.pow`,
/// which finds out at run time what to take.
std::optional<Value> shimmedLibdevice(std::string_view path);

Value callLibdevice(Emitter &emitter, std::string_view name,
                    const std::vector<CallArgument> &arguments);

} // namespace tilescope::compiler::frontend
