// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/Axis.h"
#include "compiler/interpreter/Definedness.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {
namespace {

using Truths = std::vector<uint8_t>;

bool isUniform(const Slot &value, bool truth) {
  return value.form == Form::Uniform && (value.get<uint8_t>() != 0) == truth;
}

void setUniform(Frame &frame, uint32_t id, bool truth) {
  frame.makeUniform(id).set<uint8_t>(truth);
}

/// Truth values of all elements to a value.
void setTruths(Frame &frame, uint32_t id, const Truths &truths) {
  if (frame.info(id).shape.rank == 0)
    return setUniform(frame, id, truths[0]);
  std::copy(truths.begin(), truths.end(), frame.makeDense<uint8_t>(id));
}

Truths getTruths(Frame &frame, uint32_t id) {
  const uint8_t *data = frame.dense<uint8_t>(id);
  return {data, data + frame.count(id)};
}

bool contains(const Slot &outer, const Slot &inner, int rank) {
  for (int d = 0; d < rank; ++d)
    if (inner.lower()[d] < outer.lower()[d] || inner.upper[d] > outer.upper[d])
      return false;
  return true;
}

/// Where all of some values are true, as a Box; false if it takes more than one.
bool intersectBoxes(Frame &frame, const std::vector<uint32_t> &ids, uint32_t out) {
  const Slot *first = nullptr;
  Slot box;
  int rank = frame.info(out).shape.rank;
  for (uint32_t id : ids) {
    const Slot &value = frame.value(id);
    if (isUniform(value, true))
      continue;
    if (value.form != Form::Box)
      return false;
    if (!first) {
      first = &value;
      box = value;
      continue;
    }
    for (int d = 0; d < rank; ++d) {
      box.lower()[d] = std::max(box.lower()[d], value.lower()[d]);
      box.upper[d] = std::min(box.upper[d], value.upper[d]);
      if (box.lower()[d] >= box.upper[d]) {
        setUniform(frame, out, false);
        return true;
      }
    }
  }
  Slot &result = frame.value(out);
  result.form = Form::Box;
  result.isMaterialized = false;
  result.step = box.step;
  result.upper = box.upper;
  return true;
}

/// out = the conjunction of values of its shape.
void conjoin(Frame &frame, const std::vector<uint32_t> &ids, uint32_t out) {
  bool allTrue = true;
  for (uint32_t id : ids) {
    if (isUniform(frame.value(id), false))
      return setUniform(frame, out, false);
    allTrue &= isUniform(frame.value(id), true);
  }
  if (allTrue)
    return setUniform(frame, out, true);
  if (intersectBoxes(frame, ids, out))
    return;
  Truths truths(frame.count(out), 1);
  for (uint32_t id : ids) {
    // A scalar among blocks is one of these.
    if (isUniform(frame.value(id), true))
      continue;
    const uint8_t *data = frame.dense<uint8_t>(id);
    for (size_t i = 0; i < truths.size(); ++i)
      truths[i] &= data[i];
  }
  setTruths(frame, out, truths);
}

bool allDefined(const Instruction &op, Frame &frame) {
  return std::all_of(op.in.begin(), op.in.end(), [&](uint32_t id) {
    return id == kNoValue || isUniform(frame.value(id), true);
  });
}

/// The first element of `id` that is undefined although the mask is on, and that `counts`; -1 if
/// there is none.
template <typename F>
int64_t findUndefined(Frame &frame, uint32_t id, uint32_t mask, const F &counts) {
  const Slot &defined = frame.value(id);
  if (isUniform(defined, true))
    return -1;
  Frame &program = *frame.tracked();
  if (mask == kNoValue) {
    const Truths truths = getTruths(frame, id);
    for (size_t i = 0; i < truths.size(); ++i)
      if (!truths[i] && counts(static_cast<int64_t>(i)))
        return static_cast<int64_t>(i);
    return -1;
  }
  const Slot &on = program.value(mask);
  if (isUniform(on, false) || (on.form == Form::Box && defined.form == Form::Box &&
                               contains(defined, on, frame.info(id).shape.rank)))
    return -1;
  const uint8_t *truths = frame.dense<uint8_t>(id), *touched = program.dense<uint8_t>(mask);
  for (size_t i = 0; i < frame.count(id); ++i)
    if (touched[i] && !truths[i] && counts(static_cast<int64_t>(i)))
      return static_cast<int64_t>(i);
  return -1;
}
int64_t findUndefined(Frame &frame, uint32_t id, uint32_t mask) {
  return findUndefined(frame, id, mask, [](int64_t) { return true; });
}

/// Names the argument and the element that an access touches with its element `index`; returns the
/// element as messages name it.
std::string setPlace(InterpreterFinding &finding, Frame &program, uint32_t pointer, uint32_t value,
                     int64_t index) {
  Place place = findPlace(program.execution(), program.dense<int64_t>(pointer)[index]);
  if (!place.area)
    return {};
  auto size = static_cast<int64_t>(memorySize(program.info(value).element));
  finding.argument = place.area->name;
  finding.offset = place.offset / size;
  finding.extent = static_cast<int64_t>(place.area->size) / size;
  return elementName(*place.area, finding.offset, finding.extent);
}

/// What decides what the kernel does: `an address`, `a mask`, `a condition`.
void requireDeciding(const Instruction &op, Frame &frame, const char *what, uint32_t id,
                     uint32_t mask = kNoValue) {
  if (findUndefined(frame, id, mask) < 0)
    return;
  InterpreterFinding finding;
  finding.kind = InterpreterFindingKind::UndefinedAddress;
  finding.message = std::string(what) + " comes from a value that a masked-off load left undefined";
  frame.tracked()->reportOnce(op, std::move(finding));
}

void requireAddress(const Instruction &op, Frame &frame, uint32_t mask, bool isWritten = true) {
  requireDeciding(op, frame, "an address", op.in[0], mask);
  if (mask != kNoValue && isWritten)
    requireDeciding(op, frame, "a mask", mask);
}

void requireStored(const Instruction &op, Frame &frame, uint32_t value, uint32_t mask) {
  // What is stored past the end of an array is no element of it: that it is stored at all is the
  // error.
  const int64_t index = findUndefined(frame, value, mask, [&](int64_t each) {
    return touchesInside(*frame.tracked(), op.in[0], value, each);
  });
  if (index < 0)
    return;
  InterpreterFinding finding;
  finding.kind = InterpreterFindingKind::UndefinedStored;
  const std::string element = setPlace(finding, *frame.tracked(), op.in[0], value, index);
  finding.message = "`" + element + "` receives a value that a masked-off load left undefined";
  frame.tracked()->reportOnce(op, std::move(finding));
}

/// All sources of a reduction or scan at once; every result depends on each.
Truths conjoinSources(const Instruction &op, Frame &frame) {
  Truths all(frame.count(op.in[0]), 1);
  for (uint32_t id : op.in) {
    const uint8_t *data = frame.dense<uint8_t>(id);
    for (size_t i = 0; i < all.size(); ++i)
      all[i] &= data[i];
  }
  return all;
}

} // namespace

