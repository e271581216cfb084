// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/types/SignatureType.h"
#include "profiler/package/LaunchBlock.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// A launch block for the kernel that was compiled, from what the compiler assumed about it and
/// read off its IR. Every tensor that is read holds data of its own; what is only written holds
/// none. Shapes that the kernel does not determine are marked as guesses. What heuristics compute in
/// `text`, the file, is left to them.
profiler::LaunchBlock suggestedBlock(const compiler::CompileResult &result,
                                     std::string_view text = {});

/// A value for a parameter of this type; nothing for what a launch block cannot hold. `seed`: of
/// the next random tensor.
std::optional<profiler::LaunchArgument>
suggestedArgument(const std::string &name, const compiler::SignatureType &type,
                  const compiler::SuggestedLaunch &suggestion, int &seed);

/// The suggested block with another value for `name` in `signature`, `constexprs` or `options`.
profiler::LaunchBlock editedBlock(const compiler::CompileResult &result, const std::string &table,
                                  const std::string &name, const std::string &value);

/// The file with the block in front of the block's kernel; of a document in IR, in front of all.
/// Other blocks stay as they are.
std::string insertBlock(std::string_view text, compiler::StageId entry,
                        const profiler::LaunchBlock &block);

} // namespace tilescope::app
