// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From a syntax tree to `tt` IR: one kernel, specialized for the types of its arguments and the
// values of its constexprs. The kernel's Python is evaluated while walking it; what depends on
// run-time values becomes an operation, everything else is gone afterwards.
//
//   offs = pid * BLOCK + tl.arange(0, BLOCK)        BLOCK = 128
//
//   %offs   = arith.muli %pid, %c128_i32 : i32
//   %offs_0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
//   %offs_1 = tt.splat %offs : i32 -> tensor<128xi32>
//   %offs_2 = arith.addi %offs_1, %offs_0 : tensor<128xi32>
//
// Calls of other `@triton.jit` functions are expanded in place, with call-site locations; only
// `@triton.jit(noinline=True)` functions become `tt.call`s. An early `return` becomes structured
// control flow, so the module holds `scf` and no branches.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CompileResult.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace tilescope::compiler {

namespace ast {
struct SyntaxTree;
} // namespace ast

namespace inference {
class GuessMemory;
} // namespace inference

/// What the frontend made of one kernel.
struct EmittedModule {
  /// Null when any diagnostic is an error. Every operation's location names its source range: see
  /// `mlir::FileLineColRange`, wrapped in `NameLoc` with the variable it is assigned to, and in
  /// `CallSiteLoc` for every expanded call. Columns and lines of locations start at 1.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Diagnostic> diagnostics;
  /// Types of expressions of the document (file 0); empty unless the request collects facts.
  std::vector<ValueFacts> values;
  /// The document, then imported files and prelude files; ranges and locations refer to them.
  std::vector<SourceFile> files;
  std::string kernel;
  /// All functions of the document that can be launched.
  std::vector<std::string> kernels;
  /// What was used, by name; the signature with its hints.
  std::map<std::string, std::string> signature;
  std::map<std::string, std::string> constexprs;
  std::map<std::string, std::string> options;
  /// What the request left open and was guessed.
  std::vector<Assumption> assumptions;
  /// Run-time parameters in launch order.
  std::vector<KernelParameter> parameters;
  bool cancelled = false;
};

struct EmissionOptions {
  std::stop_token stop = {};
  /// Spares repeated requests the search for guesses; null: nothing is remembered.
  inference::GuessMemory *memory = nullptr;
  /// For step mode: the module says where each name gets its value. See `Binding.h` of the dialect.
  bool keepsBindings = false;
};

/// Emits the kernel that `request.selection` asks for (the first one when it names none). `tree` is
/// the document's syntax tree; null: it is parsed here. Loads the dialects it needs into `context`.
/// Thread-compatible: one context, one memory, one thread.
EmittedModule emitTtir(mlir::MLIRContext &context, const CompileRequest &request,
                       std::shared_ptr<const ast::SyntaxTree> tree = nullptr,
                       const EmissionOptions &options = {});

/// The names of the functions of a document that can be launched, in source order.
std::vector<std::string> launchableKernels(const ast::SyntaxTree &tree);

} // namespace tilescope::compiler