void trackNothing(const Instruction &, Frame &) {}

void trackCondition(const Instruction &op, Frame &frame) {
  for (uint32_t id : op.in)
    requireDeciding(op, frame, "a condition", id);
}

void trackDefined(const Instruction &op, Frame &frame) {
  for (uint32_t i = 0; i < op.numOut; ++i)
    setUniform(frame, op.out + i, true);
}

void trackAll(const Instruction &op, Frame &frame) {
  for (uint32_t i = 0; i < op.numOut; ++i)
    conjoin(frame, op.in, op.out + i);
}

void trackAnd(const Instruction &op, Frame &frame) {
  if (allDefined(op, frame))
    return setUniform(frame, op.out, true);
  const uint8_t *definedA = frame.dense<uint8_t>(op.in[0]),
                *definedB = frame.dense<uint8_t>(op.in[1]);
  const uint8_t *a = frame.tracked()->dense<uint8_t>(op.in[0]),
                *b = frame.tracked()->dense<uint8_t>(op.in[1]);
  Truths truths(frame.count(op.out));
  for (size_t i = 0; i < truths.size(); ++i)
    truths[i] = (definedA[i] & definedB[i]) | (definedA[i] & !a[i]) | (definedB[i] & !b[i]);
  setTruths(frame, op.out, truths);
}

