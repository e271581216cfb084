// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UnreadReason.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/TracedOperands.h"
#include "compiler/pipeline/AccessLimits.h"
#include "compiler/pipeline/AddressAddends.h"
#include "compiler/pipeline/IrText.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// A loop that moves on by `step` in each turn, from `first` on.
struct LoopAlong {
  scf::ForOp loop;
  int64_t first = 0, step = 0;
};

/// What moves an address along one axis, in places of that axis.
struct MovesAlong {
  std::vector<LoopAlong> loops;
  /// Axes of the grid, and how far their programs lie apart.
  std::vector<std::pair<size_t, int64_t>> programs;
  /// Blocks of so many neighbors.
  std::vector<int64_t> blocks;
  /// Loops, or programs, do in another way, too.
  bool isLooped = false, isByPrograms = false;
};

} // namespace

/// The axis along which a step of so many elements goes, and how many places it takes there. Nothing: it goes along several.
static std::optional<std::pair<size_t, int64_t>> placesOf(int64_t step,
                                                          const std::vector<int64_t> &shape) {
  int64_t stride = 1;
  for (const int64_t extent : shape)
    stride *= extent;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    stride /= std::max<int64_t>(shape[axis], 1);
    if (shape[axis] < 2 || step < stride)
      continue;
    return step % stride == 0 ? std::optional(std::pair(axis, step / stride)) : std::nullopt;
  }
  return std::nullopt;
}

/// A part of the address from which something else than its own value is computed: a quotient, a remainder.
static void addComputed(Value value, const std::array<int32_t, 3> &grid, MovesAlong &moves) {
  for (const Value source : allSources({value})) {
    const auto argument = dyn_cast<BlockArgument>(source);
    moves.isLooped |= argument && isa<scf::ForOp>(argument.getOwner()->getParentOp());
    if (auto program = source.getDefiningOp<tt::GetProgramIdOp>())
      moves.isByPrograms |= grid[static_cast<size_t>(program.getAxisAsInt())] > 1;
  }
}

static void addMove(const AddressAddend &addend, int64_t step, const InterpreterLaunch &launch,
                    MovesAlong &moves) {
  if (addend.loop) {
    moves.isLooped = true;
    if (!addend.value)
      moves.loops.push_back({addend.loop, 0, step});
    return;
  }
  if (!addend.value)
    return;
  if (auto program = addend.value.getDefiningOp<tt::GetProgramIdOp>()) {
    const auto axis = static_cast<size_t>(program.getAxisAsInt());
    if (launch.grid[axis] > 1)
      moves.programs.emplace_back(axis, step);
  } else if (auto block = addend.value.getDefiningOp<tt::MakeRangeOp>()) {
    if (step == 1 && block.getStart() == 0)
      moves.blocks.push_back(block.getEnd());
  } else if (auto counter = dyn_cast<BlockArgument>(addend.value)) {
    moves.isLooped = true;
    auto loop = cast<scf::ForOp>(counter.getOwner()->getParentOp());
    const auto first = numberInLaunch(loop.getLowerBound(), launch);
    const auto each = numberInLaunch(loop.getStep(), launch);
    if (first && each)
      moves.loops.push_back({loop, *first * step, *each * step});
  } else {
    addComputed(addend.value, launch.grid, moves);
  }
}

static std::optional<MovesAlong> movesAlong(size_t axis, const std::vector<int64_t> &shape,
                                            Operation *load, const InterpreterLaunch &launch) {
  const auto addends = addressAddends(interpreter::tracedOperands(load).pointer, launch);
  if (!addends)
    return std::nullopt;
  MovesAlong moves;
  for (const AddressAddend &addend : *addends) {
    if (addend.factor == 0)
      continue;
    const auto places = placesOf(std::abs(addend.factor), shape);
    if (!places)
      return std::nullopt;
    if (places->first == axis)
      addMove(addend, places->second, launch, moves);
  }
  return moves;
}

static std::optional<int64_t> turnsOf(scf::ForOp loop, const InterpreterLaunch &launch) {
  const auto begin = numberInLaunch(loop.getLowerBound(), launch);
  const auto end = numberInLaunch(loop.getUpperBound(), launch);
  const auto step = numberInLaunch(loop.getStep(), launch);
  if (!begin || !end || !step || *step <= 0 || *end <= *begin)
    return std::nullopt;
  return (*end - *begin + *step - 1) / *step;
}

static std::string loopReason(const MovesAlong &moves, int64_t end, const InterpreterLaunch &launch,
                              FileTable &files) {
  for (const LoopAlong &each : moves.loops) {
    scf::ForOp loop = each.loop;
    const auto turns = turnsOf(loop, launch);
    const std::vector<SourceRange> places = sourceRanges(loop.getLoc(), files);
    if (turns && !places.empty() && places.front().file == 0 &&
        each.first + *turns * each.step == end)
      return "the loop in line " + std::to_string(places.front().begin.line + 1) + " ends at " +
             std::to_string(end);
  }
  return {};
}

/// The only constant of the kernel that has the value.
static std::string nameOf(int64_t value, const std::map<std::string, int64_t> &constants) {
  std::string name;
  for (const auto &[each, number] : constants)
    if (number == value && !std::exchange(name, each).empty())
      return {};
  return name;
}

static std::string reasonOf(const MovesAlong &moves, int64_t end, const UnreadInput &input,
                            FileTable &files) {
  if (moves.isLooped)
    return loopReason(moves, end, input.launch, files);
  if (moves.isByPrograms)
    return {};
  if (moves.programs.empty()) {
    const bool isBlock = std::ranges::find(moves.blocks, end) != moves.blocks.end();
    const std::string name = isBlock ? nameOf(end, input.constexprs) : std::string();
    return name.empty() ? std::string()
                        : "`" + name + "` is " + std::to_string(end) +
                              ": a block ends there, and no program goes on behind it";
  }
  const auto [axis, apart] = moves.programs.front();
  if (moves.programs.size() > 1 || input.launch.grid[axis] * apart != end)
    return {};
  return "the " + std::to_string(input.launch.grid[axis]) + " programs along axis " +
         std::to_string(axis) + " of the grid end there";
}

std::string unreadReason(const UnreadRange &range, const std::vector<int64_t> &shape,
                         ArrayRef<Operation *> loads, const UnreadInput &input, FileTable &files) {
  for (Operation *load : loads) {
    const auto moves = movesAlong(range.axis, shape, load, input.launch);
    std::string reason = moves ? reasonOf(*moves, range.begin, input, files) : std::string();
    if (!reason.empty())
      return reason;
  }
  return {};
}

} // namespace tilescope::compiler
