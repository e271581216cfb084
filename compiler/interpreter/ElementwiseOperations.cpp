// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Arithmetic. An operation with a rule for Affine operands computes only the new base and steps,
// provided that no element wraps; otherwise it computes every element.
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/kernels/Elementwise.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace tilescope::compiler::interpreter {

void runElementwise(const Instruction &op, Frame &frame) {
  const std::byte *in[4] = {};
  unsigned dense = 0;
  size_t numOperands = op.in.size();
  bool allUniform = true;
  for (size_t i = 0; i < numOperands; ++i)
    allUniform &= frame.value(op.in[i]).form == Form::Uniform;
  auto function = reinterpret_cast<ElementwiseFunction>(op.function);
  if (allUniform) {
    for (size_t i = 0; i < numOperands; ++i)
      in[i] = frame.value(op.in[i]).scalar.data();
    function(frame.makeUniform(op.out).scalar.data(), in, 0, 1);
    return;
  }
  for (size_t i = 0; i < numOperands; ++i) {
    Slot &operand = frame.value(op.in[i]);
    bool isUniform = operand.form == Form::Uniform;
    in[i] = isUniform ? operand.scalar.data() : frame.dense(op.in[i]);
    dense |= (isUniform ? 0u : 1u) << i;
  }
  function(frame.makeDense(op.out), in, dense, frame.count(op.out));
}

namespace {

/// base + sum of step[d] * index[d], before it is known whether any element wraps.
struct Linear {
  int64_t base = 0;
  std::array<int64_t, kMaxRank> step{};
};

std::optional<Linear> getLinear(const Slot &value, Element element) {
  if (value.form == Form::Affine)
    return Linear{value.base(), value.step};
  if (value.form == Form::Uniform)
    return Linear{loadInteger(value.scalar.data(), element), {}};
  return std::nullopt;
}

/// Smallest and largest element; nothing if they do not fit 64 bits.
std::optional<std::pair<int64_t, int64_t>> getBounds(const Linear &linear, const Shape &shape) {
  int64_t low = linear.base, high = linear.base;
  for (int d = 0; d < shape.rank; ++d) {
    int64_t reach;
    if (__builtin_mul_overflow(linear.step[d], shape.extent[d] - 1, &reach))
      return std::nullopt;
    int64_t &side = reach < 0 ? low : high;
    if (__builtin_add_overflow(side, reach, &side))
      return std::nullopt;
  }
  return std::pair(low, high);
}

bool fits(std::pair<int64_t, int64_t> bounds, Element element) {
  unsigned width = integerWidth(element);
  if (width == 64)
    return true;
  int64_t limit = int64_t(1) << (width - 1);
  return bounds.first >= -limit && bounds.second < limit;
}

/// Sets the result if none of its elements wraps.
bool setAffine(Frame &frame, uint32_t id, const Linear &linear) {
  const ValueInfo &info = frame.info(id);
  auto bounds = getBounds(linear, info.shape);
  if (!bounds || !fits(*bounds, info.element))
    return false;
  Slot &value = frame.value(id);
  value.form = Form::Affine;
  value.isMaterialized = false;
  value.setBase(linear.base);
  value.step = linear.step;
  return true;
}

/// Both operands, if at least one is Affine: only then is there something to gain.
std::optional<std::pair<Linear, Linear>> getOperands(const Instruction &op, Frame &frame) {
  const Slot &a = frame.value(op.in[0]), &b = frame.value(op.in[1]);
  if (a.form != Form::Affine && b.form != Form::Affine)
    return std::nullopt;
  auto left = getLinear(a, frame.info(op.in[0]).element),
       right = getLinear(b, frame.info(op.in[1]).element);
  if (!left || !right)
    return std::nullopt;
  return std::pair(*left, *right);
}

std::optional<Linear> add(const Linear &a, const Linear &b, int64_t scale) {
  Linear sum;
  auto combine = [scale](int64_t x, int64_t y, int64_t &out) {
    return !__builtin_mul_overflow(y, scale, &y) && !__builtin_add_overflow(x, y, &out);
  };
  bool ok = combine(a.base, b.base, sum.base);
  for (int d = 0; d < kMaxRank; ++d)
    ok &= combine(a.step[d], b.step[d], sum.step[d]);
  return ok ? std::optional(sum) : std::nullopt;
}

bool isConstant(const Linear &linear) {
  return std::all_of(linear.step.begin(), linear.step.end(),
                     [](int64_t step) { return step == 0; });
}

} // namespace

void runAdd(const Instruction &op, Frame &frame) {
  if (auto operands = getOperands(op, frame))
    if (auto sum = add(operands->first, operands->second, 1); sum && setAffine(frame, op.out, *sum))
      return;
  runElementwise(op, frame);
}

void runSub(const Instruction &op, Frame &frame) {
  if (auto operands = getOperands(op, frame))
    if (auto difference = add(operands->first, operands->second, -1);
        difference && setAffine(frame, op.out, *difference))
      return;
  runElementwise(op, frame);
}

void runMul(const Instruction &op, Frame &frame) {
  if (auto operands = getOperands(op, frame)) {
    bool rightIsConstant = isConstant(operands->second);
    if (rightIsConstant || isConstant(operands->first)) {
      const Linear &linear = rightIsConstant ? operands->first : operands->second;
      int64_t factor = (rightIsConstant ? operands->second : operands->first).base;
      if (auto product = add(Linear{}, linear, factor);
          product && setAffine(frame, op.out, *product))
        return;
    }
  }
  runElementwise(op, frame);
}

void runExtendSigned(const Instruction &op, Frame &frame) {
  const Slot &source = frame.value(op.in[0]);
  if (source.form == Form::Affine && setAffine(frame, op.out, {source.base(), source.step}))
    return;
  runElementwise(op, frame);
}

void runExtendUnsigned(const Instruction &op, Frame &frame) {
  const Slot &source = frame.value(op.in[0]);
  if (source.form == Form::Affine) {
    Linear linear{source.base(), source.step};
    auto bounds = getBounds(linear, frame.info(op.in[0]).shape);
    if (bounds && bounds->first >= 0 && setAffine(frame, op.out, linear))
      return;
  }
  runElementwise(op, frame);
}

void runTruncate(const Instruction &op, Frame &frame) { runExtendSigned(op, frame); }

// A remainder of elements that are all smaller than the divisor changes nothing.
void runRemSigned(const Instruction &op, Frame &frame) {
  const Slot &a = frame.value(op.in[0]), &b = frame.value(op.in[1]);
  if (a.form == Form::Affine && b.form == Form::Uniform) {
    int64_t divisor = loadInteger(b.scalar.data(), frame.info(op.in[1]).element);
    Linear linear{a.base(), a.step};
    auto bounds = getBounds(linear, frame.info(op.in[0]).shape);
    if (bounds && bounds->first >= 0 && bounds->second < divisor &&
        setAffine(frame, op.out, linear))
      return;
  }
  runElementwise(op, frame);
}

/// What that leaves differs from device to device.
static void reportZeroDivisor(const Instruction &op, Frame &frame) {
  const Slot &divisor = frame.value(op.in[1]);
  if (divisor.form != Form::Uniform ||
      loadInteger(divisor.scalar.data(), frame.info(op.in[1]).element) != 0)
    return;
  InterpreterFinding finding;
  finding.kind = InterpreterFindingKind::DivisionByZero;
  finding.message = "an integer is divided by 0, which leaves an undefined value";
  frame.reportOnce(op, std::move(finding));
}

void runDivide(const Instruction &op, Frame &frame) {
  reportZeroDivisor(op, frame);
  runElementwise(op, frame);
}

void runRemSignedChecked(const Instruction &op, Frame &frame) {
  reportZeroDivisor(op, frame);
  runRemSigned(op, frame);
}

void runAddPointer(const Instruction &op, Frame &frame) {
  const Slot &pointer = frame.value(op.in[0]), &offset = frame.value(op.in[1]);
  Element offsetElement = frame.info(op.in[1]).element;
  int64_t size = op.number[0];
  if (pointer.form == Form::Uniform && offset.form == Form::Uniform) {
    int64_t address = pointer.base() + loadInteger(offset.scalar.data(), offsetElement) * size;
    frame.makeUniform(op.out).setBase(address);
    return;
  }
  auto left = getLinear(pointer, Element::Pointer), right = getLinear(offset, offsetElement);
  if (left && right)
    if (auto sum = add(*left, *right, size); sum && setAffine(frame, op.out, *sum))
      return;
  const int64_t *addresses = frame.dense<int64_t>(op.in[0]);
  const std::byte *offsets = frame.dense(op.in[1]);
  int64_t *out = frame.makeDense<int64_t>(op.out);
  size_t count = frame.count(op.out);
  auto loop = [&]<typename T>(const T *o) {
    for (size_t i = 0; i < count; ++i)
      out[i] = addresses[i] + static_cast<int64_t>(o[i]) * size;
  };
  switch (storageSize(offsetElement)) {
  case 1:
    return loop(reinterpret_cast<const int8_t *>(offsets));
  case 2:
    return loop(reinterpret_cast<const int16_t *>(offsets));
  case 4:
    return loop(reinterpret_cast<const int32_t *>(offsets));
  default:
    return loop(reinterpret_cast<const int64_t *>(offsets));
  }
}

namespace {
/// Order of the predicates of arith.cmpi.
enum Predicate { Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge };

int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && ((a < 0) != (b < 0))); }

