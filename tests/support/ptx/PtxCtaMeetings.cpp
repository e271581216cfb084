// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxCta.h"
#include "tests/support/ptx/PtxMatrix.h"

#include <array>
#include <cstring>

namespace tilescope::tests {

bool CtaRun::meetWarp(size_t warp) {
  size_t begin = warp * kPtxWarpSize, end = std::min(begin + kPtxWarpSize, m_threads.size());
  std::vector<size_t> lanes;
  for (size_t i = begin; i < end; ++i) {
    if (m_threads[i].exited)
      continue;
    if (!m_threads[i].waiting || m_code[m_threads[i].pc].action != PtxAction::WarpMeeting ||
        (!lanes.empty() && m_threads[i].pc != m_threads[lanes[0]].pc))
      return false;
    lanes.push_back(i);
  }
  if (lanes.empty())
    return false;
  const PtxInstruction &instruction = *m_code[m_threads[lanes[0]].pc].instruction;
  if (instruction.op == "shfl")
    shuffle(begin, lanes, instruction);
  else if (instruction.op == "vote" || instruction.op == "activemask")
    vote(begin, lanes, instruction);
  else if (instruction.op == "redux")
    reduce(lanes, instruction);
  else if (instruction.op == "mma")
    multiply(lanes, instruction);
  else if (instruction.op == "ldmatrix")
    loadMatrices(lanes, instruction);
  else if (instruction.op == "elect")
    elect(lanes, instruction);
  else if (instruction.op == "tcgen05")
    tensorWarp(lanes, instruction);
  else if (instruction.op == "tensormap")
    publishMap(lanes[0], instruction);
  else
    m_check->meet(lanes);
  for (size_t i : lanes) {
    m_threads[i].waiting = false;
    ++m_threads[i].pc;
  }
  return true;
}

void CtaRun::shuffle(size_t begin, const std::vector<size_t> &lanes,
                     const PtxInstruction &instruction) {
  std::vector<uint64_t> values(kPtxWarpSize), results(kPtxWarpSize);
  std::vector<bool> inRange(kPtxWarpSize);
  for (size_t i : lanes)
    values[i - begin] = read(i, m_threads[i], instruction.operands[1]);
  for (size_t i : lanes) {
    int lane = static_cast<int>(i - begin);
    int b = static_cast<int>(read(i, m_threads[i], instruction.operands[2]) & 31);
    int c = static_cast<int>(read(i, m_threads[i], instruction.operands[3]));
    int clamp = c & 31, segment = c >> 8 & 31;
    int maxLane = (lane & segment) | (clamp & ~segment), minLane = lane & segment;
    int source = instruction.has("up")     ? lane - b
                 : instruction.has("down") ? lane + b
                 : instruction.has("bfly") ? lane ^ b
                                           : (minLane | (b & ~segment));
    bool valid = instruction.has("up") ? source >= maxLane : source <= maxLane;
    results[lane] = values[valid ? source & 31 : lane];
    inRange[lane] = valid;
  }
  for (size_t i : lanes) {
    const PtxOperand &to = instruction.operands[0];
    if (to.kind == Kind::Vector) {
      write(m_threads[i], to.elements[0], results[i - begin]);
      write(m_threads[i], to.elements[1], inRange[i - begin]);
    } else {
      write(m_threads[i], to, results[i - begin]);
    }
  }
}

void CtaRun::vote(size_t begin, const std::vector<size_t> &lanes,
                  const PtxInstruction &instruction) {
  uint64_t ballot = 0, present = 0;
  for (size_t i : lanes) {
    present |= uint64_t(1) << (i - begin);
    if (instruction.op == "vote" && (read(i, m_threads[i], instruction.operands[1]) & 1))
      ballot |= uint64_t(1) << (i - begin);
  }
  uint64_t result = instruction.op == "activemask" ? present
                    : instruction.has("ballot")    ? ballot
                    : instruction.has("any")       ? ballot != 0
                    : instruction.has("all")       ? ballot == present
                                                   : ballot == 0 || ballot == present;
  for (size_t i : lanes)
    write(m_threads[i], instruction.operands[0], result);
}

void CtaRun::elect(const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
  const PtxOperand &to = instruction.operands[0];
  for (size_t i : lanes) {
    write(m_threads[i], to.elements.at(0), lanes[0] % kPtxWarpSize);
    write(m_threads[i], to.elements.at(1), i == lanes[0]);
  }
}

void CtaRun::reduce(const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
  PtxType type = accessType(instruction);
  std::string_view op;
  for (std::string_view known : {"add", "and", "or", "xor", "min", "max"})
    if (instruction.has(known))
      op = known;
  uint64_t result = read(lanes[0], m_threads[lanes[0]], instruction.operands[1]);
  for (size_t i = 1; i < lanes.size(); ++i) {
    std::optional<uint64_t> next = evaluateAtomic(
        op, type, result, read(lanes[i], m_threads[lanes[i]], instruction.operands[1]), 0);
    if (!next)
      return fail(lanes[0], "unknown reduction");
    result = *next & 0xffffffff;
  }
  for (size_t i : lanes)
    write(m_threads[i], instruction.operands[0], result);
}

void CtaRun::multiply(const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
  if (lanes.size() != kPtxWarpSize)
    return fail(lanes[0], "a matrix instruction needs all threads of the warp");
  PtxFragments factors[3];
  for (size_t operand = 0; operand < 3; ++operand)
    for (size_t lane = 0; lane < kPtxWarpSize; ++lane)
      for (const PtxOperand &element : instruction.operands[1 + operand].elements)
        factors[operand][lane].push_back(
            static_cast<uint32_t>(read(lanes[lane], m_threads[lanes[lane]], element)));
  std::optional<PtxFragments> products =
      multiplyFragments(instruction, factors[0], factors[1], factors[2]);
  if (!products)
    return fail(lanes[0], "unknown matrix instruction");
  for (size_t lane = 0; lane < kPtxWarpSize; ++lane)
    for (size_t i = 0; i < (*products)[lane].size(); ++i)
      write(m_threads[lanes[lane]], instruction.operands[0].elements[i], (*products)[lane][i]);
}

void CtaRun::loadMatrices(const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
  constexpr size_t kSide = 8, kRowBytes = 16;
  const PtxOperand &to = instruction.operands[0];
  if (lanes.size() != kPtxWarpSize || to.kind != Kind::Vector)
    return fail(lanes[0], "a matrix load needs all threads of the warp and a list of registers");
  size_t count = to.elements.size();
  std::vector<std::array<uint32_t, kPtxWarpSize>> words(count);
  for (size_t matrix = 0; matrix < count; ++matrix) {
    uint16_t units[kSide][kSide];
    for (size_t row = 0; row < kSide; ++row) {
      size_t lane = lanes[matrix * kSide + row];
      uint64_t address = addressOf(lane, m_threads[lane], instruction.operands[1]);
      uint8_t *memory = resolve(lane, m_threads[lane], instruction, address, kRowBytes, false);
      if (!memory)
        return;
      request(lane, instruction, "matrix", address, kRowBytes);
      std::memcpy(units[row], memory, kRowBytes);
    }
    for (size_t lane = 0; lane < kPtxWarpSize; ++lane) {
      size_t outer = lane / 4, inner = lane % 4 * 2;
      uint32_t low = instruction.has("trans") ? units[inner][outer] : units[outer][inner];
      uint32_t high = instruction.has("trans") ? units[inner + 1][outer] : units[outer][inner + 1];
      words[matrix][lane] = low | high << 16;
    }
  }
  // Only now: a register may hold the address and receive a word.
  for (size_t matrix = 0; matrix < count; ++matrix)
    for (size_t lane = 0; lane < kPtxWarpSize; ++lane)
      write(m_threads[lanes[lane]], to.elements[matrix], words[matrix][lane]);
}

} // namespace tilescope::tests
