// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/TouchRecorder.h"

#include <algorithm>

namespace tilescope::compiler {

/// What repeats nothing, with positive strides, the largest first.
static Lattice normalized(Lattice lattice) {
  std::erase_if(lattice.dims,
                [](const TouchDim &dim) { return dim.extent == 1 || dim.strideBytes == 0; });
  for (TouchDim &dim : lattice.dims)
    if (dim.strideBytes < 0) {
      lattice.address += (dim.extent - 1) * dim.strideBytes;
      dim.strideBytes = -dim.strideBytes;
    }
  std::ranges::stable_sort(lattice.dims, std::greater(), &TouchDim::strideBytes);
  return lattice;
}

std::vector<Lattice> latticesOf(std::vector<int64_t> addresses, int64_t elementBytes) {
  std::ranges::sort(addresses);
  addresses.erase(std::ranges::unique(addresses).begin(), addresses.end());
  std::vector<std::pair<int64_t, int64_t>> pieces;
  for (const int64_t address : addresses)
    if (!pieces.empty() && pieces.back().first + pieces.back().second * elementBytes == address)
      ++pieces.back().second;
    else
      pieces.emplace_back(address, 1);
  std::vector<Lattice> lattices;
  for (size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
    const auto [address, count] = pieces[begin];
    end = begin + 1;
    const int64_t stride = end < pieces.size() ? pieces[end].first - address : 0;
    while (end < pieces.size() && pieces[end].second == count &&
           pieces[end].first - pieces[end - 1].first == stride)
      ++end;
    lattices.push_back(normalized(
        {address, {{static_cast<int64_t>(end - begin), stride}, {count, elementBytes}}}));
  }
  return lattices;
}

/// The addresses of a block as steps in its dimensions, if that is what they are.
static std::optional<std::vector<int64_t>> fitSteps(std::span<const int64_t> addresses,
                                                    std::span<const int64_t> shape) {
  std::vector<int64_t> steps(shape.size()), index(shape.size());
  int64_t inner = 1;
  for (size_t dim = shape.size(); dim-- > 0; inner *= shape[dim])
    if (shape[dim] > 1)
      steps[dim] = addresses[static_cast<size_t>(inner)] - addresses.front();
  int64_t expected = addresses.front();
  for (const int64_t address : addresses) {
    if (address != expected)
      return std::nullopt;
    for (size_t dim = shape.size(); dim-- > 0;) {
      expected += steps[dim];
      if (++index[dim] < shape[dim])
        break;
      expected -= shape[dim] * steps[dim];
      index[dim] = 0;
    }
  }
  return steps;
}

/// The smallest box that holds all elements that are on, if nothing else is in it.
static std::optional<std::pair<std::vector<int64_t>, std::vector<int64_t>>>
fitBox(const uint8_t *mask, std::span<const int64_t> shape, int64_t count) {
  std::vector<int64_t> lower(shape.begin(), shape.end()), upper(shape.size()), index(shape.size());
  int64_t numOn = 0, inBox = 1;
  for (int64_t element = 0; element < count; ++element) {
    numOn += mask[element] != 0;
    for (size_t dim = 0; mask[element] && dim < shape.size(); ++dim) {
      lower[dim] = std::min(lower[dim], index[dim]);
      upper[dim] = std::max(upper[dim], index[dim] + 1);
    }
    for (size_t dim = shape.size(); dim-- > 0; index[dim] = 0)
      if (++index[dim] < shape[dim])
        break;
  }
  for (size_t dim = 0; dim < shape.size(); ++dim)
    inBox *= std::max<int64_t>(0, upper[dim] - lower[dim]);
  if (inBox != numOn)
    return std::nullopt;
  return std::pair(std::move(lower), std::move(upper));
}

/// The elements between `lower` and `upper` of a block with these steps; nothing if there are none.
static std::optional<Lattice> cutOut(int64_t base, std::span<const int64_t> steps,
                                     std::span<const int64_t> lower,
                                     std::span<const int64_t> upper) {
  Lattice lattice{base, {}};
  for (size_t dim = 0; dim < lower.size(); ++dim) {
    if (lower[dim] >= upper[dim])
      return std::nullopt;
    const int64_t step = steps.empty() ? 0 : steps[dim];
    lattice.address += lower[dim] * step;
    lattice.dims.push_back({upper[dim] - lower[dim], step});
  }
  return normalized(std::move(lattice));
}

namespace {
struct Touched {
  /// One where the elements have an order.
  std::vector<Lattice> lattices;
  /// The whole block, where a mask turns some of it off and its addresses have an order.
  std::optional<Lattice> block;
};
} // namespace

/// The elements that an execution touches.
static Touched touched(const TracedAccess &access, std::span<const int64_t> shape,
                       int64_t elementBytes) {
  const auto affine = access.affine();
  const uint8_t *mask = access.isWhole() ? nullptr : access.mask();
  std::optional<std::vector<int64_t>> fitted;
  if (!affine)
    fitted = fitSteps(access.addresses(), shape);
  Touched result;
  if (affine || fitted) {
    const int64_t base = affine ? affine->base : access.addresses().front();
    const std::span<const int64_t> steps = affine ? affine->step : std::span(*fitted);
    const std::pair whole(std::vector<int64_t>(shape.size()),
                          std::vector<int64_t>(shape.begin(), shape.end()));
    const std::optional box =
        mask ? fitBox(mask, shape, static_cast<int64_t>(access.count())) : whole;
    if (box != whole)
      result.block = cutOut(base, steps, whole.first, whole.second);
    if (box) {
      if (std::optional<Lattice> lattice = cutOut(base, steps, box->first, box->second))
        result.lattices.push_back(std::move(*lattice));
      return result;
    }
  }
  const std::span<const int64_t> all = access.addresses();
  std::vector<int64_t> on;
  for (size_t element = 0; element < all.size(); ++element)
    if (!mask || mask[element])
      on.push_back(all[element]);
  result.lattices = latticesOf(std::move(on), elementBytes);
  return result;
}

TouchRecorder::TouchRecorder(const TouchPlan &plan) : m_plan(plan), m_isInStep(plan.loops.size()) {
  m_runs.last.resize(plan.loops.size());
  m_blocks.last.resize(plan.loops.size());
}

/// Finds the step that an execution belongs to.
void TouchRecorder::advance(const TracedAccess &access) {
  const auto &[x, y, z] = access.programId;
  const auto &grid = m_plan.grid;
  const int64_t program = x + int64_t{grid[0]} * (y + int64_t{grid[1]} * z);
  const int loop = m_plan.loops[access.number];
  const auto isOutside = [&] {
    return loop >= 0 && m_loop >= 0 &&
           !m_plan.nested[static_cast<size_t>(loop)][static_cast<size_t>(m_loop)];
  };
  if (program != m_program) {
    m_program = program;
    m_step = 0;
    std::ranges::fill(m_runs.last, -1);
    std::ranges::fill(m_blocks.last, -1);
  } else if (m_isInStep[access.number] || isOutside()) {
    ++m_step;
  } else {
    m_isInStep[access.number] = true;
    m_loop = std::max(m_loop, loop);
    return;
  }
  m_isInStep.assign(m_isInStep.size(), false);
  m_isInStep[access.number] = true;
  m_loop = loop;
}

void TouchRecorder::add(Runs &to, uint32_t access, Lattice lattice, bool mayContinue) {
  if (int64_t &last = to.last[access]; mayContinue && last >= 0) {
    TouchRun &run = to.runs[static_cast<size_t>(last)];
    const int64_t moved = lattice.address - run.address;
    if (run.numSteps == 1)
      run.stepBytes = moved;
    if (run.dims == lattice.dims && run.firstStep + run.numSteps == m_step &&
        moved == run.stepBytes * run.numSteps) {
      ++run.numSteps;
      return;
    }
    if (run.numSteps == 1)
      run.stepBytes = 0;
  }
  const size_t bytes = sizeof(TouchRun) + lattice.dims.size() * sizeof(TouchDim);
  if (m_plan.bytes.fetch_add(bytes) + bytes > m_plan.mostBytes) {
    m_isCut = true;
    return;
  }
  to.last[access] = mayContinue ? static_cast<int64_t>(to.runs.size()) : -1;
  to.runs.push_back({static_cast<uint32_t>(m_program), access, m_step, 1, lattice.address, 0,
                     std::move(lattice.dims)});
}

void TouchRecorder::note(const TracedAccess &access) {
  if (!access.hasAddresses)
    return;
  advance(access);
  if (m_isCut)
    return;
  Touched found = touched(access, m_plan.shapes[access.number], m_plan.elementBytes[access.number]);
  const bool isOne = found.lattices.size() == 1;
  if (!isOne)
    m_runs.last[access.number] = -1;
  for (Lattice &lattice : found.lattices)
    add(m_runs, access.number, std::move(lattice), isOne);
  if (found.block)
    add(m_blocks, access.number, std::move(*found.block), true);
}

} // namespace tilescope::compiler
