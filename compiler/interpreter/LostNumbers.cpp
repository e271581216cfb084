// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/LostNumbers.h"

#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/kernels/Elementwise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tilescope::compiler::interpreter {

/// What the instruction does itself.
static Instruction::Run ownRun(const Instruction &op) {
  return *static_cast<const Instruction::Run *>(op.state.get());
}

namespace {
/// The elements of a value, or the one that all of them are.
template <typename T> struct Elements {
  const T *data = nullptr;
  size_t step = 1;
  T operator[](size_t index) const { return data[index * step]; }
};
} // namespace

template <typename T> static Elements<T> elementsOf(Frame &frame, uint32_t id) {
  if (frame.value(id).form == Form::Uniform)
    return {reinterpret_cast<const T *>(frame.value(id).scalar.data()), 0};
  return {frame.dense<T>(id), 1};
}

static bool fitsInt32(int64_t number) {
  return number >= std::numeric_limits<int32_t>::min() &&
         number <= std::numeric_limits<int32_t>::max();
}

static size_t numResults(Frame &frame, const Instruction &op) {
  return frame.value(op.out).form == Form::Uniform ? 1 : frame.count(op.out);
}

static void runWatchingWrap(const Instruction &op, Frame &frame) {
  const Instruction::Run run = ownRun(op);
  run(op, frame);
  const LostNumbers &lost = frame.execution().lostNumbers;
  // Where no element wraps, base and steps do.
  if (frame.value(op.out).form == Form::Affine || lost.has(op.location))
    return;
  const size_t count = numResults(frame, op);
  const Elements<int32_t> lefts = elementsOf<int32_t>(frame, op.in[0]);
  const Elements<int32_t> rights = elementsOf<int32_t>(frame, op.in[1]);
  for (size_t i = 0; i < count; ++i) {
    const int64_t left = lefts[i], right = rights[i];
    const int64_t exact = run == runMul   ? left * right
                          : run == runAdd ? left + right
                                          : left - right;
    if (!fitsInt32(exact))
      return lost.note(op.location, NumberLoss::Wrapped);
  }
}

/// Whether an operand is a finite number; integers are.
static bool isFiniteAt(Frame &frame, uint32_t id, size_t index) {
  const Element element = frame.info(id).element;
  if (!isFloat(element))
    return true;
  return element == Element::F64 ? std::isfinite(elementsOf<double>(frame, id)[index])
                                 : std::isfinite(elementsOf<float>(frame, id)[index]);
}

static void runWatchingInfinity(const Instruction &op, Frame &frame) {
  ownRun(op)(op, frame);
  const LostNumbers &lost = frame.execution().lostNumbers;
  if (lost.has(op.location))
    return;
  const size_t count = numResults(frame, op);
  const Elements<float> results = elementsOf<float>(frame, op.out);
  for (size_t i = 0; i < count; ++i)
    if (std::isinf(results[i]) &&
        std::ranges::all_of(op.in, [&](uint32_t id) { return isFiniteAt(frame, id, i); }))
      return lost.note(op.location, NumberLoss::Infinite);
}

static void runWatchingBins(const Instruction &op, Frame &frame) {
  ownRun(op)(op, frame);
  const LostNumbers &lost = frame.execution().lostNumbers;
  if (lost.has(op.location))
    return;
  const Element element = frame.info(op.in[0]).element;
  const std::byte *values = frame.dense(op.in[0]);
  const uint8_t *mask = op.in[1] == kNoValue ? nullptr : frame.dense<uint8_t>(op.in[1]);
  const size_t count = frame.count(op.in[0]);
  for (size_t i = 0; i < count; ++i) {
    const int64_t value = loadInteger(values + i * storageSize(element), element);
    if ((!mask || mask[i]) && (value < 0 || value >= frame.info(op.out).shape.count))
      return lost.note(op.location, NumberLoss::Uncounted);
  }
}

/// What makes a number of fp16 of finite ones that are too large for it: casts, sums and products. A quotient is infinite
/// for another reason.
static std::vector<ElementwiseFunction> narrowing() {
  std::vector<ElementwiseFunction> functions;
  const auto add = [&](const char *name, Element operand) {
    if (const ElementwiseFunction function = findElementwise(name, operand))
      functions.push_back(function);
  };
  for (const char *name : {"arith.mulf", "arith.addf", "arith.subf", "math.fma"})
    add(name, Element::F16);
  const std::string to = "." + std::string(elementName(Element::F16));
  for (const Element from : {Element::F32, Element::F64, Element::BF16})
    for (const char *name : {"arith.truncf", "tt.fp_to_fp"})
      add((name + to).c_str(), from);
  for (const Element from : {Element::I32, Element::I64})
    for (const char *name : {"arith.sitofp", "arith.uitofp"})
      add((name + to).c_str(), from);
  return functions;
}

static void watch(Instruction &op, Instruction::Run run) {
  op.state = std::make_shared<const Instruction::Run>(op.run);
  op.run = run;
}

void watchLostNumbers(Program &program) {
  const std::vector<ElementwiseFunction> functions = narrowing();
  for (Instruction &op : program.code) {
    const Element element = op.numOut == 1 ? program.values[op.out].element : Element::I1;
    if (element == Element::I32 && (op.run == runMul || op.run == runAdd || op.run == runSub))
      watch(op, runWatchingWrap);
    else if (element == Element::F16 && op.run == runElementwise &&
             std::ranges::find(functions, reinterpret_cast<ElementwiseFunction>(op.function)) !=
                 functions.end())
      watch(op, runWatchingInfinity);
    else if (op.run == runHistogram)
      watch(op, runWatchingBins);
  }
}

} // namespace tilescope::compiler::interpreter
