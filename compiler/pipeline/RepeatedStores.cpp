// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RepeatedStores.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/OperationNumber.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/MemoryArea.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/TracedOperands.h"
#include "compiler/pipeline/AddressRerun.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/KernelAccesses.h"
#include "compiler/pipeline/TouchRecorder.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// An argument that blocks are stored to, and nothing else.
struct StoredArgument {
  size_t number = 0;
  int64_t numElements = 0;
  std::vector<tt::StoreOp> stores;
};

/// What programs have stored to an argument.
struct Repeats {
  int64_t numStored = 0;
  /// By two or more programs.
  int64_t numRepeated = 0;
  /// The most programs that store one element, and the first that has them.
  uint32_t mostPrograms = 0;
  int64_t element = 0;
  /// Blocks at different places, and how often a program stores one of them.
  uint64_t numPlaces = 0, numVisits = 0;
};

/// Time and memory that do not matter beside a run's.
constexpr int64_t kMostElements = int64_t(1) << 24;
constexpr uint64_t kMostStored = uint64_t(1) << 26;
constexpr size_t kMostBytes = size_t(1) << 25;

} // namespace

static int64_t product(const std::vector<int64_t> &extents) {
  int64_t result = 1;
  for (const int64_t extent : extents)
    result *= extent;
  return result;
}

/// Whether an argument is one that may be told of, by the stores that go to it.
static bool isAsked(const StoredArgument &stored, const InterpreterArgument &argument) {
  return argument.data && !stored.stores.empty() && stored.numElements > 1 &&
         stored.numElements <= kMostElements &&
         std::ranges::all_of(stored.stores, [&](tt::StoreOp store) {
           return product(blockShape(store)) > 1 && static_cast<int64_t>(argument.sizeBytes) ==
                                                        stored.numElements * elementBytesOf(store);
         });
}

/// Whether the programs store so many elements that half of them may be stored twice.
static bool mayRepeat(const StoredArgument &stored, const RepeatInput &input, tt::FuncOp kernel) {
  const InterpreterArgument &argument = input.launch.arguments[stored.number];
  const auto unwritten =
      std::ranges::find(input.unwritten, argument.name, &UnwrittenElements::argument);
  const int64_t distinct =
      stored.numElements - (unwritten == input.unwritten.end() ? 0 : unwritten->count);
  int64_t perProgram = 0;
  for (tt::StoreOp store : stored.stores) {
    if (store->getParentOfType<LoopLikeOpInterface>() ||
        store->getParentOfType<tt::FuncOp>() != kernel)
      return true;
    perProgram += product(blockShape(store));
  }
  const auto programs = static_cast<int64_t>(interpreter::numPrograms(input.launch.grid));
  return 2 * programs * perProgram >= 3 * distinct;
}

static std::vector<StoredArgument> storedArguments(ModuleOp module, tt::FuncOp kernel,
                                                   const RepeatInput &input) {
  const std::vector<interpreter::ArgumentUse> uses = interpreter::argumentUses(kernel, module);
  // Programs that wait for others may store one value after another.
  if (std::ranges::any_of(uses, &interpreter::ArgumentUse::isUpdated))
    return {};
  std::vector<StoredArgument> all(uses.size());
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].number = i;
    const std::vector<int64_t> &shape = input.launch.arguments[i].shape;
    all[i].numElements = shape.empty() ? 0 : product(shape);
  }
  bool areTold = true;
  module.walk([&](tt::StoreOp store) {
    const auto number = interpreter::argumentOf(store.getPtr());
    areTold &= number && *number < all.size();
    if (areTold)
      all[*number].stores.push_back(store);
  });
  std::erase_if(all, [&](const StoredArgument &each) {
    return uses[each.number].isLoaded || !isAsked(each, input.launch.arguments[each.number]) ||
           !mayRepeat(each, input, kernel);
  });
  return areTold ? all : std::vector<StoredArgument>();
}

/// The stores of all programs, by program. Nothing: they take too much time or room.
static std::optional<std::vector<TouchRun>> trace(ModuleOp module, const RepeatInput &input,
                                                  const std::vector<StoredArgument> &arguments) {
  TouchPlan plan;
  plan.grid = input.launch.grid;
  plan.mostBytes = kMostBytes;
  Builder builder(module.getContext());
  for (const StoredArgument &argument : arguments)
    for (tt::StoreOp store : argument.stores) {
      store->setAttr(ttg::kOperationNumberAttr,
                     builder.getI32IntegerAttr(static_cast<int32_t>(plan.loops.size())));
      plan.loops.push_back(-1);
      plan.shapes.push_back(blockShape(store));
      plan.elementBytes.push_back(elementBytesOf(store));
    }
  const auto recorders = observeAddresses<TouchRecorder>(
      module, input, [&] { return std::make_unique<TouchRecorder>(plan); });
  if (!recorders)
    return std::nullopt;
  std::vector<TouchRun> runs;
  for (const std::unique_ptr<TouchRecorder> &recorder : *recorders) {
    if (recorder->isCut())
      return std::nullopt;
    runs.insert(runs.end(), recorder->runs().begin(), recorder->runs().end());
  }
  std::ranges::stable_sort(runs, {}, &TouchRun::program);
  return runs;
}

/// Calls `visit` with each address that is `dims` away from one.
template <typename F>
static void forEachAddress(std::span<const TouchDim> dims, int64_t address, const F &visit) {
  if (dims.empty())
    return visit(address);
  for (int64_t i = 0; i < dims.front().extent; ++i)
    forEachAddress(dims.subspan(1), address + i * dims.front().strideBytes, visit);
}

