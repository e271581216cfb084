// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/DoubtCoverage.h"

#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/transforms/ttg/PointerOrigins.h"

#include <algorithm>
#include <climits>

using namespace mlir;

namespace tilescope::compiler {

using interpreter::ArgumentUse;

/// The argument that all elements of a block of pointers belong to, for the interpreter and for native code.
static std::optional<unsigned> argumentOf(Value pointers) {
  const std::optional<unsigned> argument = interpreter::argumentOf(pointers);
  const llvm::DenseSet<Value> origins = ttg::originsOf(pointers);
  if (!argument || origins.size() != 1 || ttg::isUnknownOrigin(*origins.begin()))
    return std::nullopt;
  return argument;
}

static size_t elementBytes(Value pointers) {
  const auto type = dyn_cast<tt::PointerType>(getElementTypeOrSelf(pointers.getType()));
  if (!type)
    return 0;
  Type element = type.getPointeeType();
  return isa<tt::PointerType>(element) ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
}

/// Fills the bytes that are stored; says why if some store is in doubt.
static std::string findStores(tt::FuncOp kernel, std::vector<size_t> &storedBytes) {
  std::string gap;
  kernel.walk([&](tt::StoreOp store) {
    const std::optional<unsigned> argument = argumentOf(store.getPtr());
    const size_t bytes = elementBytes(store.getPtr());
    if (!argument || bytes == 0) {
      gap = "a store may go to one of several arguments";
      return WalkResult::interrupt();
    }
    size_t &known = storedBytes[*argument];
    if (known != 0 && known != bytes) {
      gap = "stores see an argument as elements of different sizes";
      return WalkResult::interrupt();
    }
    known = bytes;
    return WalkResult::advance();
  });
  return gap;
}

/// Says why if it is in doubt who reads what is stored to; behind `findStores`.
static std::string findLoads(tt::FuncOp kernel, const std::vector<size_t> &storedBytes) {
  std::string gap;
  kernel.walk([&](tt::LoadOp load) {
    const std::optional<unsigned> argument = argumentOf(load.getPtr());
    const bool isStored =
        argument ? storedBytes[*argument] != 0
                 : std::ranges::any_of(storedBytes, [](size_t bytes) { return bytes != 0; });
    if (!isStored || (argument && storedBytes[*argument] == elementBytes(load.getPtr())))
      return WalkResult::advance();
    gap = argument ? "accesses see an argument as elements of different sizes"
                   : "a load may be of one of several arguments";
    return WalkResult::interrupt();
  });
  return gap;
}

static std::string gapOf(const ArgumentUse &use, const std::string &name) {
  if (use.isAwaited)
    return "programs wait for what others do to `" + name + "`";
  if (use.isLookedAt || use.isUpdatedByBlocks)
    return "what atomic operations find in `" + name + "` is used";
  if (use.isUpdated && (use.isLoaded || use.isStored))
    return "`" + name + "` is both " + (use.isLoaded ? "read" : "stored to") + " and updated";
  return {};
}

DoubtCoverage coverDoubts(ModuleOp ttir, const InterpreterLaunch &launch,
                          const InterpreterOptions &options) {
  DoubtCoverage coverage;
  tt::FuncOp kernel = interpreter::findKernel(ttir, "");
  if (!kernel || kernel.getNumArguments() != launch.arguments.size()) {
    coverage.gap = "the launch does not fit the kernel";
    return coverage;
  }
  coverage.uses = interpreter::argumentUses(kernel, ttir);
  coverage.storedBytes.resize(coverage.uses.size());
  for (const Value argument : kernel.getArguments())
    coverage.elementBytes.push_back(elementBytes(argument));
  for (size_t i = 0; i < coverage.uses.size() && coverage.gap.empty(); ++i)
    if (isa<tt::PointerType>(kernel.getArgument(i).getType()))
      coverage.gap = gapOf(coverage.uses[i], launch.arguments[i].name);
  if (coverage.gap.empty())
    coverage.gap = findStores(kernel, coverage.storedBytes);
  if (coverage.gap.empty())
    coverage.gap = findLoads(kernel, coverage.storedBytes);
  bool hasCalls = false;
  ttir.walk([&](tt::CallOp) { hasCalls = true; });
  if (coverage.gap.empty() && hasCalls)
    coverage.gap = "the kernel calls functions that are not inlined";
  if (coverage.gap.empty() && !options.warps.unordered.empty())
    coverage.gap = "only the interpreter tells whether two warps reach one element";
  if (coverage.gap.empty() && interpreter::numPrograms(launch.grid) > INT_MAX)
    coverage.gap = "the grid has too many programs";
  return coverage;
}

} // namespace tilescope::compiler
