// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the end of an emission says about better guesses: by the cause that its error carries, and
// by the code at its place.
//
//   operands of `bf16` and `fp16`                  one of `bf16`, `fp16`
//   [64] has 64 elements, [8, 16] has 128          128 elements instead of 64
//   tl.static_assert(x.dtype == tl.uint32)         `u32`
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/ModuleIndex.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::inference {

/// What an error is about.
enum class Subject { Types, Extents };
Subject subjectOf(const Diagnostic &error);

/// `fp16` for `tl.float16`; empty for all that names no type.
std::string namedType(const ast::ModuleIndex &index, const ast::Node &node);
/// Element types that an error asks for, as signatures write them, likeliest first.
std::vector<std::string> wantedTypes(const ast::ModuleIndex &index, const Diagnostic &error);

/// No block has more elements; products of an extent and a number of elements stay in range.
inline constexpr int64_t kMostElements = 1 << 20;

/// What an extent would have to be for the sizes that an error compares to be the same:
/// `[64, 32] has 2048, [32, 1] has 32` asks 64 to become 1, or 1 to become 64.
std::vector<int64_t> balanced(const Diagnostic &error, int64_t extent);
/// How many elements a block has that an error calls too large; 0 for all other errors.
double numElementsTooLarge(const Diagnostic &error);

} // namespace tilescope::compiler::inference
