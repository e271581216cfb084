// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ArgumentUses.h"

#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/StoreUpdates.h"
#include "compiler/interpreter/Translator.h"
#include "compiler/interpreter/VolatileLooks.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler::interpreter {

namespace {
/// A pointer, or a block of pointers, with what is done to what it points to.
struct PointerUse {
  Value pointer;
  bool ArgumentUse::*how = nullptr;
};
} // namespace

static PointerUse pointerUse(Operation *op) {
  return llvm::TypeSwitch<Operation *, PointerUse>(op)
      .Case([](tt::LoadOp load) { return PointerUse{load.getPtr(), &ArgumentUse::isLoaded}; })
      .Case([](ttg::AsyncCopyGlobalToLocalOp copy) {
        return PointerUse{copy.getSrc(), &ArgumentUse::isLoaded};
      })
      .Case<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(
          [](auto load) { return PointerUse{load.getDesc(), &ArgumentUse::isLoaded}; })
      .Case([](tt::StoreOp store) { return PointerUse{store.getPtr(), &ArgumentUse::isStored}; })
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp>(
          [](auto atomic) { return PointerUse{atomic.getPtr(), &ArgumentUse::isUpdated}; })
      .Default([](Operation *) { return PointerUse{}; });
}

/// Whether a program may wait for what an operation reads: as the translation has it.
static bool isAwaited(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getIsVolatile() && looksAtOthers(load);
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return mayBeAwaited(op->getResult(0));
  return isa<tt::AtomicPollOp>(op);
}

static bool isLook(Operation *op) {
  return isa<tt::AtomicCASOp>(op) || (isa<tt::AtomicRMWOp>(op) && !op->use_empty()) ||
         isAwaited(op);
}

static bool isOfOneBlock(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp>(
          [](auto atomic) { return atomic.getScope() == tt::MemSyncScope::CTA; })
      .Default([](Operation *) { return false; });
}

static size_t pointeeBytes(Value pointer) {
  const auto type = dyn_cast<tt::PointerType>(getElementTypeOrSelf(pointer.getType()));
  const std::optional<Element> element = type ? getElement(type.getPointeeType()) : std::nullopt;
  return element ? memorySize(*element) : 0;
}

std::vector<ArgumentUse> argumentUses(tt::FuncOp kernel, ModuleOp module) {
  std::vector<ArgumentUse> uses(kernel.getNumArguments());
  module.walk([&](Operation *op) {
    const PointerUse found = pointerUse(op);
    if (!found.pointer)
      return;
    const size_t bytes = pointeeBytes(found.pointer);
    const bool awaited = isAwaited(op), isLookedAt = isLook(op);
    const bool isData = isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op) && isReadAsData(op->getResult(0));
    const auto note = [&](ArgumentUse &use) {
      use.isReadAsData |= isData;
      use.isAwaited |= awaited;
      use.isLookedAt |= isLookedAt;
      use.isUpdatedByBlocks |= isOfOneBlock(op);
      use.*found.how = true;
      if (bytes != 0)
        use.smallestBytes = use.smallestBytes ? std::min(use.smallestBytes, bytes) : bytes;
    };
    const std::optional<unsigned> argument =
        op->getParentOfType<tt::FuncOp>() == kernel ? argumentOf(found.pointer) : std::nullopt;
    if (argument)
      note(uses[*argument]);
    else
      std::ranges::for_each(uses, note);
  });
  return uses;
}

} // namespace tilescope::compiler::interpreter
