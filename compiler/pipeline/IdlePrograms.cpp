// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/IdlePrograms.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/TracedOperands.h"
#include "compiler/pipeline/AddressRerun.h"
#include "compiler/pipeline/KernelAccesses.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace mlir;

namespace tilescope::compiler {
namespace {

constexpr uint64_t kFewPrograms = 8;
constexpr uint64_t kMostPrograms = uint64_t(1) << 22;

/// What the programs of one thread come to.
class IdleObserver : public AccessObserver {
public:
  explicit IdleObserver(const std::array<int32_t, 3> &grid, uint64_t numPrograms)
      : states(numPrograms), m_grid(grid) {}

  enum State : uint8_t { kUnseen, kIdle, kBusy };
  /// By program.
  std::vector<uint8_t> states;

  void note(const TracedAccess &access) override {
    if (!access.hasAddresses)
      return;
    const auto &[x, y, z] = access.programId;
    const auto program =
        static_cast<size_t>(x) +
        static_cast<size_t>(m_grid[0]) *
            (static_cast<size_t>(y) + static_cast<size_t>(m_grid[1]) * static_cast<size_t>(z));
    if (program < states.size() && states[program] != kBusy)
      states[program] = isBusy(access) ? kBusy : kIdle;
  }

private:
  static bool isBusy(const TracedAccess &access) {
    const uint8_t *mask = access.isWhole() ? nullptr : access.mask();
    return !mask || std::any_of(mask, mask + access.count(), [](uint8_t on) { return on != 0; });
  }

  std::array<int32_t, 3> m_grid;
};

} // namespace

static int64_t product(const std::vector<int64_t> &extents) {
  int64_t result = 1;
  for (const int64_t extent : extents)
    result *= extent;
  return result;
}

/// Whether the blocks that the programs store in one go are twice what there is to store, so that half of the programs may
/// store nothing.
static bool mayBeIdle(ModuleOp module, tt::FuncOp kernel, const InterpreterLaunch &launch,
                      uint64_t numPrograms) {
  bool mayBe = false, isKnown = true;
  module.walk([&](Operation *op) {
    isKnown &= !isa<tt::GetNumProgramsOp>(op);
    auto store = dyn_cast<tt::StoreOp>(op);
    if (!store || !store.getMask() || store->getParentOfType<LoopLikeOpInterface>() ||
        store->getParentOfType<tt::FuncOp>() != kernel)
      return;
    const auto number = interpreter::argumentOf(store.getPtr());
    if (!number || *number >= launch.arguments.size())
      return;
    const std::vector<int64_t> &shape = launch.arguments[*number].shape;
    mayBe |= !shape.empty() &&
             static_cast<int64_t>(numPrograms) * product(blockShape(store)) >= 2 * product(shape);
  });
  return mayBe && isKnown;
}

std::optional<Diagnostic> idlePrograms(ModuleOp ttir, const IdleInput &input) {
  const uint64_t numPrograms = interpreter::numPrograms(input.launch.grid);
  if (numPrograms <= kFewPrograms || numPrograms > kMostPrograms)
    return std::nullopt;
  OwningOpRef<ModuleOp> module(ttir.clone());
  const bool isPlain = rewriteDescriptors(*module);
  tt::FuncOp kernel = interpreter::findKernel(*module, "");
  if (!isPlain || !kernel || kernel.getNumArguments() != input.launch.arguments.size() ||
      !mayBeIdle(*module, kernel, input.launch, numPrograms))
    return std::nullopt;
  numberAccesses(*module);
  if (findAddressNeeds(*module).isWhole)
    return std::nullopt;
  const auto observers = observeAddresses<IdleObserver>(*module, input, [&] {
    return std::make_unique<IdleObserver>(input.launch.grid, numPrograms);
  });
  if (!observers)
    return std::nullopt;
  uint64_t numIdle = 0;
  for (size_t program = 0; program < numPrograms; ++program) {
    uint8_t state = IdleObserver::kUnseen;
    for (const std::unique_ptr<IdleObserver> &each : *observers)
      state = std::max(state, each->states[program]);
    numIdle += state == IdleObserver::kIdle;
  }
  if (numIdle <= kFewPrograms || 2 * numIdle < numPrograms)
    return std::nullopt;
  Diagnostic note;
  note.kind = DiagnosticKind::RunLaunchUnfit;
  note.severity = Severity::Note;
  note.message = std::to_string(numIdle) + " of the " + std::to_string(numPrograms) +
                 " programs access nothing: their masks leave out every element";
  note.notes.push_back(
      "a kernel may be meant so; else the grid has too many programs, for instance "
      "one for each element where each works on a block");
  return note;
}

} // namespace tilescope::compiler
