// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/Snapshot.h"

#include "compiler/interpreter/Operations.h"

#include <algorithm>
#include <cstring>

namespace tilescope::compiler::stepping {

using namespace interpreter;

SavedValue::SavedValue(const Slot &slot, const ValueInfo &info, uint64_t time, KeptBytes kept)
    : writtenAt(time), m_form(slot.form), m_scalar(slot.scalar), m_kept(std::move(kept)) {
  const auto rank = static_cast<size_t>(info.shape.rank);
  if (m_form == Form::Affine || m_form == Form::Box) {
    m_numbers.assign(slot.step.begin(), slot.step.begin() + rank);
    m_numbers.insert(m_numbers.end(), slot.upper.begin(), slot.upper.begin() + rank);
  } else if (m_form == Form::Dense) {
    const size_t bytes = static_cast<size_t>(info.shape.count) * storageSize(info.element);
    m_data.assign(slot.data, slot.data + bytes);
  }
  *m_kept += sizeof(SavedValue) + m_numbers.size() * sizeof(int64_t) + m_data.size();
}

SavedValue::~SavedValue() {
  *m_kept -= sizeof(SavedValue) + m_numbers.size() * sizeof(int64_t) + m_data.size();
}

void SavedValue::restore(Slot &slot) const {
  slot.form = m_form;
  slot.isMaterialized = false;
  slot.scalar = m_scalar;
  const size_t rank = m_numbers.size() / 2;
  std::copy_n(m_numbers.begin(), rank, slot.step.begin());
  std::copy_n(m_numbers.begin() + static_cast<ptrdiff_t>(rank), rank, slot.upper.begin());
  if (!m_data.empty())
    std::memcpy(slot.data, m_data.data(), m_data.size());
}

bool SavedValue::hasContentsOf(const SavedValue &other) const {
  // Of a dense value the scalar is what an earlier one has left.
  return m_form == other.m_form && (m_form == Form::Dense || m_scalar == other.m_scalar) &&
         m_numbers == other.m_numbers && m_data == other.m_data;
}

static bool haveSameContents(const SavedValues &a, const SavedValues &b) {
  return std::ranges::equal(a, b, [](const auto &left, const auto &right) {
    return left == right || (left && right && left->hasContentsOf(*right));
  });
}

bool areEquivalent(const ProgramSnapshot &a, const ProgramSnapshot &b) {
  const bool isSameMemory =
      a.sharedMemory == b.sharedMemory ||
      (a.sharedMemory && b.sharedMemory && *a.sharedMemory == *b.sharedMemory);
  return a.state.next == b.state.next && isSameMemory && haveSameContents(a.values, b.values) &&
         haveSameContents(a.definedness, b.definedness);
}

SteppedProgram::SteppedProgram(const Execution &execution, KeptBytes kept)
    : frame(execution, *execution.program, 1), writtenAt(execution.program->values.size()),
      m_kept(std::move(kept)) {}

void SteppedProgram::reset(std::array<int32_t, 3> programId) {
  frame.begin(programId);
  frame.setState({});
  trace = {};
  std::fill(writtenAt.begin(), writtenAt.end(), 0);
  // Buffers hold what an earlier program has left there.
  std::fill_n(frame.sharedMemory(), frame.sharedBytes(), std::byte());
  m_sharedWrittenAt = m_sharedSavedAt = 0;
  m_sharedWrites.clear();
  m_last.reset();
  m_hasChanged = true;
}

void SteppedProgram::step(uint64_t time) {
  const Instruction &op = frame.program().code[frame.next()];
  frame.step();
  for (uint32_t id = op.out; id < op.out + op.numOut; ++id)
    writtenAt[id] = time;
  // They exchange their memory.
  if (op.run == runMove)
    writtenAt[op.in[0]] = time;
  if (op.run == runLocalStore)
    noteSharedWrite(op, time);
  m_hasChanged = true;
}

void SteppedProgram::noteSharedWrite(const Instruction &store, uint64_t time) {
  const ValueInfo &stored = frame.info(store.in[1]);
  const auto begin = frame.scalar<int64_t>(store.in[0]);
  int64_t end = begin + static_cast<int64_t>(storageSize(stored.element));
  for (int dim = 0; dim < stored.shape.rank; ++dim)
    end += (stored.shape.extent[dim] - 1) * store.numbers[static_cast<size_t>(dim)];
  m_sharedWrites[{begin, end}] = time;
  m_sharedWrittenAt = time;
}

uint64_t SteppedProgram::sharedWrittenAt(int64_t begin, int64_t end) const {
  uint64_t last = 0;
  for (const auto &[bytes, time] : m_sharedWrites)
    if (bytes.first < end && begin < bytes.second)
      last = std::max(last, time);
  return last;
}

SavedValues SteppedProgram::saveValues(Frame &from, const SavedValues *before) const {
  SavedValues saved(writtenAt.size());
  for (uint32_t id = 0; id < saved.size(); ++id) {
    if (writtenAt[id] == 0)
      continue;
    if (before && (*before)[id] && (*before)[id]->writtenAt == writtenAt[id])
      saved[id] = (*before)[id];
    else
      saved[id] =
          std::make_shared<const SavedValue>(from.value(id), from.info(id), writtenAt[id], m_kept);
  }
  return saved;
}

std::shared_ptr<const ProgramSnapshot> SteppedProgram::save() {
  if (!m_hasChanged && m_last)
    return m_last;
  auto saved = std::make_shared<ProgramSnapshot>();
  saved->state = frame.state();
  saved->trace = trace;
  saved->values = saveValues(frame, m_last ? &m_last->values : nullptr);
  if (Frame *twin = frame.definedness())
    saved->definedness = saveValues(*twin, m_last ? &m_last->definedness : nullptr);
  if (frame.sharedBytes() > 0) {
    if (m_last && m_last->sharedMemory && m_sharedSavedAt == m_sharedWrittenAt)
      saved->sharedMemory = m_last->sharedMemory;
    else
      saved->sharedMemory = std::make_shared<const std::vector<std::byte>>(
          frame.sharedMemory(), frame.sharedMemory() + frame.sharedBytes());
    m_sharedSavedAt = m_sharedWrittenAt;
  }
  saved->sharedWrites = m_sharedWrites;
  m_last = std::move(saved);
  m_hasChanged = false;
  return m_last;
}

void SteppedProgram::restoreValues(const SavedValues &saved, Frame &to, bool isTwin) {
  for (uint32_t id = 0; id < saved.size(); ++id) {
    const uint64_t time = saved[id] ? saved[id]->writtenAt : 0;
    // What was computed at the same time is the same.
    if (saved[id] && writtenAt[id] != time)
      saved[id]->restore(to.value(id));
    if (!isTwin)
      writtenAt[id] = time;
  }
}

void SteppedProgram::restore(const std::shared_ptr<const ProgramSnapshot> &saved) {
  frame.setState(saved->state);
  trace = saved->trace;
  if (Frame *twin = frame.definedness())
    restoreValues(saved->definedness, *twin, true);
  restoreValues(saved->values, frame, false);
  m_sharedWrites = saved->sharedWrites;
  if (saved->sharedMemory) {
    std::copy(saved->sharedMemory->begin(), saved->sharedMemory->end(), frame.sharedMemory());
    // Its contents have no time of their own: the next snapshot keeps them again.
    m_sharedSavedAt = 0;
    m_sharedWrittenAt = 1;
  }
  m_last = saved;
  m_hasChanged = false;
}

} // namespace tilescope::compiler::stepping
