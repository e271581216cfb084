// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/model/emit/Group.h"

namespace tilescope::model {

/// One launch.
struct EmittedStep {
  /// Of the model; several have a `+` between them.
  std::string node;
  /// The node, told apart from others of its name, as the launch block has it.
  std::string launch;
  std::string function;
  EmittedKernel kernel;
};

/// A kernel's definition, and the function that it calls, if any.
struct EmittedFunction {
  std::string name, definition, helper;
};

/// The kernels of a model.
struct Emission {
  /// In the order of the model.
  std::vector<EmittedStep> steps;
  /// One for each form.
  std::vector<EmittedFunction> functions;
};

/// A group for each operation that computes something.
std::vector<Group> singleGroups(mlir::func::FuncOp function);

/// Operations that have no template yet, or symbolic shapes, are among the diagnostics.
Emission emitKernels(llvm::ArrayRef<Group> groups, compiler::ModelResult &result);

/// The block of a launch. `isChecked`: it says what is expected.
std::string launchText(const EmittedStep &step, bool isChecked);

/// What every file of kernels begins with.
inline constexpr const char *kImports = "import triton\nimport triton.language as tl\n";

/// One Python file: a `@triton.jit` function for each form behind its launch blocks, with the shapes, the
/// node's name and what is expected.
std::string moduleText(const Emission &emission, const std::string &fileName);

} // namespace tilescope::model
