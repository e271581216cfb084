// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/Operations.h"

namespace tilescope::compiler::interpreter {
namespace {

enum Operand { kPointer, kMask };

class FrameAccess : public TracedAccess {
public:
  FrameAccess(const Instruction &op, Frame &frame) : m_op(op), m_frame(frame) {
    number = static_cast<uint32_t>(op.number[0]);
    programId = frame.programId();
    hasAddresses = op.number[1] != 0;
  }

  std::vector<int64_t> numbers() const override {
    std::vector<int64_t> numbers;
    if (hasAddresses)
      return numbers;
    for (const uint32_t id : m_op.in)
      numbers.push_back(id == kNoValue ? 1 : numberAt(id));
    return numbers;
  }

  uint64_t count() const override { return m_frame.count(m_op.in[kPointer]); }
  bool isWhole() const override {
    if (m_op.in[kMask] == kNoValue)
      return true;
    const Slot &mask = m_frame.value(m_op.in[kMask]);
    if (mask.form == Form::Uniform)
      return mask.get<uint8_t>() != 0;
    if (mask.form != Form::Box)
      return false;
    const Shape &shape = m_frame.info(m_op.in[kMask]).shape;
    for (int d = 0; d < shape.rank; ++d)
      if (mask.lower()[d] > 0 || mask.upper[d] < shape.extent[d])
        return false;
    return true;
  }
  std::optional<Affine> affine() const override {
    const Slot &pointer = m_frame.value(m_op.in[kPointer]);
    if (pointer.form == Form::Uniform)
      return Affine{pointer.base(), {}};
    if (pointer.form != Form::Affine)
      return std::nullopt;
    const auto rank = static_cast<size_t>(m_frame.info(m_op.in[kPointer]).shape.rank);
    return Affine{pointer.base(), {pointer.step.data(), rank}};
  }
  std::span<const int64_t> addresses() const override {
    return {elements<int64_t>(m_op.in[kPointer]), count()};
  }
  const uint8_t *mask() const override {
    return m_op.in[kMask] == kNoValue ? nullptr : elements<uint8_t>(m_op.in[kMask]);
  }
  int argumentAt(int64_t address) const override {
    const Place place = findPlace(m_frame.execution(), address);
    return place.area ? static_cast<int>(place.area - m_frame.execution().areas.data()) : -1;
  }

private:
  /// An integer or an address.
  int64_t numberAt(uint32_t id) const {
    const Slot &value = m_frame.value(id);
    switch (storageSize(m_frame.info(id).element)) {
    case sizeof(int8_t):
      return value.get<int8_t>();
    case sizeof(int16_t):
      return value.get<int16_t>();
    case sizeof(int32_t):
      return value.get<int32_t>();
    default:
      return value.get<int64_t>();
    }
  }
  /// Scalars have no elements beside themselves.
  template <typename T> const T *elements(uint32_t id) const {
    if (m_frame.info(id).shape.rank == 0)
      return reinterpret_cast<const T *>(m_frame.value(id).scalar.data());
    return m_frame.dense<T>(id);
  }

  const Instruction &m_op;
  Frame &m_frame;
};

} // namespace

void runTrace(const Instruction &op, Frame &frame) {
  if (!frame.observer)
    return;
  FrameAccess access(op, frame);
  access.iteration = frame.nextIteration(access.number);
  frame.observer->note(access);
}

} // namespace tilescope::compiler::interpreter
