// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxEmulator.h"

#include "tests/support/ptx/PtxScalar.h"
#include "tests/support/ptx/SharedMemoryCheck.h"

#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <unordered_map>

namespace tilescope::tests {
namespace {

constexpr int kWarpSize = 32;
/// Generic addresses of shared and local memory; far from what an allocator returns.
constexpr uint64_t kSharedWindow = uint64_t(0x7e) << 56;
constexpr uint64_t kLocalWindow = uint64_t(0x7d) << 56;

using Kind = PtxOperand::Kind;

enum class Action {
  Scalar,
  Compare,
  Load,
  Store,
  Atomic,
  Branch,
  Exit,
  Nothing,
  WarpMeeting,
  CtaMeeting
};

/// What the emulator needs to know of an instruction, found out once.
struct Decoded {
  const PtxInstruction *instruction;
  Action action;
  PtxType type;
};

struct Thread {
  std::vector<uint64_t> registers;
  std::vector<uint8_t> local;
  size_t pc = 0;
  int64_t steps = 0;
  bool exited = false;
  bool waiting = false;
};

bool startsWith(const PtxInstruction &instruction, std::string_view modifier) {
  return !instruction.modifiers.empty() && instruction.modifiers[0] == modifier;
}

Action classify(const PtxInstruction &instruction) {
  const std::string &op = instruction.op;
  if (op == "setp")
    return Action::Compare;
  if (op == "ld" || op == "ldu")
    return Action::Load;
  if (op == "st")
    return Action::Store;
  if (op == "atom" || op == "red")
    return Action::Atomic;
  if (op == "bra")
    return Action::Branch;
  if (op == "ret" || op == "exit")
    return Action::Exit;
  if (op == "membar" || op == "fence" || op == "prefetch" || op == "createpolicy" ||
      op == "griddepcontrol" || op == "nanosleep")
    return Action::Nothing;
  if ((op == "bar" || op == "barrier") && !startsWith(instruction, "warp"))
    return Action::CtaMeeting;
  if (op == "bar" || op == "shfl" || op == "vote" || op == "redux" || op == "activemask")
    return Action::WarpMeeting;
  return Action::Scalar;
}

PtxType accessType(const PtxInstruction &instruction) {
  for (auto modifier = instruction.modifiers.rbegin(); modifier != instruction.modifiers.rend();
       ++modifier)
    if (std::optional<PtxType> type = parsePtxType(*modifier))
      return *type;
  return {};
}

class CtaRun {
public:
  CtaRun(const PtxModule &module, const PtxKernel &kernel, const PtxLaunch &launch,
         const std::vector<Decoded> &code, const std::vector<uint8_t> &parameters,
         std::unordered_map<std::string, std::vector<uint8_t>> &globals, PtxStatistics &statistics)
      : m_module(module), m_kernel(kernel), m_launch(launch), m_code(code),
        m_parameters(parameters), m_globals(globals), m_statistics(statistics) {
    m_shared.assign(static_cast<size_t>(launch.sharedBytes) + sharedVariableBytes(), 0xcd);
    m_check.emplace(m_shared.size());
    m_threads.resize(kernel.threads);
  }

  std::string run(std::array<uint32_t, 3> cta) {
    m_cta = cta;
    for (Thread &thread : m_threads) {
      thread.registers.assign(m_kernel.numRegisters, 0);
      thread.local.assign(m_kernel.localBytes, 0);
    }
    while (m_error.empty()) {
      bool anyAlive = false;
      for (size_t i = 0; i < m_threads.size() && m_error.empty(); ++i) {
        runToMeeting(i);
        anyAlive |= !m_threads[i].exited;
      }
      if (!anyAlive || !m_error.empty())
        break;
      bool progress = false;
      for (size_t warp = 0; warp * kWarpSize < m_threads.size() && m_error.empty(); ++warp)
        progress |= meetWarp(warp);
      if (!progress && m_error.empty())
        progress = meetCta();
      if (!progress && m_error.empty())
        fail(firstWaiting(), "some threads never reach this instruction");
    }
    return m_error;
  }

private:
  int64_t sharedVariableBytes() const {
    int64_t bytes = 0;
    for (const auto &[name, variable] : m_module.variables)
      if (variable.space == "shared")
        bytes = std::max(bytes, variable.offset + variable.sizeBytes);
    return bytes;
  }

