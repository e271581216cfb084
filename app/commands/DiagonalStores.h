// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Two blocks of one axis each, added up where a block with two axes is meant:
//
//     i = tl.program_id(0) * B + tl.arange(0, B)         (…)[:, None]
//     j = tl.program_id(1) * B + tl.arange(0, B)         (…)[None, :]
//     tl.store(out_ptr + i * n + j, …)                   out_ptr[i[0], j[0]], out_ptr[i[1], j[1]], …
//
// Their sum pairs the elements one by one: of each block only the diagonal is written.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// The warning for a matrix that a run has left unwritten for the most part, at the kernel's store; nothing for
/// others. The fix gives the two blocks their axes.
std::optional<compiler::Diagnostic> diagonalStore(std::string_view text, const std::string &kernel,
                                                  const profiler::OutputResult &output);

} // namespace tilescope::app