static uint64_t sizeOf(const TouchRun &run) {
  uint64_t size = run.numSteps;
  for (const TouchDim &dim : run.dims)
    size *= static_cast<uint64_t>(dim.extent);
  return size;
}

/// `first`: the number of the argument's first store among all that were traced.
static std::optional<Repeats> repeatsOf(const StoredArgument &argument, uint32_t first,
                                        const std::vector<TouchRun> &runs) {
  const auto end = first + static_cast<uint32_t>(argument.stores.size());
  const int64_t bytes = elementBytesOf(StoredArgument(argument).stores.front());
  const int64_t begin = interpreter::areaAddress(argument.number);
  std::vector<uint32_t> lastProgram(static_cast<size_t>(argument.numElements));
  std::vector<uint32_t> numPrograms(static_cast<size_t>(argument.numElements));
  std::map<std::pair<uint32_t, int64_t>, uint32_t> places;
  Repeats found;
  uint64_t numStored = 0;
  for (const TouchRun &run : runs) {
    if (run.access < first || run.access >= end)
      continue;
    numStored += sizeOf(run);
    if (numStored > kMostStored)
      return std::nullopt;
    for (uint32_t step = 0; step < run.numSteps; ++step) {
      const int64_t address = run.address + step * run.stepBytes;
      uint32_t &last = places[{run.access, address}];
      found.numVisits += std::exchange(last, run.program + 1) != run.program + 1;
      forEachAddress(std::span(run.dims), address, [&](int64_t each) {
        const int64_t element = (each - begin) / bytes;
        if (each < begin || element >= argument.numElements)
          return;
        const auto at = static_cast<size_t>(element);
        if (std::exchange(lastProgram[at], run.program + 1) != run.program + 1)
          ++numPrograms[at];
      });
    }
  }
  found.numPlaces = places.size();
  for (size_t at = 0; at < numPrograms.size(); ++at) {
    found.numStored += numPrograms[at] > 0;
    found.numRepeated += numPrograms[at] > 1;
    if (numPrograms[at] > found.mostPrograms) {
      found.mostPrograms = numPrograms[at];
      found.element = static_cast<int64_t>(at);
    }
  }
  return found;
}

/// Whether it is more than blocks that are moved back at the end of each axis: those store no element more than twice for
/// each axis, and no two are at the same place.
static bool isRepeated(const Repeats &repeats, const StoredArgument &argument) {
  size_t numAxes = 0;
  for (tt::StoreOp store : argument.stores) {
    const std::vector<int64_t> shape = blockShape(store);
    numAxes = std::max<size_t>(numAxes, static_cast<size_t>(std::ranges::count_if(
                                            shape, [](int64_t extent) { return extent > 1; })));
  }
  const uint64_t mostMoved = uint64_t(1) << std::min<size_t>(numAxes, 16);
  const bool isAgain = 2 * repeats.numVisits >= 3 * repeats.numPlaces;
  return repeats.numRepeated > 0 && 2 * repeats.numRepeated >= repeats.numStored &&
         (isAgain || repeats.mostPrograms > mostMoved);
}

static std::string elementText(const InterpreterArgument &argument, int64_t element) {
  std::string text;
  for (size_t axis = argument.shape.size(); axis-- > 0;) {
    const int64_t index = element % argument.shape[axis];
    element /= argument.shape[axis];
    text = std::to_string(index) + (text.empty() ? "" : ", ") + text;
  }
  return "`" + argument.name + "[" + text + "]`";
}

static Diagnostic noteOf(const Repeats &repeats, const StoredArgument &stored,
                         const InterpreterArgument &argument, FileTable &files) {
  Diagnostic note;
  note.kind = DiagnosticKind::RunLaunchUnfit;
  note.severity = Severity::Note;
  note.cause.subject = argument.name;
  note.message =
      std::to_string(repeats.mostPrograms) + " programs store " +
      elementText(argument, repeats.element) + ", all with the same value, and two or more store " +
      (repeats.numRepeated == repeats.numStored ? "each" : std::to_string(repeats.numRepeated)) +
      " of the " + std::to_string(repeats.numStored) +
      " elements that are stored: the grid or the addresses repeat work";
  note.notes.push_back("a kernel may be meant so; else programs begin where others have been, or "
                       "the grid has too many of them");
  for (tt::StoreOp store : StoredArgument(stored).stores)
    if (const std::vector<SourceRange> places = sourceRanges(store->getLoc(), files);
        note.range.empty() && !places.empty())
      note.range = places.front();
  return note;
}

std::vector<Diagnostic> repeatedStores(ModuleOp ttir, const RepeatInput &input, FileTable &files) {
  if (interpreter::numPrograms(input.launch.grid) < 2)
    return {};
  OwningOpRef<ModuleOp> module(ttir.clone());
  const bool isPlain = rewriteDescriptors(*module);
  tt::FuncOp kernel = interpreter::findKernel(*module, "");
  if (!isPlain || !kernel || kernel.getNumArguments() != input.launch.arguments.size())
    return {};
  const std::vector<StoredArgument> arguments = storedArguments(*module, kernel, input);
  if (arguments.empty() || findAddressNeeds(*module).isWhole)
    return {};
  const auto runs = trace(*module, input, arguments);
  std::vector<Diagnostic> notes;
  uint32_t first = 0;
  for (const StoredArgument &each : arguments) {
    const std::optional<Repeats> repeats = runs ? repeatsOf(each, first, *runs) : std::nullopt;
    if (repeats && isRepeated(*repeats, each))
      notes.push_back(noteOf(*repeats, each, input.launch.arguments[each.number], files));
    first += static_cast<uint32_t>(each.stores.size());
  }
  return notes;
}

} // namespace tilescope::compiler