void trackSelect(const Instruction &op, Frame &frame) {
  uint32_t condition = op.in[0], yes = op.in[1], no = op.in[2];
  if (allDefined(op, frame))
    return setUniform(frame, op.out, true);
  Frame &program = *frame.tracked();
  const Slot &chosen = program.value(condition);
  if (chosen.form == Form::Uniform)
    return conjoin(frame, {condition, chosen.get<uint8_t>() ? yes : no}, op.out);
  const Slot &definedYes = frame.value(yes);
  bool othersDefined = isUniform(frame.value(condition), true) && isUniform(frame.value(no), true);
  if (othersDefined && chosen.form == Form::Box && definedYes.form == Form::Box &&
      contains(definedYes, chosen, frame.info(op.out).shape.rank))
    return setUniform(frame, op.out, true);
  const uint8_t *pick = program.dense<uint8_t>(condition);
  const uint8_t *definedCondition = frame.dense<uint8_t>(condition), *a = frame.dense<uint8_t>(yes),
                *b = frame.dense<uint8_t>(no);
  Truths truths(frame.count(op.out));
  for (size_t i = 0; i < truths.size(); ++i)
    truths[i] = definedCondition[i] & (pick[i] ? a[i] : b[i]);
  setTruths(frame, op.out, truths);
}

/// What the mask of a load leaves undefined.
static void trackMask(const Instruction &op, Frame &frame) {
  uint32_t mask = op.in[2], other = op.in[3];
  if (mask == kNoValue || (other != kNoValue && isUniform(frame.value(other), true)))
    return setUniform(frame, op.out, true);
  Frame &program = *frame.tracked();
  const Slot &on = program.value(mask);
  if (on.form == Form::Uniform && other == kNoValue)
    return setUniform(frame, op.out, on.get<uint8_t>());
  if (on.form == Form::Box && other == kNoValue) {
    Slot &out = frame.value(op.out);
    out.form = Form::Box;
    out.isMaterialized = false;
    out.step = on.step;
    out.upper = on.upper;
    return;
  }
  const uint8_t *touched = program.dense<uint8_t>(mask);
  Truths truths(touched, touched + frame.count(op.out));
  if (other != kNoValue) {
    const uint8_t *defined = frame.dense<uint8_t>(other);
    for (size_t i = 0; i < truths.size(); ++i)
      truths[i] |= defined[i];
  }
  setTruths(frame, op.out, truths);
}

void trackLoad(const Instruction &op, Frame &frame) {
  requireAddress(op, frame, op.in[2]);
  const Execution &execution = frame.execution();
  // What masks leave out and what is read outside are reported each for itself.
  const bool isTaken = execution.isOutsideUndefined ||
                       (!execution.takenAsDefined.empty() && execution.takenAsDefined[op.location]);
  if (isTaken && op.in[3] == kNoValue)
    setUniform(frame, op.out, true);
  else
    trackMask(op, frame);
  if (execution.isOutsideUndefined)
    excludeOutside(op, frame);
}

void trackStore(const Instruction &op, Frame &frame) {
  requireAddress(op, frame, op.in[2]);
  requireStored(op, frame, op.in[1], op.in[2]);
}

void trackAtomic(const Instruction &op, Frame &frame) {
  auto numStored = static_cast<size_t>(op.number[3]);
  uint32_t mask = op.in.size() > numStored + 1 && numStored == 1 ? op.in[2] : kNoValue;
  // The sign of a float decides between two updates: that is no mask of the source.
  requireAddress(op, frame, mask, numStored != 1 || findUndefined(frame, op.in[1], kNoValue) < 0);
  for (size_t i = 1; i <= numStored; ++i)
    requireStored(op, frame, op.in[i], mask);
  trackDefined(op, frame);
}

void trackReduce(const Instruction &op, Frame &frame) {
  if (allDefined(op, frame))
    return trackDefined(op, frame);
  Truths all = conjoinSources(op, frame);
  Axis axis = getAxis(frame.info(op.in[0]).shape, op.number[0]);
  Truths reduced(static_cast<size_t>(axis.outer * axis.inner), 1);
  for (int64_t outer = 0; outer < axis.outer; ++outer)
    for (int64_t i = 0; i < axis.extent; ++i)
      for (int64_t inner = 0; inner < axis.inner; ++inner)
        reduced[outer * axis.inner + inner] &= all[(outer * axis.extent + i) * axis.inner + inner];
  for (uint32_t i = 0; i < op.numOut; ++i)
    setTruths(frame, op.out + i, reduced);
}

