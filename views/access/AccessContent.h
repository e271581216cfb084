// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"

#include <memory>

namespace tilescope::views {

/// Which program is drawn, and which of its executions.
struct AccessWish {
  std::array<int32_t, 3> program{};
  compiler::RecordRequest record;
  bool operator==(const AccessWish &) const = default;
};

using MemoryFactsPointer = std::shared_ptr<const compiler::MemoryFacts>;

/// What one program of a launch does with memory.
struct AccessContent {
  /// What was asked for.
  AccessWish wish;
  /// Counts of this program alone; never null.
  MemoryFactsPointer facts;
  compiler::AccessRecord record;
};
using AccessContentPointer = std::shared_ptr<const AccessContent>;

} // namespace tilescope::views
