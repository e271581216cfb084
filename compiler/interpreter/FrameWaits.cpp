// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// Programs that wait for others, and go on later.
#include "compiler/interpreter/Frame.h"

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

void Frame::abandon(const std::string &reason, uint64_t numPrograms) {
  m_isParked = false;
  stopAsEndless(m_program->code[m_resumeAt], reason, numPrograms);
}

} // namespace tilescope::compiler::interpreter