  size_t firstWaiting() const {
    for (size_t i = 0; i < m_threads.size(); ++i)
      if (m_threads[i].waiting)
        return i;
    return 0;
  }

  void fail(size_t thread, const std::string &what) {
    if (!m_error.empty())
      return;
    size_t pc = std::min(m_threads[thread].pc, m_code.size() - 1);
    m_error = "line " + std::to_string(m_code[pc].instruction->line) + ": " + what + " (`" +
              m_code[pc].instruction->op;
    for (const std::string &modifier : m_code[pc].instruction->modifiers)
      m_error += "." + modifier;
    m_error += "`, thread " + std::to_string(thread) + ", CTA " + std::to_string(m_cta[0]) + ")";
  }

  /// Runs one thread until it exits or waits for others.
  void runToMeeting(size_t index) {
    Thread &thread = m_threads[index];
    while (!thread.exited && !thread.waiting && m_error.empty()) {
      if (thread.pc >= m_code.size()) {
        thread.exited = true;
        return;
      }
      if (++thread.steps > m_launch.maxSteps)
        return fail(index, "the thread does not come to an end");
      ++m_statistics.instructions;
      const Decoded &decoded = m_code[thread.pc];
      const PtxInstruction &instruction = *decoded.instruction;
      bool enabled = instruction.guard < 0 ||
                     ((thread.registers[instruction.guard] & 1) != 0) != instruction.guardNegated;
      if (!enabled) {
        ++thread.pc;
        continue;
      }
      step(index, thread, decoded);
    }
  }

  void step(size_t index, Thread &thread, const Decoded &decoded) {
    const PtxInstruction &instruction = *decoded.instruction;
    switch (decoded.action) {
    case Action::Branch:
      thread.pc = instruction.target;
      return;
    case Action::Exit:
      thread.exited = true;
      return;
    case Action::WarpMeeting:
    case Action::CtaMeeting:
      thread.waiting = true;
      return;
    case Action::Nothing:
      break;
    case Action::Load:
    case Action::Store:
      transfer(index, thread, decoded);
      break;
    case Action::Atomic:
      atomic(index, thread, decoded);
      break;
    case Action::Compare:
      compare(index, thread, instruction);
      break;
    case Action::Scalar:
      scalar(index, thread, instruction);
      break;
    }
    ++thread.pc;
  }

  void scalar(size_t index, Thread &thread, const PtxInstruction &instruction) {
    if (instruction.op == "mov" && moveVector(index, thread, instruction))
      return;
    uint64_t inputs[6] = {};
    size_t count = 0;
    for (size_t i = 1; i < instruction.operands.size() && count < 6; ++i)
      inputs[count++] = read(index, thread, instruction.operands[i]);
    if (instruction.op == "cvta")
      inputs[0] = convertAddress(instruction, inputs[0]);
    std::optional<uint64_t> result = evaluateScalar(instruction, inputs, count);
    if (!result)
      return fail(index, "unknown instruction");
    write(thread, instruction.operands[0], *result);
  }

  static uint64_t convertAddress(const PtxInstruction &instruction, uint64_t address) {
    if (instruction.has("to"))
      return instruction.has("global") ? address : address & ~(uint64_t(0xff) << 56);
    if (instruction.has("shared"))
      return address | kSharedWindow;
    return instruction.has("local") ? address | kLocalWindow : address;
  }

