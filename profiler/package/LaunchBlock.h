// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "compiler/support/SourceRange.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Launch blocks: how a kernel file says how to run it.
///
/// A block is a comment in the form of Python's inline script metadata (PEP 723) that holds TOML:
///
///     # /// tilescope
///     # kernel = "copy"                      which function; optional when the file has only one
///     # name = "small"                       optional; `[launch] name = …` means the same
///     # grid = ["cdiv(n, BLOCK)"]            one to three extents
///     # guessed = true                       optional: the grid is a guess
///     # [sizes]
///     # n = 4096
///     # [args]
///     # in_ptr = { dtype = "fp32", shape = ["n"], init = "randn", seed = 0 }
///     # out_ptr = { dtype = "fp32", shape = ["n"], expected = "in_ptr" }   what a run should
///     compute # n      = "n"                         scalar: TOML value, or a string with an
///     expression # eps    = { value = "1e-5", type = "fp64" } # [constexprs] # BLOCK = "1024" #
///     [options] # num_warps = 4 # [work] # bytes = "8 * n" # [sweep] # n = [1024, 4096] # ///
///
/// A file may hold several blocks. Everything read keeps its place in the file, for diagnostics and
/// for writing edited values back.
namespace tilescope::profiler {

/// A value as the block states it: an expression of the kernel language. TOML numbers and booleans
/// are given in that language too (`true` is `True`), so every value can be evaluated the same way.
struct LaunchExpression {
  std::string text;
  /// The whole TOML value in the file, quotes included.
  SourceRange range;
  /// Where `text` begins in the file, when the file has it character for character; else nothing.
  std::optional<Position> textBegin;
  bool operator==(const LaunchExpression &) const = default;
};

/// A name with its expression; the order is the file's.
struct LaunchEntry {
  std::string name;
  SourceRange nameRange;
  LaunchExpression value;
  bool operator==(const LaunchEntry &) const = default;
};

struct LaunchArgument {
  std::string name;
  SourceRange nameRange;
  /// A table with `dtype` and `shape`: a pointer argument that gets a tensor.
  bool isTensor = false;

  // Tensor. `init`, `dtype` are words, not expressions; empty `init`: poison (an output).
  LaunchExpression dtype;
  std::vector<LaunchExpression> shape;
  LaunchExpression init;
  /// `seed`, `value`, `low`, `high`, `scale`: what `init` takes.
  std::vector<LaunchEntry> initOptions;
  /// What it should hold after the run: an expression over the inputs, or a `.npy` file. Empty: not
  /// stated.
  LaunchExpression expected;
  /// `rtol`, `atol`: how far elements may be from what is expected.
  std::vector<LaunchEntry> tolerances;
  /// `guessed = true`: the shape was written for the user, who has not confirmed it.
  bool isGuess = false;

  // Scalar. `type` is a word; empty: decided by the value, as Triton does.
  LaunchExpression value;
  LaunchExpression type;
  bool operator==(const LaunchArgument &) const = default;
};

struct LaunchSweep {
  std::string name;
  SourceRange nameRange;
  std::vector<LaunchExpression> values;
  bool operator==(const LaunchSweep &) const = default;
};

struct LaunchBlock {
  std::string name;
  std::string kernel;
  SourceRange kernelRange;
  std::vector<LaunchExpression> grid;
  /// `guessed = true`: the grid was written for the user, who has not confirmed it.
  bool isGridGuess = false;
  std::vector<LaunchEntry> sizes;
  std::vector<LaunchArgument> args;
  std::vector<LaunchEntry> constexprs;
  std::vector<LaunchEntry> options;
  std::optional<LaunchExpression> bytes;
  std::optional<LaunchExpression> flops;
  std::vector<LaunchSweep> sweep;
  /// From the `#` of the first line to the end of the closing line.
  SourceRange range;
  bool operator==(const LaunchBlock &) const = default;
};

/// Something wrong with a block; `range` is in the file.
struct LaunchProblem {
  SourceRange range;
  std::string message;
  std::string hint;
  bool isError = true;
  /// What belongs at `range`, when that is known.
  std::string replacement = {};
  /// The argument for which the block has no value; empty for all other problems.
  std::string missingArgument = {};
  bool operator==(const LaunchProblem &) const = default;
};

struct LaunchBlocks {
  /// In file order. A block with errors is present with what could be read of it, unless it is not
  /// TOML.
  std::vector<LaunchBlock> blocks;
  std::vector<LaunchProblem> problems;
};

/// Finds and reads every launch block of a file. Never fails: what is wrong is in `problems`.
LaunchBlocks parseLaunchBlocks(std::string_view fileText);

/// One change to a block: the TOML value at `path` (e.g. `{"sizes", "n"}`,
/// `{"args", "x_ptr", "dtype"}`, `{"grid"}`) becomes `toml`, a TOML literal (`4096`, `"cdiv(n,
/// 4)"`). Without one, the key is removed with its value, if it is there.
struct LaunchEdit {
  std::vector<std::string> path;
  std::optional<std::string> toml;
};

/// The file with the edits made in block number `blockIndex`; comments, order and spacing stay.
/// Keys and tables that do not exist yet are added.
Result<std::string> editLaunchBlock(std::string_view fileText, size_t blockIndex,
                                    const std::vector<LaunchEdit> &edits);

/// A TOML string literal.
std::string tomlString(std::string_view text);
/// An expression as a TOML value: a literal where it is one, else a string.
std::string tomlValue(const std::string &expression);
/// Expressions as a TOML array: `["n", 128]`.
std::string tomlList(const std::vector<std::string> &expressions);

/// The block as comment lines, with a final line break: for writing the block of a kernel that has
/// none. `mark` begins a comment: `#` in kernel files, `//` in MLIR and PTX, `;` in LLVM IR.
std::string formatLaunchBlock(const LaunchBlock &block, std::string_view mark = "#");

} // namespace tilescope::profiler
