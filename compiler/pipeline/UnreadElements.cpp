// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UnreadElements.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/MemoryArea.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/TracedOperands.h"
#include "compiler/pipeline/AccessLimits.h"
#include "compiler/pipeline/AddressRerun.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/KernelAccesses.h"
#include "compiler/pipeline/UnreadReason.h"
#include "compiler/pipeline/UnreadRegion.h"

#include <algorithm>
#include <memory>
#include <optional>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// What is known of an argument before the run, and what the run marks.
struct Tracked {
  std::unique_ptr<ElementMarks> marks;
  int64_t elementBytes = 0;
  /// Its loads, and whether something stores to it, too.
  std::vector<Operation *> loads;
  bool isStored = false;
  /// Where it is read depends on what is in memory.
  bool isByData = false;
  /// By axis: where the kernel ends because it is told to.
  std::vector<std::set<int64_t>> bounds = {};
};

/// Marks what the accesses of one thread touch.
class TouchMarker : public AccessObserver {
public:
  TouchMarker(std::vector<Tracked> &arguments, const std::vector<std::vector<int64_t>> &shapes,
              const std::vector<int64_t> &elementBytes)
      : steps(shapes.size()), m_arguments(arguments), m_shapes(shapes),
        m_elementBytes(elementBytes) {}

  /// By operation: how far apart neighbors along each dimension of its block lie, in bytes; empty: it is not known.
  std::vector<std::vector<int64_t>> steps;

  void note(const TracedAccess &access) override {
    if (!access.hasAddresses)
      return;
    const int64_t bytes = m_elementBytes[access.number];
    const auto affine = access.affine();
    if (affine && steps[access.number].empty())
      steps[access.number].assign(affine->step.begin(), affine->step.end());
    if (affine && access.isWhole())
      return noteLattice(*affine, m_shapes[access.number], bytes);
    const std::span<const int64_t> addresses = access.addresses();
    const uint8_t *mask = access.mask();
    for (size_t i = 0; i < addresses.size(); ++i) {
      if (mask && !mask[i])
        continue;
      // Neighbors together.
      size_t end = i + 1;
      while (end < addresses.size() && (!mask || mask[end]) &&
             addresses[end] == addresses[end - 1] + bytes)
        ++end;
      mark(addresses[i], static_cast<int64_t>(end - i) * bytes);
      i = end - 1;
    }
  }

private:
  void noteLattice(const TracedAccess::Affine &affine, std::span<const int64_t> shape,
                   int64_t bytes) {
    // What lies side by side is marked in one go; the rest one by one.
    std::vector<std::pair<int64_t, int64_t>> outer;
    int64_t side = bytes;
    for (size_t dim = affine.step.size(); dim-- > 0;) {
      if (affine.step[dim] == side)
        side *= shape[dim];
      else if (affine.step[dim] != 0 && shape[dim] > 1)
        outer.emplace_back(affine.step[dim], shape[dim]);
    }
    markOuter(outer, affine.base, side);
  }
  void markOuter(std::span<const std::pair<int64_t, int64_t>> dims, int64_t address, int64_t size) {
    if (dims.empty())
      return mark(address, size);
    for (int64_t i = 0; i < dims.back().second; ++i)
      markOuter(dims.first(dims.size() - 1), address + i * dims.back().first, size);
  }
  void mark(int64_t address, int64_t size) {
    const int64_t area = (address >> interpreter::kAreaBits) - 1;
    if (area < 0 || area >= static_cast<int64_t>(m_arguments.size()))
      return;
    const Tracked &argument = m_arguments[static_cast<size_t>(area)];
    if (!argument.marks)
      return;
    const int64_t offset = address - interpreter::areaAddress(static_cast<size_t>(area));
    argument.marks->mark(offset / argument.elementBytes,
                         (offset + size + argument.elementBytes - 1) / argument.elementBytes);
  }

