// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "profiler/data/Trace.h"
#include "profiler/package/KernelPackage.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// What of a kernel is traced; what is empty is chosen for the user.
struct TraceChoice {
  /// `load,wait,product`; empty: everything.
  std::string kinds;
  /// `0,17`: by their place in the grid, x fastest; empty: the first, the middle and the last one.
  std::string programs;
  /// `0,4`; empty: all.
  std::string warps;
  bool operator==(const TraceChoice &) const = default;
};

/// The selection of the same launch, compiled with clock reads, for as many blocks on a
/// multiprocessor as registers allow of the plain kernel.
compiler::Selection tracedSelection(const compiler::Selection &selection, const TraceChoice &choice,
                                    const profiler::KernelPackage &plain);

/// What PTX says of the clock reads in it (`compiler/pipeline/TraceScopes.h`); nothing where there
/// are none. An error for what is no description of them.
Result<std::optional<profiler::TraceTable>> traceTableOf(std::string_view ptx);

} // namespace tilescope::app
