// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/InlineAssembly.h"

#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

AssemblyOperand placeOperand(Element element, size_t pack, size_t first) {
  constexpr size_t kRegisterBytes = 4;
  AssemblyOperand operand;
  operand.element = element;
  operand.firstRegister = operand.tiedTo = first;
  size_t bytes = memorySize(element);
  operand.numRegisters =
      bytes >= kRegisterBytes ? pack : std::max<size_t>(1, pack * bytes / kRegisterBytes);
  operand.elementsPerRegister = pack / operand.numRegisters;
  return operand;
}

namespace {

/// Moves the elements of one pack between a block and registers.
class Transfer {
public:
  Transfer(const AssemblyOperand &operand)
      : m_operand(operand), m_size(storageSize(operand.element)),
        m_bytes(memorySize(operand.element)), m_read(findRead(operand.element)),
        m_write(findWrite(operand.element)) {}

  void toRegisters(const std::byte *elements, size_t count, uint64_t *registers) const {
    for (size_t r = 0; r < m_operand.numRegisters; ++r) {
      uint64_t bits = 0;
      for (size_t k = 0; k < m_operand.elementsPerRegister; ++k) {
        size_t at = r * m_operand.elementsPerRegister + k;
        uint64_t code = 0;
        if (at < count)
          m_write(reinterpret_cast<std::byte *>(&code), 0, elements + at * m_size, true, 1);
        bits |= code << (8 * m_bytes * k);
      }
      registers[m_operand.firstRegister + r] = registers[m_operand.tiedTo + r] = bits;
    }
  }

  void fromRegisters(std::byte *elements, size_t count, const uint64_t *registers) const {
    for (size_t at = 0; at < count; ++at) {
      size_t r = at / m_operand.elementsPerRegister, k = at % m_operand.elementsPerRegister;
      uint64_t code = registers[m_operand.firstRegister + r] >> (8 * m_bytes * k);
      m_read(elements + at * m_size, reinterpret_cast<const std::byte *>(&code), 0, 1);
    }
  }

  size_t size() const { return m_size; }

private:
  const AssemblyOperand &m_operand;
  size_t m_size, m_bytes;
  ReadFunction m_read;
  WriteFunction m_write;
};

} // namespace

void runInlineAssembly(const Instruction &op, Frame &frame) {
  const auto &assembly = *static_cast<const InlineAssembly *>(op.state.get());
  std::vector<Transfer> arguments(assembly.arguments.begin(), assembly.arguments.end());
  std::vector<Transfer> results(assembly.results.begin(), assembly.results.end());
  std::vector<const std::byte *> in;
  for (uint32_t id : op.in)
    in.push_back(frame.dense(id));
  std::vector<std::byte *> out;
  for (uint32_t id = op.out; id < op.out + op.numOut; ++id)
    out.push_back(frame.info(id).shape.rank == 0 ? frame.makeUniform(id).scalar.data()
                                                 : frame.makeDense(id));
  size_t count = frame.count(op.out);
  std::vector<uint64_t> registers(assembly.snippet.numRegisters);
  for (size_t first = 0; first < count; first += assembly.pack) {
    size_t taken = std::min(assembly.pack, count - first);
    for (size_t k = 0; k < arguments.size(); ++k)
      arguments[k].toRegisters(in[k] + first * arguments[k].size(), taken, registers.data());
    runPtxSnippet(assembly.snippet, registers.data());
    for (size_t k = 0; k < results.size(); ++k)
      results[k].fromRegisters(out[k] + first * results[k].size(), taken, registers.data());
  }
}

} // namespace tilescope::compiler::interpreter
