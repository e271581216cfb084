// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessRecord.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::app {

/// The boxes of a bulk copy, and what its first execution by the recorded program moves.
nlohmann::json bulkJson(const compiler::RecordedBulkCopy &copy,
                        const compiler::AccessRecord &record);

} // namespace tilescope::app
