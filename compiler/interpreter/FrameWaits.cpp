// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Programs that wait for others, and go on later.
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/Operations.h"

#include <cstring>

namespace tilescope::compiler::interpreter {

void Frame::noteLook(bool acquires) {
  hasSynchronized |= acquires;
  if (m_execution->releases)
    m_execution->releases->noteLook(programNumber(), acquires ? Look::Ordered : Look::Unordered);
}

void Frame::park(uint32_t next) {
  m_resumeAt = next;
  m_isParked = true;
  m_gaveWay = false;
  m_parkedSince = std::chrono::steady_clock::now();
  stop();
}

bool Frame::givesWay() {
  if (m_hasTurn || m_turnsLeft == 0) {
    m_hasTurn = false;
    return false;
  }
  --m_turnsLeft;
  park(m_next - 1);
  m_gaveWay = true;
  return true;
}

void Frame::unpark() {
  m_startTime += std::chrono::steady_clock::now() - m_parkedSince;
  m_next = m_resumeAt;
  m_isParked = false;
  m_hasTurn = true;
  forgetLooks();
}

void Frame::resume() {
  unpark();
  m_hasChanged = false;
  execute();
}

void Frame::forgive(uint64_t executedBefore, std::chrono::nanoseconds duration) {
  m_startOfProgram += executed - executedBefore;
  m_startTime += duration;
}

const Instruction *Frame::awaitedLock() const {
  const std::vector<Instruction> &code = m_program->code;
  for (size_t at = m_resumeAt; at < code.size(); ++at) {
    if (code[at].run == runAtomicCas && info(code[at].in[0]).shape.rank == 0)
      return &code[at];
    // The end of the loop.
    if (code[at].run == runJump && code[at].target <= m_resumeAt)
      break;
  }
  return nullptr;
}

void Frame::abandon(const std::string &reason, uint64_t numPrograms,
                    const std::set<uint32_t> &waiting) {
  m_isParked = false;
  const Instruction &loop = m_program->code[m_resumeAt];
  const Instruction *lock = awaitedLock();
  const int64_t address = lock ? scalar<int64_t>(lock->in[0]) : 0;
  const std::optional<LockHolder> holder =
      lock ? m_execution->lockHolders.at(address) : std::nullopt;
  const Place place = holder ? findPlace(*m_execution, address) : Place();
  const size_t size = lock ? memorySize(info(lock->in[2]).element) : 0;
  // What someone has set back, and others have changed again, is no lock that nobody releases.
  if (!holder || !place.area || !isInteger(info(lock->in[2]).element) ||
      std::memcmp(place.area->data + place.offset, value(lock->in[2]).scalar.data(), size) != 0)
    return stopAsEndless(loop, reason, numPrograms);
  const auto extent = static_cast<int64_t>(place.area->size / size);
  const auto element = static_cast<int64_t>(place.offset) / static_cast<int64_t>(size);
  const size_t before = findings.size();
  stopAsEndless(loop, reason, numPrograms,
                "`" + elementName(*place.area, element, extent) + "` was set by " +
                    programText(*this, holder->programId));
  if (findings.size() == before)
    return;
  RawFinding &raw = findings.back();
  raw.other = holder->location;
  const bool waits = waiting.contains(holder->program);
  raw.effect =
      waits ? "it waits, too, and nothing sets it back" : "it has ended, and nothing sets it back";
  raw.cure = waits ? "whoever takes several locks must always take them in the same order"
                   : "release the lock when the work is done: `tl.atomic_xchg(lock, 0)`";
}

} // namespace tilescope::compiler::interpreter