  std::vector<Tracked> &m_arguments;
  const std::vector<std::vector<int64_t>> &m_shapes;
  const std::vector<int64_t> &m_elementBytes;
};

} // namespace

static int64_t numElementsOf(const InterpreterArgument &argument) {
  int64_t product = argument.shape.empty() ? 0 : 1;
  for (const int64_t extent : argument.shape)
    product *= extent;
  return product;
}

/// Tensors that begin with data; the others are outputs.
static std::vector<Tracked> trackedArguments(const InterpreterLaunch &launch) {
  std::vector<Tracked> tracked(launch.arguments.size());
  for (size_t i = 0; i < tracked.size(); ++i) {
    const InterpreterArgument &argument = launch.arguments[i];
    const int64_t size = numElementsOf(argument);
    if (!argument.data || argument.countUnwritten || size == 0)
      continue;
    tracked[i].elementBytes = static_cast<int64_t>(argument.sizeBytes) / size;
    if (tracked[i].elementBytes > 0)
      tracked[i].marks = std::make_unique<ElementMarks>(size);
  }
  return tracked;
}

static Diagnostic noteOf(const UnreadRegion &region, const InterpreterArgument &argument,
                         const Tracked &tracked, const UnreadInput &input, FileTable &files) {
  Diagnostic note;
  note.kind = DiagnosticKind::RunLaunchUnfit;
  note.severity = Severity::Note;
  note.cause.subject = argument.name;
  note.message = std::string("no program reads ") + (tracked.isStored ? "or writes " : "") +
                 regionText(region, argument.name, argument.shape);
  for (const UnreadRange &range : region.ranges) {
    const bool isEnd = !region.isFlat && range.begin > 0 && range.numRanges == 1 &&
                       range.end == argument.shape[range.axis];
    if (std::string reason =
            isEnd ? unreadReason(range, argument.shape, tracked.loads, input, files) : "";
        !reason.empty())
      note.notes.push_back(std::move(reason));
  }
  // What lies in front of all that is read, no loop that ends too early leaves out.
  const bool isFront = !region.isFlat && std::ranges::all_of(region.ranges, [](const auto &range) {
    return range.begin == 0 && range.numRanges == 1;
  });
  note.notes.push_back(
      isFront ? "a kernel may be meant so; else a loop or a range begins too late, or the address "
                "of the load lies too far behind"
      : argument.shape.size() > 1
          ? "a kernel may be meant so; else a block is too small, a loop or a mask ends too early, "
            "a stride is another one, or the grid has too few programs"
          : "a kernel may be meant so; else a block is too small, a loop or a mask ends too "
            "early, or the grid has too few programs");
  constexpr size_t kMostPlaces = 4;
  for (Operation *load : tracked.loads) {
    const std::vector<SourceRange> places = sourceRanges(load->getLoc(), files);
    if (places.empty())
      continue;
    if (note.range.empty())
      note.range = places.front();
    else if (places.front() != note.range && note.labels.size() < kMostPlaces &&
             std::ranges::find(note.labels, places.front(), &DiagnosticLabel::range) ==
                 note.labels.end())
      note.labels.push_back({places.front(), "this reads `" + argument.name + "`, too"});
  }
  return note;
}

/// Runs the programs; returns the steps of the operations (`TouchMarker`). Nothing: they have not come to their ends in
/// time.
static std::optional<std::vector<std::vector<int64_t>>>
trace(ModuleOp module, const UnreadInput &input, std::vector<Tracked> &arguments,
      const std::vector<Operation *> &operations) {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<int64_t> bytes;
  for (Operation *op : operations) {
    shapes.push_back(blockShape(op));
    bytes.push_back(elementBytesOf(op));
  }
  const auto markers = observeAddresses<TouchMarker>(
      module, input, [&] { return std::make_unique<TouchMarker>(arguments, shapes, bytes); });
  if (!markers)
    return std::nullopt;
  std::vector<std::vector<int64_t>> steps(operations.size());
  for (const std::unique_ptr<TouchMarker> &marker : *markers)
    for (size_t i = 0; i < steps.size(); ++i)
      if (steps[i].empty())
        steps[i] = marker->steps[i];
  return steps;
}

