// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/InlineAssembly.h"

#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tilescope::compiler::interpreter {

/// How a value's elements are spread over registers, from register `first` on.
static AssemblyOperand placeOperand(Element element, size_t pack, size_t first) {
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

static std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  return begin == std::string_view::npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// The constraints of operands, without those that only name what is overwritten.
static std::vector<std::string_view> splitConstraints(std::string_view text) {
  std::vector<std::string_view> operands;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (!part.empty() && !trimmed(part).starts_with("~"))
      operands.push_back(trimmed(part));
  }
  return operands;
}

InlineAssembly parseInlineAssembly(const AssemblySource &source) {
  InlineAssembly assembly;
  assembly.pack = source.pack;
  size_t numRegisters = 0;
  const auto place = [&](const std::vector<Element> &elements) {
    std::vector<AssemblyOperand> operands;
    for (Element element : elements) {
      operands.push_back(placeOperand(element, source.pack, numRegisters));
      numRegisters += operands.back().numRegisters;
    }
    return operands;
  };
  assembly.results = place(source.results);
  assembly.arguments = place(source.arguments);
  const std::vector<std::string_view> constraints = splitConstraints(source.constraints);
  if (constraints.size() != numRegisters) {
    assembly.error = "the assembly has " + std::to_string(constraints.size()) +
                     " operands, but its values take " + std::to_string(numRegisters) +
                     " registers";
    return assembly;
  }
  for (AssemblyOperand &argument : assembly.arguments) {
    const std::string_view constraint = constraints[argument.firstRegister];
    const char *end = constraint.data() + constraint.size();
    size_t output = 0;
    const auto [rest, error] = std::from_chars(constraint.data(), end, output);
    if (error == std::errc() && rest == end && output < numRegisters)
      argument.tiedTo = output;
  }
  assembly.snippet = parsePtxSnippet(source.text, numRegisters);
  if (!assembly.snippet.error.empty())
    assembly.error = "the assembly cannot be executed on the CPU: " + assembly.snippet.error;
  return assembly;
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

void runAssembly(const InlineAssembly &assembly, std::span<std::byte *const> results,
                 std::span<const std::byte *const> arguments, size_t count) {
  const std::vector<Transfer> in(assembly.arguments.begin(), assembly.arguments.end());
  const std::vector<Transfer> out(assembly.results.begin(), assembly.results.end());
  std::vector<uint64_t> registers(assembly.snippet.numRegisters);
  for (size_t first = 0; first < count; first += assembly.pack) {
    const size_t taken = std::min(assembly.pack, count - first);
    for (size_t k = 0; k < in.size(); ++k)
      in[k].toRegisters(arguments[k] + first * in[k].size(), taken, registers.data());
    runPtxSnippet(assembly.snippet, registers.data());
    for (size_t k = 0; k < out.size(); ++k)
      out[k].fromRegisters(results[k] + first * out[k].size(), taken, registers.data());
  }
}

void runInlineAssembly(const Instruction &op, Frame &frame) {
  std::vector<const std::byte *> in;
  for (uint32_t id : op.in)
    in.push_back(frame.dense(id));
  std::vector<std::byte *> out;
  for (uint32_t id = op.out; id < op.out + op.numOut; ++id)
    out.push_back(frame.info(id).shape.rank == 0 ? frame.makeUniform(id).scalar.data()
                                                 : frame.makeDense(id));
  runAssembly(*static_cast<const InlineAssembly *>(op.state.get()), out, in, frame.count(op.out));
}

} // namespace tilescope::compiler::interpreter
