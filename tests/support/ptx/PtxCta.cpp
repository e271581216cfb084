// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxCta.h"

namespace tilescope::tests {

static bool startsWith(const PtxInstruction &instruction, std::string_view modifier) {
  return !instruction.modifiers.empty() && instruction.modifiers[0] == modifier;
}

static PtxAction classify(const PtxInstruction &instruction) {
  const std::string &op = instruction.op;
  if (op == "setp")
    return PtxAction::Compare;
  if (op == "ld" || op == "ldu")
    return PtxAction::Load;
  if (op == "st")
    return PtxAction::Store;
  if (op == "atom" || op == "red")
    return PtxAction::Atomic;
  if (op == "cp" && instruction.has("bulk"))
    return PtxAction::BulkCopy;
  if (op == "cp" && startsWith(instruction, "async"))
    return PtxAction::AsyncCopy;
  if (op == "mbarrier")
    return instruction.has("try_wait") || instruction.has("test_wait") ? PtxAction::BarrierWait
                                                                       : PtxAction::Barrier;
  if (op == "tensormap" && startsWith(instruction, "replace"))
    return PtxAction::MapReplace;
  if (op == "fence" && startsWith(instruction, "proxy") && instruction.modifiers.size() > 1 &&
      instruction.modifiers[1] == "async")
    return PtxAction::ProxyFence;
  if (op == "tcgen05" && instruction.modifiers.size() > 0)
    return instruction.modifiers[0].starts_with("fence") ? PtxAction::Nothing
           : instruction.has("sync")                     ? PtxAction::WarpMeeting
                                                         : PtxAction::MatrixUnit;
  if (op == "bra")
    return PtxAction::Branch;
  if (op == "call")
    return PtxAction::Call;
  if (op == "ret")
    return PtxAction::Return;
  if (op == "exit")
    return PtxAction::Exit;
  if (op == "wgmma")
    return PtxAction::GroupMeeting;
  if (op == "membar" || op == "fence" || op == "prefetch" || op == "createpolicy" ||
      op == "griddepcontrol" || op == "nanosleep" || op == "setmaxnreg")
    return PtxAction::Nothing;
  if (op == "barrier" && startsWith(instruction, "cluster"))
    return instruction.has("wait") ? PtxAction::ClusterWait : PtxAction::ClusterArrive;
  if ((op == "bar" || op == "barrier") && !startsWith(instruction, "warp"))
    return PtxAction::CtaMeeting;
  if (op == "bar" || op == "shfl" || op == "vote" || op == "redux" || op == "activemask" ||
      op == "mma" || op == "ldmatrix" || op == "elect" || op == "tensormap")
    return PtxAction::WarpMeeting;
  return PtxAction::Scalar;
}

PtxType accessType(const PtxInstruction &instruction) {
  for (auto modifier = instruction.modifiers.rbegin(); modifier != instruction.modifiers.rend();
       ++modifier)
    if (std::optional<PtxType> type = parsePtxType(*modifier))
      return *type;
  return {};
}

DecodedPtx decodePtx(const PtxInstruction &instruction) {
  return {&instruction, classify(instruction), accessType(instruction)};
}

std::string CtaRun::run(std::array<uint32_t, 3> cta) {
  m_cta = cta;
  for (PtxThread &thread : m_threads) {
    thread.registers.assign(m_kernel.numRegisters, 0);
    thread.local.assign(m_kernel.localBytes, 0);
    thread.passed.assign(m_module.passedBytes, 0);
  }
  while (m_error.empty()) {
    bool anyAlive = false;
    for (size_t i = 0; i < m_threads.size() && m_error.empty(); ++i) {
      runToMeeting(i);
      anyAlive |= !m_threads[i].exited;
    }
    if (!anyAlive && m_tensor.memory.count > 0)
      fail(0, "tensor memory is not freed");
    if (!anyAlive || !m_error.empty())
      break;
    bool progress = false;
    for (size_t warp = 0; warp * kPtxWarpSize < m_threads.size() && m_error.empty(); ++warp)
      progress |= meetWarp(warp);
    for (size_t group = 0; group * 4 * kPtxWarpSize < m_threads.size() && m_error.empty(); ++group)
      progress |= meetGroup(group);
    if (!progress && m_error.empty())
      progress = meetCta();
    if (!progress && m_error.empty())
      progress = passCluster();
    if (!progress && m_error.empty())
      progress = passBarriers();
    if (!progress && m_error.empty())
      progress = performOldestLoad();
    if (!progress && m_error.empty())
      progress = performTensorOperations();
    if (!progress && m_error.empty())
      fail(firstWaiting(), "some threads never reach this instruction");
  }
  return m_error;
}

int64_t CtaRun::sharedVariableBytes() const {
  int64_t bytes = 0;
  for (const auto &[name, variable] : m_module.variables)
    if (variable.space == "shared")
      bytes = std::max(bytes, variable.offset + variable.sizeBytes);
  return bytes;
}

size_t CtaRun::firstWaiting() const {
  for (size_t i = 0; i < m_threads.size(); ++i)
    if (m_threads[i].waiting)
      return i;
  return 0;
}

void CtaRun::fail(size_t thread, const std::string &what) {
  if (!m_error.empty())
    return;
  size_t pc = std::min(m_threads[thread].pc, m_code.size() - 1);
  m_error = "line " + std::to_string(m_code[pc].instruction->line) + ": " + what + " (`" +
            m_code[pc].instruction->op;
  for (const std::string &modifier : m_code[pc].instruction->modifiers)
    m_error += "." + modifier;
  m_error += "`, thread " + std::to_string(thread % static_cast<size_t>(m_kernel.threads)) +
             ", CTA " + std::to_string(m_cta[0] + blockOf(thread)) + ")";
}

void CtaRun::runToMeeting(size_t index) {
  PtxThread &thread = m_threads[index];
  while (!thread.exited && !thread.waiting && m_error.empty()) {
    if (thread.pc >= m_code.size()) {
      thread.exited = true;
      return;
    }
    if (++thread.steps > m_launch.maxSteps)
      return fail(index, "the thread does not come to an end");
    ++m_statistics.instructions;
    const DecodedPtx &decoded = m_code[thread.pc];
    const PtxInstruction &instruction = *decoded.instruction;
    bool enabled = instruction.guard < 0 ||
                   ((thread.registers[instruction.guard] & 1) != 0) != instruction.guardNegated;
    if (!enabled) {
      if (m_launch.countRequests)
        m_requests.skip(&instruction, index);
      ++thread.pc;
      continue;
    }
    step(index, thread, decoded);
  }
}

void CtaRun::step(size_t index, PtxThread &thread, const DecodedPtx &decoded) {
  const PtxInstruction &instruction = *decoded.instruction;
  switch (decoded.action) {
  case PtxAction::Branch:
    thread.pc = instruction.target;
    return;
  case PtxAction::Call:
    return call(index, thread, instruction);
  case PtxAction::Return:
    return leave(thread);
  case PtxAction::Exit:
    thread.exited = true;
    return;
  case PtxAction::WarpMeeting:
  case PtxAction::GroupMeeting:
  case PtxAction::CtaMeeting:
  case PtxAction::BarrierWait:
  case PtxAction::ClusterWait:
    thread.waiting = true;
    return;
  case PtxAction::ClusterArrive:
    arriveAtCluster(index, thread, instruction);
    break;
  case PtxAction::Nothing:
    break;
  case PtxAction::Load:
  case PtxAction::Store:
    transfer(index, thread, decoded);
    break;
  case PtxAction::Atomic:
    atomic(index, thread, decoded);
    break;
  case PtxAction::AsyncCopy:
    asyncCopy(index, thread, instruction);
    break;
  case PtxAction::BulkCopy:
    bulkCopy(index, thread, instruction);
    break;
  case PtxAction::MapReplace:
    replaceInMap(index, thread, instruction);
    break;
  case PtxAction::ProxyFence:
    m_check->fenceProxy(static_cast<int32_t>(index));
    break;
  case PtxAction::MatrixUnit:
    tensorThread(index, thread, instruction);
    break;
  case PtxAction::Barrier:
    barrier(index, thread, instruction);
    break;
  case PtxAction::Compare:
    compare(index, thread, instruction);
    break;
  case PtxAction::Scalar:
    scalar(index, thread, instruction);
    break;
  }
  ++thread.pc;
}

void CtaRun::scalar(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  if (instruction.op == "mov" && moveVector(index, thread, instruction))
    return;
  uint64_t inputs[6] = {};
  size_t count = 0;
  for (size_t i = 1; i < instruction.operands.size() && count < 6; ++i)
    inputs[count++] = read(index, thread, instruction.operands[i]);
  if (instruction.op == "cvta")
    inputs[0] = convertAddress(instruction, inputs[0]);
  if (instruction.op == "mapa") {
    if (inputs[1] >= static_cast<uint64_t>(m_kernel.blocks))
      return fail(index, "the cluster has no such CTA");
    return write(thread, instruction.operands[0], (inputs[1] + 1) << kBlockShift | inputs[0]);
  }
  std::optional<uint64_t> result = evaluateScalar(instruction, inputs, count);
  if (!result)
    return fail(index, "unknown instruction");
  write(thread, instruction.operands[0], *result);
}

uint64_t CtaRun::convertAddress(const PtxInstruction &instruction, uint64_t address) {
  if (instruction.has("to"))
    return instruction.has("global") ? address : address & ~(uint64_t(0xff) << 56);
  if (instruction.has("shared"))
    return address | kSharedWindow;
  if (instruction.has("param"))
    return address | kParameterWindow;
  return instruction.has("local") ? address | kLocalWindow : address;
}

bool CtaRun::moveVector(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  const PtxOperand &to = instruction.operands[0], &from = instruction.operands[1];
  int32_t bits = accessType(instruction).bits;
  if (to.kind == Kind::Vector) {
    uint64_t value = read(index, thread, from);
    int32_t part = bits / static_cast<int32_t>(to.elements.size());
    for (size_t i = 0; i < to.elements.size(); ++i)
      write(thread, to.elements[i], value >> (i * part) & ((uint64_t(1) << part) - 1));
    return true;
  }
  if (from.kind != Kind::Vector)
    return false;
  int32_t part = bits / static_cast<int32_t>(from.elements.size());
  uint64_t value = 0;
  for (size_t i = 0; i < from.elements.size(); ++i)
    value |= (read(index, thread, from.elements[i]) & ((uint64_t(1) << part) - 1)) << (i * part);
  write(thread, to, value);
  return true;
}

void CtaRun::compare(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  uint64_t left = read(index, thread, instruction.operands[1]);
  uint64_t right = read(index, thread, instruction.operands[2]);
  std::optional<bool> holds = evaluateCompare(instruction, left, right);
  if (!holds)
    return fail(index, "unknown comparison");
  // Packed operands give a predicate for each half.
  if (PtxType type = accessType(instruction); type.lanes == 2) {
    const PtxOperand &both = instruction.operands[0];
    write(thread, both.elements[0], *holds);
    write(thread, both.elements[1],
          *evaluateCompare(instruction, left >> type.bits, right >> type.bits));
    return;
  }
  if (instruction.operands.size() > 3) {
    bool other = read(index, thread, instruction.operands[3]) & 1;
    holds = instruction.has("and")  ? *holds && other
            : instruction.has("or") ? *holds || other
                                    : *holds != other;
  }
  write(thread, instruction.operands[0], *holds);
}

uint64_t CtaRun::read(size_t index, PtxThread &thread, const PtxOperand &operand) {
  switch (operand.kind) {
  case Kind::Register:
    return operand.negated ? thread.registers[operand.reg] ^ 1 : thread.registers[operand.reg];
  case Kind::Immediate:
    return operand.bits;
  case Kind::Symbol:
    return symbol(index, operand.name);
  default:
    fail(index, "operand of an unexpected form");
    return 0;
  }
}

void CtaRun::write(PtxThread &thread, const PtxOperand &operand, uint64_t value) {
  if (operand.kind == Kind::Register)
    thread.registers[operand.reg] = value;
  else if (operand.kind == Kind::Vector && operand.elements.size() == 2) {
    write(thread, operand.elements[0],
          value); // dst|predicate: the predicate is the first for setp
    write(thread, operand.elements[1], !(value & 1));
  }
}

uint64_t CtaRun::symbol(size_t index, const std::string &name) {
  const auto threads = static_cast<uint64_t>(m_kernel.threads);
  const auto blocks = static_cast<uint64_t>(m_kernel.blocks);
  const uint64_t tid = index % threads, block = blockOf(index);
  if (name == "%tid.x")
    return tid;
  if (name == "%ntid.x")
    return threads;
  if (name == "%cluster_ctarank" || name == "%cluster_ctaid.x")
    return block;
  if (name == "%cluster_nctarank" || name == "%cluster_nctaid.x")
    return blocks;
  if (name == "%laneid")
    return tid % kPtxWarpSize;
  if (name == "%warpid")
    return tid / kPtxWarpSize;
  if (name == "WARP_SZ")
    return kPtxWarpSize;
  if (name == "%tid.y" || name == "%tid.z")
    return 0;
  if (name == "%ntid.y" || name == "%ntid.z")
    return 1;
  for (int axis = 0; axis < 3; ++axis) {
    char letter = "xyz"[axis];
    if (name == std::string("%ctaid.") + letter)
      return m_cta[axis] + (axis == 0 ? block : 0);
    if (name == std::string("%nctaid.") + letter)
      return m_launch.grid[axis];
    if (name == std::string("%clusterid.") + letter)
      return m_cta[axis] / (axis == 0 ? blocks : 1);
    if (name == std::string("%nclusterid.") + letter)
      return m_launch.grid[axis] / (axis == 0 ? blocks : 1);
  }
  if (name == "%clock" || name == "%clock64" || name == "%globaltimer")
    return static_cast<uint64_t>(m_statistics.instructions);
  for (const PtxParameter &parameter : m_kernel.parameters)
    if (parameter.name == name)
      return static_cast<uint64_t>(parameter.offset);
  auto variable = m_module.variables.find(name);
  if (variable != m_module.variables.end()) {
    if (variable->second.space == "shared" || variable->second.space == "local")
      return static_cast<uint64_t>(variable->second.offset);
    return reinterpret_cast<uint64_t>(m_globals[name].data());
  }
  fail(index, "unknown symbol `" + name + "`");
  return 0;
}

} // namespace tilescope::tests