/// The axis of a tensor in which neighbors are so far apart; nothing: none, or it is not clear.
static std::optional<size_t> axisOfStep(int64_t stepBytes, const std::vector<int64_t> &shape,
                                        int64_t elementBytes) {
  int64_t stride = elementBytes;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis])
    if (shape[axis] > 1 && stepBytes == stride)
      return axis;
  return std::nullopt;
}

/// Which arguments the operations load from and store to.
static void findUses(const std::vector<Operation *> &operations, std::vector<Tracked> &arguments) {
  for (Operation *op : operations) {
    const std::optional<unsigned> number =
        interpreter::argumentOf(interpreter::tracedOperands(op).pointer);
    if (!number || *number >= arguments.size()) {
      // It may go anywhere.
      for (Tracked &argument : arguments)
        argument.isByData = true;
    } else if (isa<tt::LoadOp>(op)) {
      arguments[*number].loads.push_back(op);
    } else {
      arguments[*number].isStored = true;
    }
  }
}

static bool isAsked(const Tracked &argument) {
  return argument.marks && !argument.loads.empty() && !argument.isByData;
}

/// Where the accesses of an argument end because they are told to, by axis of its tensor.
static void findBounds(const std::vector<Operation *> &operations,
                       const std::vector<std::vector<int64_t>> &steps, const UnreadInput &input,
                       std::vector<Tracked> &arguments) {
  for (size_t i = 0; i < operations.size(); ++i) {
    const auto number = interpreter::argumentOf(interpreter::tracedOperands(operations[i]).pointer);
    if (!number || !isAsked(arguments[*number]))
      continue;
    Tracked &argument = arguments[*number];
    const std::vector<int64_t> &shape = input.launch.arguments[*number].shape;
    argument.bounds.resize(shape.size());
    const AccessLimits found = accessLimits(operations[i], input.launch, input.sizes);
    argument.isByData |= found.isByData;
    for (const AccessLimit &limit : found.limits) {
      const auto axis = limit.dim && *limit.dim < steps[i].size()
                            ? axisOfStep(steps[i][*limit.dim], shape, argument.elementBytes)
                            : std::nullopt;
      for (size_t each = 0; each < shape.size(); ++each)
        if (!axis || axis == each)
          argument.bounds[each].insert(limit.value);
    }
  }
}

std::vector<Diagnostic> unreadElements(ModuleOp ttir, const UnreadInput &input, FileTable &files) {
  std::vector<Tracked> arguments = trackedArguments(input.launch);
  if (std::ranges::none_of(arguments, [](const Tracked &each) { return each.marks != nullptr; }))
    return {};
  OwningOpRef<ModuleOp> module(ttir.clone());
  const bool isPlain = rewriteDescriptors(*module);
  tt::FuncOp kernel = interpreter::findKernel(*module, "");
  if (!isPlain || !kernel || kernel.getNumArguments() != input.launch.arguments.size())
    return {};
  const std::vector<Operation *> operations = numberAccesses(*module);
  findUses(operations, arguments);
  if (std::ranges::none_of(arguments, isAsked) || findAddressNeeds(*module).isWhole)
    return {};
  const auto steps = trace(*module, input, arguments, operations);
  if (!steps)
    return {};
  findBounds(operations, *steps, input, arguments);
  std::vector<Diagnostic> notes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const InterpreterArgument &argument = input.launch.arguments[i];
    if (!isAsked(arguments[i]))
      continue;
    if (const auto region = unreadRegion(*arguments[i].marks, argument.shape, arguments[i].bounds))
      notes.push_back(noteOf(*region, argument, arguments[i], input, files));
  }
  return notes;
}

} // namespace tilescope::compiler
