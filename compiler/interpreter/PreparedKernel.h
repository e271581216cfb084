// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A kernel and a launch of it up to the point where the first program can be executed.
#pragma once

#include "compiler/interpreter/ArgumentUses.h"
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
  void makeWriterTables(const std::vector<ArgumentUse> &uses);
  /// Which arguments one program may read while another one changes them.
  void noteShared(const std::vector<ArgumentUse> &uses);
  /// Of arguments that the kernel accesses in ways which may race.
  void makeAccessTables(const std::vector<ArgumentUse> &uses);

  mlir::OwningOpRef<mlir::ModuleOp> m_copy;
  /// What areas point to.
  std::vector<std::unique_ptr<void, decltype(&std::free)>> m_tables;
};

/// The kernel of a module by its name; the only public one without a name. Null: there is none.
tt::FuncOp findKernel(mlir::ModuleOp module, const std::string &name);

/// The programs of the grid in the order in which they are numbered, x fastest.
std::array<int32_t, 3> programAt(uint64_t index, const std::array<int32_t, 3> &grid);
uint64_t indexOf(const std::array<int32_t, 3> &id, const std::array<int32_t, 3> &grid);
uint64_t numPrograms(const std::array<int32_t, 3> &grid);

} // namespace tilescope::compiler::interpreter
