// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/IndexBounds.h"
#include "compiler/analysis/SizeValues.h"
#include "compiler/analysis/TensorAccess.h"
#include "compiler/artifacts/CompileResult.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tilescope::compiler {

/// A launch that is being suggested, and the sizes in it: named after the arguments that hold them, or freshly.
class NamedSizes {
protected:
  NamedSizes(mlir::FunctionOpInterface kernel, const std::vector<KernelParameter> &parameters,
             const std::map<std::string, std::string> &constexprs)
      : m_kernel(kernel), m_parameters(parameters), m_constexprs(constexprs), m_bounds(kernel) {}

  /// Empty for what stands for a sum.
  const std::string &nameOf(unsigned argument) const {
    static const std::string kNone;
    return argument < m_parameters.size() ? m_parameters[argument].name : kNone;
  }
  /// The size of that name, a new one where it is not known.
  SizeNeeds &size(const std::string &name);
  /// The name of the size that an argument is passed from now on.
  std::string sizeOf(unsigned argument);
  std::vector<std::string> sizesOf(const std::vector<unsigned> &arguments);
  std::string textOf(const LinearEnd &sum);
  /// Programs share out what ends there in blocks of that side: a single block would hide that blocks overlap.
  void shareOut(unsigned argument, int64_t side);
  void shareOut(const LinearEnd &sum, int64_t side);
  /// A single block takes all of what ends at a product.
  void endProductIn(const std::vector<unsigned> &factors, int64_t block);
  /// The first of the names that nothing has; with a number behind the first one where all are taken.
  std::string freshName(std::initializer_list<const char *> names) const;
  /// `Z` for the dimension of `stride_qz`; empty for other names.
  std::string nameAfterStride(const AccessDim &dim) const;
  /// An argument that serves for nothing, and was given for a size; empty: there is none.
  std::string unusedSize(llvm::function_ref<bool(llvm::StringRef)> fits);

  /// Of several factors those that are sizes themselves are known, and another one is what they leave.
  /// `extents`: those whose product the distance is.
  void giveStride(const AccessDim &dim, std::vector<std::string> extents, SuggestedTensor &tensor);

  mlir::FunctionOpInterface m_kernel;
  const std::vector<KernelParameter> &m_parameters;
  const std::map<std::string, std::string> &m_constexprs;
  const IndexBounds m_bounds;
  SuggestedLaunch m_launch;
  std::vector<SizeNeeds> m_sizes;

private:
  /// What it is divided by is small beside what is divided.
  void noteQuotient(const EndQuotient &quotient);
  /// Windows of a constant length lie side by side, and leave nothing: sizes are multiples of 16 as they are.
  void noteParts(const EndQuotient &quotient);
  bool isTaken(const std::string &name) const;
};

} // namespace tilescope::compiler
