// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessRecord.h"

namespace tilescope::tests {

/// Of program 1, 0, 0: the worked example of `BulkPicture.h`, a load of `a_<ptr>` that is the first
/// access that is not counted, and is off the first time.
inline compiler::AccessRecord sampleBulkRecord() {
  constexpr int64_t kBase = int64_t(1) << 43;
  compiler::BulkExecution off;
  off.isOn = false;
  off.address = kBase;
  off.extents = {5, 24};
  off.strideBytes = {48, 2};
  off.offsets = {0, 0};
  compiler::BulkExecution on = off;
  on.iteration = 1;
  on.isOn = true;
  on.offsets = {2, 16};
  compiler::AccessRecord record;
  record.program = {1, 0, 0};
  record.bulkCopies = {{{false, 2, {4, 16}, {4, 16}, 32}, 0, 2, {off, on}}};
  record.arguments = {{"a_<ptr>", kBase, {5, 24}, 2}};
  return record;
}

} // namespace tilescope::tests
