// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Bulk copies of boxes of tensors (`cp.async.bulk.tensor`) and the maps that describe the tensors.
// Copies are performed as late as possible: what does not wait for them sees old bytes.
#include "tests/support/ptx/PtxCta.h"

#include <cstring>

namespace tilescope::tests {

std::optional<PtxTensorMap> CtaRun::tensorMapAt(size_t index, PtxThread &thread, uint64_t address) {
  PtxTensorMap map;
  constexpr size_t kHalf = PtxTensorMap::kBytes / 2;
  const uint8_t *bytes = behind(index, thread, address, kHalf);
  if (!bytes || !behind(index, thread, address + kHalf, kHalf))
    return std::nullopt;
  std::memcpy(&map, bytes, sizeof(map));
  if (std::string problem = map.problem(); !problem.empty()) {
    fail(index, problem);
    return std::nullopt;
  }
  return map;
}

void CtaRun::bulkCopy(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  if (instruction.has("commit_group")) {
    thread.bulkGroups.emplace_back();
    return;
  }
  if (instruction.has("wait_group")) {
    const size_t left = read(index, thread, instruction.operands[0]);
    while (thread.bulkGroups.size() > left + 1 && m_error.empty()) {
      for (const PtxBulkCopy &copy : thread.bulkGroups.front()) {
        perform(copy);
        m_check->finish(copy.engine, static_cast<int32_t>(index));
      }
      thread.bulkGroups.erase(thread.bulkGroups.begin());
    }
    return;
  }
  if (!instruction.has("tensor"))
    return fail(index, "unknown bulk copy");
  const bool isLoad = instruction.has("mbarrier::complete_tx::bytes");
  const PtxOperand &place = instruction.operands[isLoad ? 1 : 0];
  const PtxOperand &buffer = instruction.operands[isLoad ? 0 : 1];
  const std::optional<PtxTensorMap> map =
      tensorMapAt(index, thread, addressOf(index, thread, place));
  if (!map)
    return;
  PtxBulkCopy copy{&instruction, index, *map, {}, addressOf(index, thread, buffer), {}, {}};
  for (const PtxOperand &coordinate : place.elements.at(0).elements)
    copy.at.push_back(static_cast<int32_t>(read(index, thread, coordinate)));
  if (copy.shared % 128 != 0)
    return fail(index, "a bulk copy needs a buffer at a multiple of 128 bytes");
  const std::optional<size_t> placeInShared = sharedPlace(index, copy.shared, copy.bytes(), isLoad);
  if (!placeInShared)
    return;
  copy.shared = *placeInShared;
  if (isLoad) {
    const uint64_t barrier = addressOf(index, thread, instruction.operands[2]);
    if (!barrierAt(index, thread, instruction, barrier, true))
      return;
    copy.barrier = sharedPlace(index, barrier, sizeof(uint64_t), true);
    copy.engine.number =
        1 + static_cast<int32_t>(*copy.barrier / 8 % (SharedMemoryCheck::kFirstTensorEngine - 1));
  }
  std::string race = m_check->recordAsync(copy.shared, copy.bytes(), static_cast<int32_t>(index),
                                          isLoad, copy.engine);
  if (!race.empty())
    return fail(index, race);
  if (isLoad)
    m_loads.push_back(std::move(copy));
  else
    thread.bulkGroups.back().push_back(std::move(copy));
}

size_t PtxBulkCopy::bytes() const {
  // One box, or four rows at places of their own.
  const bool rows = at.size() > map.rank;
  return static_cast<size_t>(map.boxBytes()) * (rows ? at.size() - 1 : 1);
}

void CtaRun::perform(const PtxBulkCopy &copy) {
  const PtxTensorMap &map = copy.map;
  std::vector<std::array<int64_t, PtxTensorMap::kMaxRank>> origins(1);
  if (copy.at.size() > map.rank) {
    origins.clear();
    for (size_t row = 1; row < copy.at.size(); ++row)
      origins.push_back({copy.at[0], copy.at[row]});
  } else {
    std::copy(copy.at.begin(), copy.at.end(), origins[0].begin());
  }
  const int64_t bytes = map.elementBytes(), elements = map.boxBytes() / bytes;
  uint64_t linear = copy.shared;
  for (const auto &origin : origins)
    for (int64_t element = 0; element < elements && m_error.empty(); ++element, linear += bytes) {
      std::array<int64_t, PtxTensorMap::kMaxRank> at = origin;
      for (int64_t dim = 0, rest = element; dim < map.rank; rest /= map.box[dim++])
        at[dim] += rest % map.box[dim];
      move(copy, map.addressOf(at), m_shared.data() + map.swizzled(linear));
    }
  if (copy.barrier) {
    PtxBarrier &barrier = m_barriers[*copy.barrier];
    barrier.bytesMissing -= static_cast<int64_t>(copy.bytes());
    m_check->finish(copy.engine, barrier.arrived);
    barrier.turn();
  }
}

void CtaRun::move(const PtxBulkCopy &copy, std::optional<uint64_t> address, uint8_t *shared) {
  const auto bytes = static_cast<size_t>(copy.map.elementBytes());
  uint8_t *memory = address ? global(copy.thread, *address, bytes) : nullptr;
  const PtxInstruction &instruction = *copy.instruction;
  if (copy.barrier) {
    if (memory)
      std::memcpy(shared, memory, bytes);
    else
      std::memset(shared, copy.map.fill ? 0xff : 0, bytes);
    return;
  }
  if (!memory)
    return;
  if (!instruction.has("reduce")) {
    std::memcpy(memory, shared, bytes);
    return;
  }
  constexpr const char *kTypes[] = {"u8",  "u16", "u32", "s32",  "u64", "s64", "f16",
                                    "f32", "f32", "f64", "bf16", "f32", "f32"};
  uint64_t old = 0, operand = 0;
  std::memcpy(&old, memory, bytes);
  std::memcpy(&operand, shared, bytes);
  for (std::string_view op : {"add", "and", "or", "xor", "min", "max", "inc", "dec"})
    if (instruction.has(op)) {
      const std::optional<uint64_t> result =
          evaluateAtomic(op, *parsePtxType(kTypes[copy.map.elementType]), old, operand, 0);
      if (!result)
        return fail(copy.thread, "unknown reduction");
      std::memcpy(memory, &*result, bytes);
    }
}

bool CtaRun::performOldestLoad() {
  if (m_loads.empty())
    return false;
  const PtxBulkCopy copy = std::move(m_loads.front());
  m_loads.pop_front();
  perform(copy);
  return true;
}

void CtaRun::replaceInMap(size_t index, PtxThread &thread, const PtxInstruction &instruction) {
  const uint64_t address = addressOf(index, thread, instruction.operands[0]);
  uint8_t *bytes = resolve(index, thread, instruction, address, PtxTensorMap::kBytes, true);
  if (!bytes)
    return;
  const bool isIndexed = instruction.operands.size() > 2;
  const uint64_t ordinal = isIndexed ? read(index, thread, instruction.operands[1]) : 0;
  const uint64_t value = read(index, thread, instruction.operands.back());
  PtxTensorMap map;
  std::memcpy(&map, bytes, sizeof(map));
  if (!map.replace(instruction.modifiers.at(2), static_cast<uint32_t>(ordinal), value))
    return fail(index, "unknown field of a tensor map");
  std::memcpy(bytes, &map, sizeof(map));
}

void CtaRun::publishMap(size_t index, const PtxInstruction &instruction) {
  PtxThread &thread = m_threads[index];
  const uint64_t to = addressOf(index, thread, instruction.operands[0]);
  const uint64_t from = addressOf(index, thread, instruction.operands[1]);
  uint8_t *destination = global(index, to, PtxTensorMap::kBytes);
  const uint8_t *source = behind(index, thread, from | kSharedWindow, PtxTensorMap::kBytes);
  if (destination && source)
    std::memcpy(destination, source, PtxTensorMap::kBytes);
}

} // namespace tilescope::tests
