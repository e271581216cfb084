// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RecordAccesses.h"

#include "compiler/interpreter/Frame.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tilescope::compiler {

/// Of a whole record: later executions of accesses are left out beyond the first, the first ones of
/// further accesses beyond the second.
static constexpr size_t kManyBytes = size_t{2} << 20;
static constexpr size_t kMostBytes = size_t{32} << 20;

AccessRecorder::AccessRecorder(const std::vector<PlannedAccesses> &operations,
                               const RecordRequest &request)
    : AccessTally(operations), m_operations(operations), m_executions(operations.size()),
      m_bulkExecutions(operations.size()), m_from(operations.size()) {
  size_t access = request.access;
  for (size_t number = 0; number < operations.size(); ++number) {
    const size_t count = operations[number].accesses.size();
    if (access < count) {
      m_from[number] = request.iteration;
      break;
    }
    access -= count;
  }
}

bool AccessRecorder::hasRoom(size_t bytes, bool isFirst) const {
  return m_bytes + bytes <= (isFirst ? kMostBytes : kManyBytes);
}

static std::vector<uint64_t> packed(const uint8_t *mask, uint64_t count) {
  constexpr uint64_t kBits = 64;
  std::vector<uint64_t> words((count + kBits - 1) / kBits);
  for (uint64_t element = 0; element < count; ++element)
    words[element / kBits] |= uint64_t(mask[element] != 0) << (element % kBits);
  return words;
}

void AccessRecorder::noteBulkCopy(const OperationBulkCopy &copy, const TracedAccess &access) {
  const std::vector<int64_t> numbers = access.numbers();
  const size_t rank = copy.shape.block.size();
  std::vector<BulkExecution> &kept = m_bulkExecutions[access.number];
  // A predicate, an address, extents, all strides but the last, offsets.
  const size_t bytes = sizeof(BulkExecution) + 3 * rank * sizeof(int64_t);
  if (numbers.size() != 1 + 3 * rank || !hasRoom(bytes, kept.empty()))
    return;
  m_bytes += bytes;
  BulkExecution &execution = kept.emplace_back();
  execution.iteration = access.iteration;
  execution.isOn = numbers[0] != 0;
  execution.address = numbers[1];
  auto next = numbers.begin() + 2;
  const auto take = [&](size_t count, std::vector<int64_t> &into) {
    into.assign(next, next + static_cast<ptrdiff_t>(count));
    next += static_cast<ptrdiff_t>(count);
  };
  take(rank, execution.extents);
  take(rank - 1, execution.strideBytes);
  take(rank, execution.offsets);
  for (int64_t &stride : execution.strideBytes)
    stride *= copy.hasByteStrides ? 1 : copy.shape.elementBytes;
  execution.strideBytes.push_back(copy.shape.elementBytes);
}

void AccessRecorder::note(const TracedAccess &access) {
  AccessTally::note(access);
  if (const auto &copy = m_operations[access.number].bulkCopy)
    return noteBulkCopy(*copy, access);
  std::vector<RecordedExecution> &kept = m_executions[access.number];
  if (!access.hasAddresses || access.iteration < m_from[access.number])
    return;
  const std::optional<TracedAccess::Affine> affine = access.affine();
  const bool isWhole = access.isWhole();
  const uint64_t count = access.count();
  const size_t bytes = sizeof(RecordedExecution) + (affine ? 0 : count * sizeof(int64_t)) +
                       (isWhole ? 0 : count / CHAR_BIT);
  if (!hasRoom(bytes, kept.empty()))
    return;
  m_bytes += bytes;
  RecordedExecution &execution = kept.emplace_back();
  execution.iteration = access.iteration;
  if (affine) {
    execution.base = affine->base;
    execution.step.assign(affine->step.begin(), affine->step.end());
  } else {
    const std::span<const int64_t> addresses = access.addresses();
    execution.addresses.assign(addresses.begin(), addresses.end());
  }
  if (const uint8_t *mask = isWhole ? nullptr : access.mask())
    execution.mask = packed(mask, count);
}

AccessLanes lanesOf(const access::AccessPlan &plan) {
  const LinearLayout places = plan.places.canonicalOuts();
  const auto imagesOf = [&](Dim in) {
    const auto columns = places.columns(in);
    return std::vector<uint64_t>(columns.begin(), columns.end());
  };
  AccessLanes lanes;
  lanes.registers = imagesOf(Dim::Register);
  lanes.lanes = imagesOf(Dim::Lane);
  lanes.warps = imagesOf(Dim::Warp);
  static_cast<AccessCut &>(lanes) = plan;
  for (const PaddingRule &rule : plan.padding)
    lanes.padding.emplace_back(rule.interval, rule.padding);
  return lanes;
}

AccessRecord makeRecord(const CountedKernel &kernel, const AccessRecorder &recorder) {
  AccessRecord record;
  uint32_t uncounted = 0;
  for (size_t number = 0; number < kernel.operations.size(); ++number) {
    if (const auto &copy = kernel.accesses[number].bulkCopy) {
      RecordedBulkCopy recorded{copy->shape, uncounted, recorder.entries()[number].executions, {}};
      recorded.executions = recorder.bulkExecutions()[number];
      record.bulkCopies.push_back(std::move(recorded));
    }
    uncounted += !kernel.accesses[number].uncounted.empty();
    for (const OperationAccess &access : kernel.accesses[number].accesses) {
      RecordedAccess recorded{lanesOf(access.plan), {}, recorder.entries()[number].executions, {}};
      if (!isShared(access.plan.action)) {
        recorded.shape = blockShape(kernel.operations[number]);
        recorded.executions = recorder.executions()[number];
      }
      record.accesses.push_back(std::move(recorded));
    }
  }
  for (const std::string &name : kernel.argumentNames)
    record.arguments.push_back({name, interpreter::areaAddress(record.arguments.size()), {}, 0});
  return record;
}

} // namespace tilescope::compiler
