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
    : AccessTally(operations), m_executions(operations.size()), m_from(operations.size()) {
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

void AccessRecorder::note(const TracedAccess &access) {
  AccessTally::note(access);
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
  for (size_t number = 0; number < kernel.operations.size(); ++number)
    for (const OperationAccess &access : kernel.accesses[number].accesses) {
      RecordedAccess recorded{lanesOf(access.plan), {}, recorder.entries()[number].executions, {}};
      if (!isShared(access.plan.action)) {
        recorded.shape = blockShape(kernel.operations[number]);
        recorded.executions = recorder.executions()[number];
      }
      record.accesses.push_back(std::move(recorded));
    }
  for (const std::string &name : kernel.argumentNames)
    record.arguments.push_back({name, interpreter::areaAddress(record.arguments.size()), {}, 0});
  return record;
}

} // namespace tilescope::compiler