  /// `mov.b32 {lo, hi}, r` and `mov.b32 r, {lo, hi}`.
  bool moveVector(size_t index, Thread &thread, const PtxInstruction &instruction) {
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

  void compare(size_t index, Thread &thread, const PtxInstruction &instruction) {
    std::optional<bool> holds =
        evaluateCompare(instruction, read(index, thread, instruction.operands[1]),
                        read(index, thread, instruction.operands[2]));
    if (!holds)
      return fail(index, "unknown comparison");
    if (instruction.operands.size() > 3) {
      bool other = read(index, thread, instruction.operands[3]) & 1;
      holds = instruction.has("and")  ? *holds && other
              : instruction.has("or") ? *holds || other
                                      : *holds != other;
    }
    write(thread, instruction.operands[0], *holds);
  }

  uint64_t read(size_t index, Thread &thread, const PtxOperand &operand) {
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

  void write(Thread &thread, const PtxOperand &operand, uint64_t value) {
    if (operand.kind == Kind::Register)
      thread.registers[operand.reg] = value;
    else if (operand.kind == Kind::Vector && operand.elements.size() == 2) {
      write(thread, operand.elements[0],
            value); // dst|predicate: the predicate is the first for setp
      write(thread, operand.elements[1], !(value & 1));
    }
  }

  uint64_t symbol(size_t index, const std::string &name) {
    uint64_t tid = index;
    if (name == "%tid.x")
      return tid;
    if (name == "%ntid.x")
      return m_threads.size();
    if (name == "%laneid")
      return tid % kWarpSize;
    if (name == "%warpid")
      return tid / kWarpSize;
    if (name == "WARP_SZ")
      return kWarpSize;
    if (name == "%tid.y" || name == "%tid.z")
      return 0;
    if (name == "%ntid.y" || name == "%ntid.z")
      return 1;
    for (int axis = 0; axis < 3; ++axis) {
      char letter = "xyz"[axis];
      if (name == std::string("%ctaid.") + letter)
        return m_cta[axis];
      if (name == std::string("%nctaid.") + letter)
        return m_launch.grid[axis];
    }
    if (name == "%clock" || name == "%clock64" || name == "%globaltimer")
      return static_cast<uint64_t>(m_statistics.instructions);
    auto variable = m_module.variables.find(name);
    if (variable != m_module.variables.end()) {
      if (variable->second.space == "shared" || variable->second.space == "local")
        return static_cast<uint64_t>(variable->second.offset);
      return reinterpret_cast<uint64_t>(m_globals[name].data());
    }
    fail(index, "unknown symbol `" + name + "`");
    return 0;
  }

  enum class Space { Parameter, Shared, Local, Global };

  Space spaceOf(const PtxInstruction &instruction, uint64_t address) const {
    for (const std::string &modifier : instruction.modifiers) {
      if (modifier == "param")
        return Space::Parameter;
      if (modifier.starts_with("shared"))
        return Space::Shared;
      if (modifier == "local")
        return Space::Local;
      if (modifier == "global" || modifier == "const")
        return Space::Global;
    }
    if (address >> 56 == kSharedWindow >> 56)
      return Space::Shared;
    return address >> 56 == kLocalWindow >> 56 ? Space::Local : Space::Global;
  }

  /// Host memory behind [address, address + size), or null after reporting the fault.
  uint8_t *resolve(size_t index, Thread &thread, const PtxInstruction &instruction,
                   uint64_t address, size_t size, bool isWrite, bool isAtomic = false) {
    if (address % size != 0) {
      fail(index, "misaligned access");
      return nullptr;
    }
    uint64_t offset = address & ~(uint64_t(0xff) << 56);
    switch (spaceOf(instruction, address)) {
    case Space::Parameter:
      return offset + size <= m_parameters.size()
                 ? const_cast<uint8_t *>(m_parameters.data()) + offset
                 : outside(index, "parameter");
    case Space::Shared: {
      ++m_statistics.sharedAccesses;
      if (offset + size > m_shared.size())
        return outside(index, "shared");
      SharedMemoryCheck::Access access{static_cast<int32_t>(index), isWrite, isAtomic};
      if (std::string race = m_check->record(offset, size, access); !race.empty())
        fail(index, race);
      return m_shared.data() + offset;
    }
    case Space::Local:
      return offset + size <= thread.local.size() ? thread.local.data() + offset
                                                  : outside(index, "local");
    case Space::Global:
      ++m_statistics.globalAccesses;
      return global(index, address, size);
    }
    return nullptr;
  }

  uint8_t *outside(size_t index, const char *space) {
    fail(index, std::string("access outside ") + space + " memory");
    return nullptr;
  }

  uint8_t *global(size_t index, uint64_t address, size_t size) {
    auto within = [&](const uint8_t *begin, size_t bytes) {
      uint64_t start = reinterpret_cast<uint64_t>(begin);
      return address >= start && address + size <= start + bytes;
    };
    for (const PtxArgument &argument : m_launch.arguments)
      if (within(argument.buffer.data(), argument.buffer.size()))
        return reinterpret_cast<uint8_t *>(address);
    for (auto &[name, bytes] : m_globals)
      if (within(bytes.data(), bytes.size()))
        return reinterpret_cast<uint8_t *>(address);
    return outside(index, "global");
  }

  uint64_t addressOf(size_t index, Thread &thread, const PtxOperand &operand) {
    if (operand.reg >= 0)
      return thread.registers[operand.reg] + operand.bits;
    if (operand.name.empty())
      return operand.bits;
    for (const PtxParameter &parameter : m_kernel.parameters)
      if (parameter.name == operand.name)
        return static_cast<uint64_t>(parameter.offset) + operand.bits;
    return symbol(index, operand.name) + operand.bits;
  }

  void transfer(size_t index, Thread &thread, const Decoded &decoded) {
    const PtxInstruction &instruction = *decoded.instruction;
    bool isLoad = decoded.action == Action::Load;
    const PtxOperand &place = instruction.operands[isLoad ? 1 : 0];
    const PtxOperand &value = instruction.operands[isLoad ? 0 : 1];
    bool isVector = value.kind == Kind::Vector;
    size_t count = isVector ? value.elements.size() : 1;
    size_t bytes = decoded.type.bits / 8;
    uint64_t address = addressOf(index, thread, place);
    uint8_t *memory = resolve(index, thread, instruction, address, bytes * count, !isLoad);
    if (!memory)
      return;
    for (size_t i = 0; i < count; ++i, memory += bytes) {
      const PtxOperand &element = isVector ? value.elements[i] : value;
      uint64_t bits = 0;
      if (isLoad) {
        std::memcpy(&bits, memory, bytes);
        if (decoded.type.isSigned() && bytes < 8)
          bits = static_cast<uint64_t>(static_cast<int64_t>(bits << (64 - bytes * 8)) >>
                                       (64 - bytes * 8));
        write(thread, element, bits);
      } else {
        bits = read(index, thread, element);
        std::memcpy(memory, &bits, bytes);
      }
    }
  }

  void atomic(size_t index, Thread &thread, const Decoded &decoded) {
    const PtxInstruction &instruction = *decoded.instruction;
    bool returns = instruction.op == "atom";
    size_t first = returns ? 1 : 0;
    size_t unit = decoded.type.bits * decoded.type.lanes / 8;
    const PtxOperand &value = instruction.operands[first + 1];
    bool isVector = value.kind == Kind::Vector;
    size_t count = isVector ? value.elements.size() : 1;
    uint64_t address = addressOf(index, thread, instruction.operands[first]);
    uint8_t *memory = resolve(index, thread, instruction, address, unit * count, true, true);
    if (!memory)
      return;
    std::string_view op;
    for (const std::string &modifier : instruction.modifiers)
      if (!parsePtxType(modifier) && modifier != "global" && modifier != "noftz")
        for (std::string_view known :
             {"add", "and", "or", "xor", "min", "max", "exch", "cas", "inc"})
          if (modifier == known)
            op = known;
    for (size_t i = 0; i < count; ++i, memory += unit) {
      uint64_t old = 0;
      std::memcpy(&old, memory, unit);
      uint64_t operand = read(index, thread, isVector ? value.elements[i] : value);
      uint64_t swap = instruction.operands.size() > first + 2 && op == "cas"
                          ? read(index, thread, instruction.operands[first + 2])
                          : 0;
      std::optional<uint64_t> updated = evaluateAtomic(op, decoded.type, old, operand, swap);
      if (!updated)
        return fail(index, "unknown atomic");
      std::memcpy(memory, &*updated, unit);
      if (returns) {
        const PtxOperand &to = instruction.operands[0];
        write(thread, isVector ? to.elements[i] : to, old);
      }
    }
  }

  /// Executes a warp-wide instruction when every thread of the warp that is still there waits at
  /// it.
  bool meetWarp(size_t warp) {
    size_t begin = warp * kWarpSize, end = std::min(begin + kWarpSize, m_threads.size());
    std::vector<size_t> lanes;
    for (size_t i = begin; i < end; ++i) {
      if (m_threads[i].exited)
        continue;
      if (!m_threads[i].waiting || m_code[m_threads[i].pc].action != Action::WarpMeeting ||
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
    else
      m_check->warpBarrier(static_cast<int32_t>(warp));
    for (size_t i : lanes) {
      m_threads[i].waiting = false;
      ++m_threads[i].pc;
    }
    return true;
  }

  void shuffle(size_t begin, const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
    std::vector<uint64_t> values(kWarpSize), results(kWarpSize);
    std::vector<bool> inRange(kWarpSize);
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

  void vote(size_t begin, const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
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

  void reduce(const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
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

  /// Lets the CTA pass its barrier when every thread that is still there waits at one.
  bool meetCta() {
    bool any = false;
    for (size_t i = 0; i < m_threads.size(); ++i) {
      if (m_threads[i].exited)
        continue;
      if (!m_threads[i].waiting || m_code[m_threads[i].pc].action != Action::CtaMeeting)
        return false;
      any = true;
    }
    if (!any)
      return false;
    ++m_statistics.barriers;
    m_check->ctaBarrier();
    for (Thread &thread : m_threads)
      if (!thread.exited) {
        thread.waiting = false;
        ++thread.pc;
      }
    return true;
  }

  const PtxModule &m_module;
  const PtxKernel &m_kernel;
  const PtxLaunch &m_launch;
  const std::vector<Decoded> &m_code;
  const std::vector<uint8_t> &m_parameters;
  std::unordered_map<std::string, std::vector<uint8_t>> &m_globals;
  PtxStatistics &m_statistics;
  std::vector<uint8_t> m_shared;
  std::optional<SharedMemoryCheck> m_check;
  std::vector<Thread> m_threads;
  std::array<uint32_t, 3> m_cta{};
  std::string m_error;
};

/// The kernel's parameter space: what `ld.param` reads.
std::vector<uint8_t> packParameters(const PtxKernel &kernel, const PtxLaunch &launch) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const PtxParameter &parameter = kernel.parameters[i];
    bytes.resize(static_cast<size_t>(parameter.offset + parameter.sizeBytes), 0);
    if (i >= launch.arguments.size())
      continue; // The trailing scratch pointers stay null.
    const PtxArgument &argument = launch.arguments[i];
    uint64_t value = argument.buffer.data() ? reinterpret_cast<uint64_t>(argument.buffer.data())
                                            : argument.scalar;
    std::memcpy(bytes.data() + parameter.offset, &value,
                static_cast<size_t>(std::min<int64_t>(parameter.sizeBytes, 8)));
  }
  return bytes;
}

} // namespace

PtxOutcome emulatePtx(const PtxModule &module, const PtxKernel &kernel, const PtxLaunch &launch) {
  PtxOutcome outcome;
  if (kernel.threads == 0 || kernel.code.empty()) {
    outcome.error = "the kernel has no `.reqntid` or no code";
    return outcome;
  }
  std::vector<Decoded> code;
  for (const PtxInstruction &instruction : kernel.code)
    code.push_back({&instruction, classify(instruction), accessType(instruction)});
  std::vector<uint8_t> parameters = packParameters(kernel, launch);
  std::unordered_map<std::string, std::vector<uint8_t>> globals;
  for (const auto &[name, variable] : module.variables)
    if (variable.space == "global" || variable.space == "const") {
      globals[name] = variable.data;
      globals[name].resize(static_cast<size_t>(variable.sizeBytes));
    }
  for (uint32_t z = 0; z < launch.grid[2]; ++z)
    for (uint32_t y = 0; y < launch.grid[1]; ++y)
      for (uint32_t x = 0; x < launch.grid[0]; ++x) {
        CtaRun run(module, kernel, launch, code, parameters, globals, outcome.statistics);
        outcome.error = run.run({x, y, z});
        if (!outcome.error.empty())
          return outcome;
      }
  return outcome;
}

} // namespace tilescope::tests
