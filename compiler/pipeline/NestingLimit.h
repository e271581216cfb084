// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents in MLIR, LLVM IR and PTX are looked over before their parsers see them.
//
// The parsers of MLIR and LLVM, and what prints, verifies and rewrites the result, call themselves
// once per level of nesting and end the process when the stack does. So text that nests more than
// `kMaxNesting` levels is refused with the place where it becomes too deep. MLIR's aliases count by
// what they stand for, since
//
//     #a0 = [1]
//     #a1 = [#a0, #a0]
//     #a2 = [#a1, #a1]        nests three levels and stands for seven parts
//
// hides both depth and size: a document of some kilobytes could stand for more than any memory
// holds. The scan knows brackets, strings, comments and aliases, and nothing else of the languages.
#pragma once

#include "compiler/artifacts/Stage.h"
#include "compiler/support/SourceRange.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// Ten times what real kernels nest; the working thread's stack holds a hundred times as much.
inline constexpr int kMaxNesting = 400;
/// How many parts an alias may stand for. Inlined calls and debug information stay below thousands.
inline constexpr uint64_t kMaxAliasParts = uint64_t{1} << 20;
/// How many all uses of aliases together may stand for: some passes look at each of them.
inline constexpr uint64_t kMaxUsedParts = uint64_t{1} << 24;

struct NestingFault {
  Position place;
  std::string message;
};

/// The first place at which the document, in the form of the stage at which it enters, nests too
/// deeply or repeats itself too often.
std::optional<NestingFault> findNestingFault(std::string_view text, StageId form);

} // namespace tilescope::compiler