void trackScan(const Instruction &op, Frame &frame) {
  if (allDefined(op, frame))
    return trackDefined(op, frame);
  Truths all = conjoinSources(op, frame);
  Axis axis = getAxis(frame.info(op.in[0]).shape, op.number[0]);
  bool isReverse = op.number[1];
  for (int64_t outer = 0; outer < axis.outer; ++outer)
    for (int64_t step = 1; step < axis.extent; ++step) {
      int64_t i = isReverse ? axis.extent - 1 - step : step, before = isReverse ? i + 1 : i - 1;
      for (int64_t inner = 0; inner < axis.inner; ++inner)
        all[(outer * axis.extent + i) * axis.inner + inner] &=
            all[(outer * axis.extent + before) * axis.inner + inner];
    }
  for (uint32_t i = 0; i < op.numOut; ++i)
    setTruths(frame, op.out + i, all);
}

void trackGather(const Instruction &op, Frame &frame) {
  if (allDefined(op, frame))
    return trackDefined(op, frame);
  Frame &program = *frame.tracked();
  Element element = program.info(op.in[1]).element;
  const std::byte *indices = program.dense(op.in[1]);
  const uint8_t *source = frame.dense<uint8_t>(op.in[0]), *index = frame.dense<uint8_t>(op.in[1]);
  Axis from = getAxis(frame.info(op.in[0]).shape, op.number[0]),
       to = getAxis(frame.info(op.out).shape, op.number[0]);
  Truths truths(frame.count(op.out));
  for (size_t i = 0; i < truths.size(); ++i) {
    auto place = static_cast<int64_t>(i);
    int64_t outer = place / (to.inner * to.extent), inner = place % to.inner;
    int64_t at = std::clamp<int64_t>(loadInteger(indices + i * storageSize(element), element), 0,
                                     from.extent - 1);
    truths[i] = index[i] & source[(outer * from.extent + at) * from.inner + inner];
  }
  setTruths(frame, op.out, truths);
}

void trackHistogram(const Instruction &op, Frame &frame) {
  setUniform(frame, op.out, findUndefined(frame, op.in[0], op.in[1]) < 0);
}

namespace {

/// For each row (or column) of matrices [batches, rows, columns]: all of it is true.
Truths conjoinLines(Frame &frame, uint32_t id, bool rows) {
  const Shape &shape = frame.info(id).shape;
  int64_t numRows = shape.extent[shape.rank - 2], numColumns = shape.extent[shape.rank - 1];
  int64_t batches = shape.count / (numRows * numColumns), kept = rows ? numRows : numColumns;
  const uint8_t *data = frame.dense<uint8_t>(id);
  Truths lines(static_cast<size_t>(batches * kept), 1);
  for (int64_t i = 0; i < shape.count; ++i) {
    int64_t column = i % numColumns, row = i / numColumns % numRows,
            batch = i / (numColumns * numRows);
    lines[batch * kept + (rows ? row : column)] &= data[i];
  }
  return lines;
}

} // namespace

// An element of a product depends on a row of a and a column of b, and on the scales of both, which
// come in rows. Packed factors have fewer rows or columns than the product.
void trackDot(const Instruction &op, Frame &frame) {
  if (allDefined(op, frame))
    return trackDefined(op, frame);
  const Shape &shape = frame.info(op.out).shape;
  int64_t m = shape.extent[shape.rank - 2], n = shape.extent[shape.rank - 1],
          batches = shape.count / (m * n);
  Truths truths = getTruths(frame, op.in[2]);
  auto restrict = [&](uint32_t id, bool inRows, bool ofRows) {
    Truths lines = conjoinLines(frame, id, inRows);
    int64_t extent = ofRows ? m : n, numLines = static_cast<int64_t>(lines.size()) / batches;
    for (int64_t i = 0; i < shape.count; ++i) {
      int64_t at = ofRows ? i / n % m : i % n, batch = i / (m * n);
      truths[i] &= lines[batch * numLines + at * numLines / extent];
    }
  };
  restrict(op.in[0], true, true);
  restrict(op.in[1], false, false);
  if (op.in.size() > 3 && op.in[3] != kNoValue)
    restrict(op.in[3], true, true);
  if (op.in.size() > 4 && op.in[4] != kNoValue)
    restrict(op.in[4], true, false);
  setTruths(frame, op.out, truths);
}

} // namespace tilescope::compiler::interpreter
