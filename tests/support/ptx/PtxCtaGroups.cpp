// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Groups of four warps and their asynchronous products. A product reads shared memory and its sums
// when it is waited for, which is as late as it may; a thread that changes either before gets wrong
// numbers. Shared memory is watched for races from when it is issued.
#include "tests/support/ptx/PtxCta.h"

#include <array>
#include <cstring>

namespace tilescope::tests {

static constexpr size_t kGroupThreads = 4 * kPtxWarpSize;
static constexpr size_t kWarpRows = kGroupRows / 4;

bool CtaRun::meetGroup(size_t group) {
  const size_t begin = group * kGroupThreads;
  const size_t end = std::min(begin + kGroupThreads, m_threads.size());
  for (size_t i = begin; i < end; ++i)
    if (m_threads[i].exited || !m_threads[i].waiting ||
        m_code[m_threads[i].pc].action != PtxAction::GroupMeeting ||
        m_threads[i].pc != m_threads[begin].pc)
      return false;
  const PtxInstruction &instruction = *m_code[m_threads[begin].pc].instruction;
  m_groups.resize(std::max(m_groups.size(), group + 1));
  PtxGroup &state = m_groups[group];
  if (instruction.has("fence"))
    state.isFenced = true;
  else if (instruction.has("commit_group"))
    state.products.emplace_back();
  else if (instruction.has("wait_group"))
    waitForProducts(begin, instruction);
  else if (end - begin < kGroupThreads)
    fail(begin, "the instruction needs four warps");
  else
    issueProduct(begin, instruction);
  for (size_t i = begin; i < end; ++i) {
    m_threads[i].waiting = false;
    ++m_threads[i].pc;
  }
  return true;
}

uint64_t CtaRun::readForGroup(size_t begin, const PtxOperand &operand) {
  const uint64_t value = read(begin, m_threads[begin], operand);
  for (size_t i = begin; i < begin + kGroupThreads; ++i)
    if (read(i, m_threads[i], operand) != value)
      fail(i, "threads of a group disagree on an operand");
  return value;
}

void CtaRun::issueProduct(size_t begin, const PtxInstruction &instruction) {
  PtxGroup &state = m_groups[begin / kGroupThreads];
  const std::optional<PtxGroupForm> form = groupForm(instruction);
  const std::vector<PtxOperand> &operands = instruction.operands;
  if (!form || operands.size() < 4)
    return fail(begin, "unknown matrix instruction");
  if (!state.isFenced)
    return fail(begin, "no `wgmma.fence` before");
  const auto isTransposed = [&](size_t index) {
    return operands.size() > index && (operands[index].bits & 1) != 0;
  };
  PtxProduct product{&instruction, *form, {}, {}, (readForGroup(begin, operands[3]) & 1) != 0,
                     {},           {}};
  const size_t bytes = static_cast<size_t>(matrixElementBits(form->left)) / 8;
  const size_t base = blockOf(begin) * m_sharedStride;
  const bool isLeftShared = operands[1].kind != Kind::Vector;
  if (isLeftShared)
    product.left = {readForGroup(begin, operands[1]), isTransposed(6), bytes, base};
  product.right = {readForGroup(begin, operands[2]), isTransposed(isLeftShared ? 7 : 6), bytes,
                   base};
  if ((product.left && product.left->isTransposed && bytes != 2) ||
      (product.right.isTransposed && bytes != 2))
    return fail(begin, "only factors of 16 bits can be transposed");
  if (!product.left)
    product.leftInRegisters = leftInRegisters(begin, product);
  recordReads(begin, product);
  state.products.back().push_back(std::move(product));
}

void CtaRun::recordReads(size_t begin, PtxProduct &product) {
  for (size_t warp = 0; warp < 4; ++warp) {
    const size_t first = begin + warp * kPtxWarpSize;
    SharedMemoryCheck::Engine &engine = product.engines[warp];
    engine.number =
        static_cast<int32_t>(SharedMemoryCheck::kFirstTensorEngine - 1 - first / kPtxWarpSize);
    const auto readElement = [&](const PtxGroupFactor &factor, size_t outer, size_t k) {
      const uint64_t offset = factor.addressOf(outer, k);
      if (offset + factor.elementBytes > factor.base + m_sharedBytes) {
        outside(first, "shared");
        return;
      }
      const std::string race = m_check->recordAsync(offset, factor.elementBytes,
                                                    static_cast<int32_t>(first), false, engine);
      if (!race.empty())
        fail(first, race);
    };
    for (size_t k = 0; k < product.form.depth; ++k) {
      for (size_t row = warp * kWarpRows; product.left && row < (warp + 1) * kWarpRows; ++row)
        readElement(*product.left, row, k);
      for (size_t column = 0; column < product.form.columns; ++column)
        readElement(product.right, column, k);
    }
  }
}

double CtaRun::sharedElement(const PtxGroupFactor &factor, size_t outer, size_t k,
                             std::string_view type) const {
  uint32_t word = 0;
  std::memcpy(&word, m_shared.data() + factor.addressOf(outer, k), factor.elementBytes);
  return matrixElement(word, 0, type);
}

std::vector<double> CtaRun::leftInRegisters(size_t begin, const PtxProduct &product) {
  const PtxGroupForm &form = product.form;
  std::vector<double> left(kGroupRows * form.depth);
  const int perWord = 32 / matrixElementBits(form.left);
  for (size_t i = 0; i < kGroupThreads; ++i)
    for (size_t word = 0; word < 4; ++word) {
      const PtxOperand &element = product.instruction->operands[1].elements[word];
      const auto bits = static_cast<uint32_t>(read(begin + i, m_threads[begin + i], element));
      const size_t lane = i % kPtxWarpSize;
      const size_t row = i / kPtxWarpSize * kWarpRows + lane / 4 + word % 2 * 8;
      for (int next = 0; next < perWord; ++next)
        left[row * form.depth + (word / 2 * 4 + lane % 4) * perWord + next] =
            matrixElement(bits, next, form.left);
    }
  return left;
}

void CtaRun::complete(size_t begin, const PtxProduct &product) {
  const PtxGroupForm &form = product.form;
  std::vector<double> left = product.leftInRegisters;
  left.resize(kGroupRows * form.depth);
  for (size_t row = 0; product.left && row < kGroupRows; ++row)
    for (size_t k = 0; k < form.depth; ++k)
      left[row * form.depth + k] = sharedElement(*product.left, row, k, form.left);
  std::vector<double> right(form.depth * form.columns);
  for (size_t k = 0; k < form.depth; ++k)
    for (size_t column = 0; column < form.columns; ++column)
      right[k * form.columns + column] = sharedElement(product.right, column, k, form.right);
  const std::vector<PtxOperand> &registers = product.instruction->operands[0].elements;
  const size_t perRegister = 32 / static_cast<size_t>(matrixElementBits(form.result));
  const size_t resultBits = 32 / perRegister;
  for (size_t i = 0; i < kGroupThreads && m_error.empty(); ++i) {
    PtxThread &thread = m_threads[begin + i];
    m_check->finish(product.engines[i / kPtxWarpSize], static_cast<int32_t>(begin + i));
    const size_t lane = i % kPtxWarpSize, firstRow = i / kPtxWarpSize * kWarpRows + lane / 4;
    for (size_t index = 0; index < registers.size(); ++index) {
      const auto before = static_cast<uint32_t>(read(begin + i, thread, registers[index]));
      uint32_t after = 0;
      for (size_t part = 0; part < perRegister; ++part) {
        const size_t element = index * perRegister + part;
        const size_t row = firstRow + element / 2 % 2 * 8;
        const size_t column = element / 4 * 8 + lane % 4 * 2 + element % 2;
        double sum =
            product.addsUp ? matrixElement(before, static_cast<int>(part), form.result) : 0;
        for (size_t k = 0; k < form.depth; ++k)
          sum += left[row * form.depth + k] * right[k * form.columns + column];
        after |= matrixSum(sum, form.result) << (part * resultBits);
      }
      write(thread, registers[index], after);
    }
  }
}

void CtaRun::waitForProducts(size_t begin, const PtxInstruction &instruction) {
  PtxGroup &state = m_groups[begin / kGroupThreads];
  const uint64_t left = readForGroup(begin, instruction.operands[0]);
  // The last group is still open.
  while (state.products.size() - 1 > left && m_error.empty()) {
    for (const PtxProduct &product : state.products.front())
      complete(begin, product);
    state.products.erase(state.products.begin());
  }
  state.isFenced = false;
}

} // namespace tilescope::tests
