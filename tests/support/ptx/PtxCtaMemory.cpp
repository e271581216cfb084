// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxCta.h"

#include <algorithm>
#include <cstring>

namespace tilescope::tests {

CtaRun::Space CtaRun::spaceOf(const PtxInstruction &instruction, uint64_t address) const {
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
  if (address >> 56 == kParameterWindow >> 56)
    return Space::Parameter;
  return address >> 56 == kLocalWindow >> 56 ? Space::Local : Space::Global;
}

bool CtaRun::hasEnded(size_t block) const {
  const auto threads = static_cast<size_t>(m_kernel.threads);
  const auto first = m_threads.begin() + static_cast<std::ptrdiff_t>(block * threads);
  return std::all_of(first, first + static_cast<std::ptrdiff_t>(threads),
                     [](const PtxThread &thread) { return thread.exited; });
}

std::optional<size_t> CtaRun::sharedPlace(size_t thread, uint64_t address, size_t size,
                                          bool isCluster) {
  const uint64_t named = address >> kBlockShift, offset = address & ((1 << kBlockShift) - 1);
  if ((named != 0 && !isCluster) || named > static_cast<uint64_t>(m_kernel.blocks) ||
      offset + size > m_sharedBytes) {
    outside(thread, "shared");
    return std::nullopt;
  }
  const size_t block = named == 0 ? blockOf(thread) : named - 1;
  if (hasEnded(block)) {
    fail(thread, "the CTA whose shared memory this is has ended");
    return std::nullopt;
  }
  return block * m_sharedStride + offset;
}

uint8_t *CtaRun::resolve(size_t index, PtxThread &thread, const PtxInstruction &instruction,
                         uint64_t address, size_t size, bool isWrite, bool isAtomic) {
  if (address % size != 0) {
    fail(index, "misaligned access");
    return nullptr;
  }
  uint64_t offset = address & ~(uint64_t(0xff) << 56);
  switch (spaceOf(instruction, address)) {
  case Space::Parameter:
    if (offset >= kPassedParameters)
      return offset + size <= kPassedParameters + thread.passed.size()
                 ? thread.passed.data() + (offset - kPassedParameters)
                 : outside(index, "parameter");
    return offset + size <= m_parameters.size()
               ? const_cast<uint8_t *>(m_parameters.data()) + offset
               : outside(index, "parameter");
  case Space::Shared: {
    ++m_statistics.sharedAccesses;
    const std::optional<size_t> place =
        sharedPlace(index, offset, size, instruction.has("shared::cluster"));
    if (!place)
      return nullptr;
    SharedMemoryCheck::Access access{static_cast<int32_t>(index), isWrite, isAtomic,
                                     instruction.op == "cp"};
    if (std::string race = m_check->record(*place, size, access); !race.empty())
      fail(index, race);
    return m_shared.data() + *place;
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

void CtaRun::request(size_t index, const PtxInstruction &instruction, const char *what,
                     uint64_t address, size_t bytes) {
  if (!m_launch.countRequests)
    return;
  std::string name = what;
  const Space space = instruction.op == "cp" ? Space::Global : spaceOf(instruction, address);
  if (space == Space::Parameter || space == Space::Local)
    return;
  uint64_t place = address;
  if (space == Space::Global)
    for (size_t i = 0; i < m_launch.arguments.size(); ++i) {
      const std::span<uint8_t> buffer = m_launch.arguments[i].buffer;
      const auto begin = reinterpret_cast<uint64_t>(buffer.data());
      constexpr int kApart = 44;
      if (address >= begin && address < begin + buffer.size())
        place = ((i + 1) << kApart) + (address - begin);
    }
  if (name == "load" || name == "store")
    name = (space == Space::Global ? "global " : "shared ") + name;
  else if (name == "matrix")
    name = "matrix load";
  m_requests.add(name, &instruction, index, place, static_cast<int>(bytes));
}

uint8_t *CtaRun::outside(size_t index, const char *space) {
  fail(index, std::string("access outside ") + space + " memory");
  return nullptr;
}

uint8_t *CtaRun::global(size_t index, uint64_t address, size_t size) {
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

uint64_t CtaRun::addressOf(size_t index, PtxThread &thread, const PtxOperand &operand) {
  if (operand.reg >= 0)
    return thread.registers[operand.reg] + operand.bits;
  if (operand.name.empty())
    return operand.bits;
  for (const PtxParameter &parameter : m_kernel.parameters)
    if (parameter.name == operand.name)
      return static_cast<uint64_t>(parameter.offset) + operand.bits;
  return symbol(index, operand.name) + operand.bits;
}

void CtaRun::transfer(size_t index, PtxThread &thread, const DecodedPtx &decoded) {
  const PtxInstruction &instruction = *decoded.instruction;
  bool isLoad = decoded.action == PtxAction::Load;
  const PtxOperand &place = instruction.operands[isLoad ? 1 : 0];
  const PtxOperand &value = instruction.operands[isLoad ? 0 : 1];
  bool isVector = value.kind == Kind::Vector;
  size_t count = isVector ? value.elements.size() : 1;
  size_t bytes = decoded.type.bits / 8;
  uint64_t address = addressOf(index, thread, place);
  uint8_t *memory = resolve(index, thread, instruction, address, bytes * count, !isLoad);
  if (!memory)
    return;
  request(index, instruction, isLoad ? "load" : "store", address, bytes * count);
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

void CtaRun::atomic(size_t index, PtxThread &thread, const DecodedPtx &decoded) {
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
  if (spaceOf(instruction, address) == Space::Global)
    request(index, instruction, returns ? "global atomic" : "global reduction", address,
            unit * count);
  std::string_view op;
  for (const std::string &modifier : instruction.modifiers)
    if (!parsePtxType(modifier) && modifier != "global" && modifier != "noftz")
      for (std::string_view known : {"add", "and", "or", "xor", "min", "max", "exch", "cas", "inc"})
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

void CtaRun::asyncCopy(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  if (instruction.has("commit_group")) {
    thread.copies.emplace_back();
  } else if (instruction.has("wait_group") || instruction.has("wait_all")) {
    bool all = instruction.has("wait_all");
    size_t left = all ? 0 : static_cast<size_t>(read(index, thread, instruction.operands[0]));
    size_t closed = thread.copies.size() - (all ? 0 : 1);
    for (; closed > left && m_error.empty(); --closed) {
      for (const PtxCopy &copy : thread.copies.front())
        complete(index, thread, copy);
      thread.copies.erase(thread.copies.begin());
    }
    if (thread.copies.empty())
      thread.copies.emplace_back();
  } else {
    PtxCopy copy{&instruction, addressOf(index, thread, instruction.operands[0]),
                 addressOf(index, thread, instruction.operands[1]),
                 static_cast<size_t>(read(index, thread, instruction.operands[2]))};
    copy.given = instruction.operands.size() > 3
                     ? static_cast<size_t>(read(index, thread, instruction.operands[3]))
                     : copy.bytes;
    if (copy.given > 0)
      request(index, instruction, "async copy", copy.from, copy.bytes);
    else if (m_launch.countRequests)
      m_requests.skip(&instruction, index);
    // It may write at any time from now on.
    resolve(index, thread, instruction, copy.to, copy.bytes, true);
    thread.copies.back().push_back(copy);
  }
}

void CtaRun::complete(size_t index, PtxThread &thread, const PtxCopy &copy) {
  uint8_t *to = resolve(index, thread, *copy.instruction, copy.to, copy.bytes, true);
  const uint8_t *from = copy.given > 0 ? global(index, copy.from, copy.given) : nullptr;
  if (!to || (copy.given > 0 && !from))
    return;
  std::memset(to, 0, copy.bytes);
  if (from)
    std::memcpy(to, from, copy.given);
}

} // namespace tilescope::tests
