// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Keeps what a program's accesses do while they are counted.
#pragma once

#include "compiler/artifacts/AccessRecord.h"
#include "compiler/pipeline/KernelAccesses.h"

namespace tilescope::compiler {

/// Counts, and keeps executions of the one program that runs.
class AccessRecorder : public AccessTally {
public:
  /// `operations` must live as long.
  AccessRecorder(const std::vector<PlannedAccesses> &operations, const RecordRequest &request);

  void note(const TracedAccess &access) override;

  /// By operation.
  const std::vector<std::vector<RecordedExecution>> &executions() const { return m_executions; }
  const std::vector<std::vector<BulkExecution>> &bulkExecutions() const { return m_bulkExecutions; }

private:
  void noteBulkCopy(const OperationBulkCopy &copy, const TracedAccess &access);
  bool hasRoom(size_t bytes, bool isFirst) const;

  const std::vector<PlannedAccesses> &m_operations;
  std::vector<std::vector<RecordedExecution>> m_executions;
  std::vector<std::vector<BulkExecution>> m_bulkExecutions;
  /// By operation: the first iteration that is kept.
  std::vector<uint64_t> m_from;
  size_t m_bytes = 0;
};

/// A plan as plain numbers.
AccessLanes lanesOf(const access::AccessPlan &plan);
/// The record of a kernel that `recorder` observed, with the names of its arguments.
AccessRecord makeRecord(const CountedKernel &kernel, const AccessRecorder &recorder);

} // namespace tilescope::compiler