/// The indices i in [0, extent) for which base + step * i compares with zero as asked; step is not
/// zero.
std::pair<int64_t, int64_t> solve(int predicate, int64_t base, int64_t step, int64_t extent) {
  // Everything as "at most bound": x < 0 is x <= -1; x > 0 is -x <= -1.
  if (predicate == Eq) {
    bool hits = base % step == 0 && -(base / step) >= 0 && -(base / step) < extent;
    int64_t index = hits ? -(base / step) : 0;
    return {index, index + hits};
  }
  bool isLess = predicate == Slt || predicate == Sle;
  int64_t bound = predicate == Slt || predicate == Sgt ? -1 : 0;
  if (!isLess) {
    base = -base;
    step = -step;
  }
  // step * i <= bound - base
  int64_t limit = bound - base;
  if (step > 0)
    return {0, std::clamp<int64_t>(floorDiv(limit, step) + 1, 0, extent)};
  return {std::clamp<int64_t>(-floorDiv(limit, -step), 0, extent), extent};
}
} // namespace

void runCompare(const Instruction &op, Frame &frame) {
  int predicate = static_cast<int>(op.number[0]);
  auto operands = predicate != Ne ? getOperands(op, frame) : std::nullopt;
  if (!operands)
    return runElementwise(op, frame);
  const Shape &shape = frame.info(op.out).shape;
  if (predicate >= Ult) {
    auto a = getBounds(operands->first, shape), b = getBounds(operands->second, shape);
    if (!a || !b || a->first < 0 || b->first < 0)
      return runElementwise(op, frame);
    predicate -= Ult - Slt;
  }
  auto difference = add(operands->first, operands->second, -1);
  // Room for the negation in `solve`.
  auto bounds = difference ? getBounds(*difference, shape) : std::nullopt;
  constexpr int64_t kLimit = int64_t(1) << 62;
  if (!bounds || bounds->first < -kLimit || bounds->second > kLimit)
    return runElementwise(op, frame);
  int varying = -1;
  for (int d = 0; d < shape.rank; ++d) {
    if (difference->step[d] == 0 || shape.extent[d] == 1)
      continue;
    if (varying >= 0)
      return runElementwise(op, frame);
    varying = d;
  }
  int dimension = std::max(varying, 0);
  int64_t step = varying < 0 ? 1 : difference->step[varying];
  auto [low, high] =
      solve(predicate, difference->base, step, varying < 0 ? 1 : shape.extent[dimension]);
  if (low >= high || (varying < 0 ? true : low == 0 && high == shape.extent[dimension])) {
    frame.makeUniform(op.out).set<uint8_t>(low < high);
    return;
  }
  Slot &out = frame.value(op.out);
  out.form = Form::Box;
  out.isMaterialized = false;
  for (int d = 0; d < shape.rank; ++d) {
    out.lower()[d] = 0;
    out.upper[d] = shape.extent[d];
  }
  out.lower()[dimension] = low;
  out.upper[dimension] = high;
}

void runAnd(const Instruction &op, Frame &frame) {
  const Slot *a = &frame.value(op.in[0]), *b = &frame.value(op.in[1]);
  if (b->form == Form::Box && a->form == Form::Uniform)
    std::swap(a, b);
  if (a->form != Form::Box || (b->form != Form::Box && b->form != Form::Uniform))
    return runElementwise(op, frame);
  if (b->form == Form::Uniform && !b->get<uint8_t>()) {
    frame.makeUniform(op.out).set<uint8_t>(0);
    return;
  }
  int rank = frame.info(op.out).shape.rank;
  Slot result = *a;
  bool empty = false;
  if (b->form == Form::Box)
    for (int d = 0; d < rank; ++d) {
      result.lower()[d] = std::max(a->lower()[d], b->lower()[d]);
      result.upper[d] = std::min(a->upper[d], b->upper[d]);
      empty |= result.lower()[d] >= result.upper[d];
    }
  if (empty) {
    frame.makeUniform(op.out).set<uint8_t>(0);
    return;
  }
  Slot &out = frame.value(op.out);
  out.form = Form::Box;
  out.isMaterialized = false;
  out.step = result.step;
  out.upper = result.upper;
}

} // namespace tilescope::compiler::interpreter
