// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensor memory and the matrix unit. The unit does what it was given when nothing else can go on,
// and loads reach their registers when they are waited for: who waits too little gets wrong
// numbers. Shared and tensor memory are watched for races from when an operation is issued.
#include "tests/support/ptx/PtxCta.h"

#include <cstring>

namespace tilescope::tests {

/// Engines of the warps' own transfers, and of what each warp gave the unit.
static constexpr int32_t kTransferEngines = SharedMemoryCheck::kFirstTensorEngine;
static constexpr int32_t kUnitEngines = kTransferEngines + 32;

size_t CtaRun::tensorWords(const std::vector<DecodedPtx> &code) {
  for (const DecodedPtx &decoded : code)
    if (decoded.instruction->op == "tcgen05")
      return PtxTensorMemory::kRows * PtxTensorMemory::kColumns;
  return 0;
}

void CtaRun::watchTensor(size_t thread, uint64_t address, size_t row, size_t columns, bool isWrite,
                         SharedMemoryCheck::Engine &engine) {
  if (!m_tensor.memory.holds(address, columns))
    return fail(thread, "access outside the kernel's tensor memory");
  const std::string race =
      m_check->recordAsync(m_shared.size() + PtxTensorMemory::index(address, row), columns,
                           static_cast<int32_t>(thread), isWrite, engine);
  if (!race.empty())
    fail(thread, race);
}

void CtaRun::tensorWarp(const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
  PtxTensorMemory &memory = m_tensor.memory;
  const size_t first = lanes[0];
  if (m_kernel.blocks > 1)
    return fail(first, "tensor memory is not emulated for clusters");
  if (lanes.size() != kPtxWarpSize)
    return fail(first, "the instruction needs all threads of the warp");
  const auto number = [&](size_t operand) {
    return read(first, m_threads[first], instruction.operands.at(operand));
  };
  if (instruction.has("alloc")) {
    const size_t columns = number(1);
    const uint64_t address = addressOf(first, m_threads[first], instruction.operands[0]);
    uint8_t *place = resolve(first, m_threads[first], instruction, address, 4, true);
    if (!place)
      return;
    if (!memory.mayAllocate || memory.count > 0 || columns < 32 || (columns & (columns - 1)) ||
        columns > PtxTensorMemory::kColumns)
      return fail(first, "tensor memory cannot be allocated");
    memory.words.assign(PtxTensorMemory::kRows * PtxTensorMemory::kColumns, 0xcdcdcdcd);
    memory.count = columns;
    memory.begin = PtxTensorMemory::kColumns - columns;
    const auto begin = static_cast<uint32_t>(memory.begin);
    std::memcpy(place, &begin, sizeof(begin));
  } else if (instruction.has("relinquish_alloc_permit")) {
    memory.mayAllocate = false;
  } else if (instruction.has("dealloc")) {
    for (const PtxTensorOperation &operation : m_tensor.operations)
      if (!operation.barrier)
        fail(first, "tensor memory is freed while the matrix unit uses it");
    if (number(0) != memory.begin || number(1) != memory.count)
      fail(first, "what is freed was not allocated");
    memory.count = 0;
  } else if (instruction.has("wait::ld") || instruction.has("wait::st")) {
    waitForTransfers(lanes);
  } else if (instruction.has("ld") || instruction.has("st")) {
    transferTensor(lanes, instruction);
  } else {
    fail(first, "unknown instruction");
  }
}

void CtaRun::waitForTransfers(const std::vector<size_t> &lanes) {
  const size_t warp = lanes[0] / kPtxWarpSize;
  for (const PtxTensorLoad &load : m_tensor.loads[warp])
    write(m_threads[load.thread], *load.to, load.word);
  m_tensor.loads[warp].clear();
  for (size_t lane : lanes)
    m_check->finish(m_tensor.transfers[warp], static_cast<int32_t>(lane));
}

void CtaRun::transferTensor(const std::vector<size_t> &lanes, const PtxInstruction &instruction) {
  const bool isLoad = instruction.has("ld"), isSplit = instruction.has("16x32bx2");
  if (!isSplit && !instruction.has("32x32b"))
    return fail(lanes[0], "unknown shape of a transfer");
  const std::vector<PtxOperand> &operands = instruction.operands;
  const PtxOperand &values = isLoad ? operands[0] : operands.back();
  const PtxOperand &place = operands[isLoad ? 1 : 0];
  const size_t warp = lanes[0] / kPtxWarpSize, count = values.elements.size();
  SharedMemoryCheck::Engine &engine = m_tensor.transfers[warp];
  engine.number = kTransferEngines + static_cast<int32_t>(warp);
  for (size_t i = 0; i < lanes.size() && m_error.empty(); ++i) {
    PtxThread &thread = m_threads[lanes[i]];
    uint64_t address = addressOf(lanes[i], thread, place);
    if (address != addressOf(lanes[0], m_threads[lanes[0]], place) ||
        (address >> 16) / kPtxWarpSize != warp % 4)
      return fail(lanes[i], "a warp reaches its own quarter of the rows only, at one address");
    const bool isUpper = isSplit && i >= kPtxWarpSize / 2;
    if (isUpper)
      address += read(lanes[i], thread, operands[isLoad ? 2 : 1]);
    const size_t row = isUpper ? i - kPtxWarpSize / 2 : i;
    watchTensor(lanes[i], address, row, count, !isLoad, engine);
    for (size_t column = 0; column < count && m_error.empty(); ++column) {
      uint32_t &word = m_tensor.memory.words[PtxTensorMemory::index(address, row, column)];
      const PtxOperand &value = values.elements[column];
      if (!isLoad) {
        word = static_cast<uint32_t>(read(lanes[i], thread, value));
        continue;
      }
      m_tensor.loads[warp].push_back({lanes[i], &value, word});
      write(thread, value, 0xcdcdcdcd);
    }
  }
}

void CtaRun::tensorThread(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  const std::vector<PtxOperand> &operands = instruction.operands;
  PtxTensorOperation operation;
  operation.thread = index;
  SharedMemoryCheck::Engine &engine = m_tensor.issued[index / kPtxWarpSize];
  engine.number = kUnitEngines + static_cast<int32_t>(index / kPtxWarpSize);
  engine.isOrdered = true;
  if (instruction.has("commit")) {
    operation.barrier = addressOf(index, thread, operands[0]) & ~(uint64_t(0xff) << 56);
    if (!barrierAt(index, thread, instruction, *operation.barrier, true))
      return;
    operation.known = m_check->nothingKnown();
    m_check->release(static_cast<int32_t>(index), operation.known);
  } else if (instruction.has("cp")) {
    if (!instruction.has("warpx4") || !instruction.has("32x128b"))
      return fail(index, "unknown shape of a copy");
    const PtxGroupFactor from{read(index, thread, operands[1]), false, 1};
    operation.copy = {from, addressOf(index, thread, operands[0])};
    recordCopy(operation, engine);
  } else if (instruction.has("mma")) {
    const bool isScaled = instruction.has("block_scale");
    const auto description = static_cast<uint32_t>(read(index, thread, operands.at(3)));
    operation.product = tensorProduct(instruction, description);
    if (!operation.product)
      return fail(index, "unknown matrix instruction");
    PtxTensorProduct &product = *operation.product;
    product.to = addressOf(index, thread, operands[0]);
    const auto factor = [&](size_t operand, bool isAcross) {
      return PtxGroupFactor{read(index, thread, operands[operand]), isAcross,
                            std::max<size_t>(1, product.left.bits / 8)};
    };
    if (operands[1].kind == Kind::Address)
      product.left.address = addressOf(index, thread, operands[1]);
    else
      product.left.shared = factor(1, (description >> 15 & 1) != 0);
    product.right.shared = factor(2, (description >> 16 & 1) != 0);
    if (isScaled) {
      product.left.scales = addressOf(index, thread, operands.at(4));
      product.right.scales = addressOf(index, thread, operands.at(5));
    }
    product.addsUp = (read(index, thread, operands.at(isScaled ? 6 : 4)) & 1) != 0;
    recordProduct(operation, engine);
  } else {
    return fail(index, "unknown instruction");
  }
  operation.engine = engine;
  m_tensor.operations.push_back(std::move(operation));
}

/// Where an element of a factor in shared memory is, in bits.
static uint64_t bitOf(const PtxTensorFactor &factor, size_t outer, size_t k) {
  if (factor.bits >= 8)
    return factor.shared->addressOf(outer, k) * 8;
  // Pairs of 4 bits, with or without a gap after every 16.
  const size_t byte = factor.dense ? k / 16 * 16 + k % 16 / 2 : k / 2;
  return factor.shared->addressOf(outer, byte) * 8 + k % 2 * 4;
}

void CtaRun::recordCopy(const PtxTensorOperation &operation, SharedMemoryCheck::Engine &engine) {
  constexpr size_t kRows = 32, kBytes = 16;
  const auto &[from, to] = *operation.copy;
  const auto thread = static_cast<int32_t>(operation.thread);
  for (size_t row = 0; row < kRows && m_error.empty(); ++row) {
    const uint64_t address = from.addressOf(row, 0);
    if (address + kBytes > m_shared.size()) {
      outside(operation.thread, "shared");
      return;
    }
    if (std::string race = m_check->recordAsync(address, kBytes, thread, false, engine);
        !race.empty())
      return fail(operation.thread, race);
    for (size_t quarter = 0; quarter < 4; ++quarter)
      watchTensor(operation.thread, to, quarter * kRows + row, kBytes / 4, true, engine);
  }
}

void CtaRun::recordProduct(const PtxTensorOperation &operation, SharedMemoryCheck::Engine &engine) {
  const PtxTensorProduct &product = *operation.product;
  const auto thread = static_cast<int32_t>(operation.thread);
  const auto readFactor = [&](const PtxTensorFactor &factor, size_t outers) {
    for (size_t outer = 0; outer < outers && m_error.empty(); ++outer) {
      if (!factor.shared) {
        watchTensor(operation.thread, factor.address, product.memoryRow(outer),
                    product.depth * factor.bits / 32, false, engine);
        continue;
      }
      for (size_t k = 0; k < product.depth && m_error.empty(); ++k) {
        const uint64_t address = bitOf(factor, outer, k) / 8;
        const size_t bytes = std::max<size_t>(1, factor.bits / 8);
        if (address + bytes > m_shared.size())
          return static_cast<void>(outside(operation.thread, "shared"));
        if (std::string race = m_check->recordAsync(address, bytes, thread, false, engine);
            !race.empty())
          return fail(operation.thread, race);
      }
    }
    for (size_t row = 0; factor.scales && row < PtxTensorMemory::kRows; ++row)
      watchTensor(operation.thread, *factor.scales, row, outers / 32, false, engine);
  };
  readFactor(product.left, product.rows);
  readFactor(product.right, product.columns);
  for (size_t row = 0; row < product.rows && m_error.empty(); ++row)
    watchTensor(operation.thread, product.to, product.memoryRow(row), product.columns, true,
                engine);
}

std::vector<double> CtaRun::factorElements(const PtxTensorProduct &product,
                                           const PtxTensorFactor &factor, size_t outers) const {
  const std::vector<uint32_t> &words = m_tensor.memory.words;
  std::vector<double> elements(outers * product.depth);
  for (size_t outer = 0; outer < outers; ++outer)
    for (size_t k = 0; k < product.depth; ++k) {
      uint32_t word = 0;
      if (factor.shared) {
        const uint64_t bit = bitOf(factor, outer, k);
        std::memcpy(&word, m_shared.data() + bit / 8, std::max<size_t>(1, factor.bits / 8));
        word >>= bit % 8;
      } else {
        const size_t perWord = 32 / factor.bits;
        word = words[PtxTensorMemory::index(factor.address, product.memoryRow(outer), k / perWord)];
        word >>= k % perWord * factor.bits;
      }
      if (factor.bits < 32)
        word &= (1u << factor.bits) - 1;
      double value = tensorElement(word, factor.type);
      if (factor.scales) {
        // 32 rows to a column; four scales along K in its words.
        const uint32_t four = words[PtxTensorMemory::index(*factor.scales, outer % 32, outer / 32)];
        const size_t which = factor.firstScale + k / product.perScale;
        value *= tensorElement(four >> which * 8 & 0xff, product.scaleType);
      }
      elements[outer * product.depth + k] = value;
    }
  return elements;
}

void CtaRun::performProduct(const PtxTensorProduct &product) {
  const std::vector<double> left = factorElements(product, product.left, product.rows);
  const std::vector<double> right = factorElements(product, product.right, product.columns);
  for (size_t row = 0; row < product.rows; ++row)
    for (size_t column = 0; column < product.columns; ++column) {
      uint32_t &word =
          m_tensor.memory.words[PtxTensorMemory::index(product.to, product.memoryRow(row), column)];
      double sum = product.addsUp ? matrixElement(word, 0, product.result) : 0;
      for (size_t k = 0; k < product.depth; ++k)
        sum += left[row * product.depth + k] * right[column * product.depth + k];
      word = matrixSum(sum, product.result);
    }
}

bool CtaRun::performTensorOperations() {
  bool any = false;
  while (!m_tensor.operations.empty()) {
    const PtxTensorOperation operation = std::move(m_tensor.operations.front());
    m_tensor.operations.pop_front();
    any = true;
    if (operation.product) {
      performProduct(*operation.product);
    } else if (operation.copy) {
      const auto &[from, to] = *operation.copy;
      for (size_t row = 0; row < PtxTensorMemory::kRows; ++row)
        std::memcpy(&m_tensor.memory.words[PtxTensorMemory::index(to, row)],
                    m_shared.data() + from.addressOf(row % 32, 0), 16);
    } else {
      // Nobody waits any more where the barrier was ended.
      const auto found = m_barriers.find(*operation.barrier);
      if (found == m_barriers.end())
        continue;
      PtxBarrier &barrier = found->second;
      barrier.arrived.join(operation.known);
      m_check->finish(operation.engine, barrier.arrived);
      if (!barrier.arrive(1))
        fail(operation.thread, "more arrivals than the barrier expects");
      barrier.turn();
      break;
    }
  }
  return any;
}

} // namespace tilescope::tests
