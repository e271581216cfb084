// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A kernel and a launch of it up to the point where the first program can be executed.
#pragma once

#include "compiler/interpreter/Frame.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/interpreter/Translator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdlib>
#include <memory>
#include <optional>

namespace tilescope::compiler::interpreter {

struct PrepareOptions {
  /// Only what addresses depend on is executed.
  bool addressesOnly = false;
  /// Null: nobody reads them.
  TranslationNotes *notes = nullptr;
};

/// The instructions of a kernel, and what all programs of a launch share. Stays where it is:
/// programs point into it.
class PreparedKernel {
public:
  PreparedKernel() = default;
  PreparedKernel(const PreparedKernel &) = delete;

  /// What keeps the kernel from being executed; nothing when it can be. The module is not changed.
  /// The memory of the arguments is the caller's.
  std::optional<TranslationError> prepare(mlir::ModuleOp module, const InterpreterLaunch &launch,
                                          const InterpreterOptions &options,
                                          const PrepareOptions &more = {});
  /// Puts the arguments where programs read them.
  void setArguments(Frame &frame) const;

  tt::FuncOp kernel;
  TranslationContext context;
  std::shared_ptr<Program> program;
  /// Null: nothing is undefined.
  std::shared_ptr<Program> definedness;
  Execution execution;
  std::vector<InterpreterArgument> arguments;

private:
  void makeWriterTables();
  /// Who reads and changes each element of the arguments that the kernel both loads and stores.
  void makeAccessTables(mlir::ModuleOp module);

  mlir::OwningOpRef<mlir::ModuleOp> m_copy;
  std::vector<std::unique_ptr<uint32_t, decltype(&std::free)>> m_writers;
  std::vector<std::unique_ptr<ElementAccesses, decltype(&std::free)>> m_accesses;
};

/// The kernel of a module by its name; the only public one without a name. Null: there is none.
tt::FuncOp findKernel(mlir::ModuleOp module, const std::string &name);

/// The programs of the grid in the order in which they are numbered, x fastest.
std::array<int32_t, 3> programAt(uint64_t index, const std::array<int32_t, 3> &grid);
uint64_t indexOf(const std::array<int32_t, 3> &id, const std::array<int32_t, 3> &grid);
uint64_t numPrograms(const std::array<int32_t, 3> &grid);

} // namespace tilescope::compiler::interpreter
