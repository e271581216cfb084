// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an argument has to begin with that a kernel only updates:
//
//     tl.atomic_add(y_ptr, v)      init = "zeros"
//     tl.atomic_min(y_ptr, v)      init = "full", value = inf
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Dtype.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

struct AtomicUpdate {
  /// As the kernel calls it: `tl.atomic_min`.
  std::string callee = {};
  /// What it does with what is there: "adds to", "compares with", "combines with".
  std::string_view verb = {};
  bool isSum = false;
  /// The word of `init`, and the `value` that belongs to it: what leaves all results as they are. Empty: nothing does.
  std::string_view init = {}, value = {};

  /// `init = "full", value = inf`.
  std::string words() const;
};

/// What all of these places, in which the kernel writes to an argument, do with what it holds. Nothing where they are no
/// such operations, or do not all do the same.
std::optional<AtomicUpdate> atomicUpdate(const compiler::CompileRequest &request,
                                         const std::vector<SourceRange> &places,
                                         profiler::Dtype dtype);

/// `initFix` of that; nothing, too, where nothing leaves all results as they are.
std::optional<compiler::DiagnosticFix> neutralFix(const compiler::CompileRequest &request,
                                                  std::string_view name,
                                                  const AtomicUpdate &update);

/// "`tl.atomic_min` needs `init = "full", value = inf`"; without an operation, or of a sum, that zeros are needed.
std::string neededInit(const std::optional<AtomicUpdate> &update);

/// The first of the places if it is `atomic_cas` and the others are atomic, too: what it compares with has to be there.
std::optional<AtomicUpdate> comparedAndSwapped(const compiler::CompileRequest &request,
                                               const std::vector<SourceRange> &places);

} // namespace tilescope::app
