// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>

namespace tilescope::compiler::inference {

/// How much a search for guesses may emit. Counted in operations and not in time: equal requests
/// must lead to equal guesses. A mistake that is being typed must not be felt, so all of it takes
/// some 30 ms.
class SearchBudget {
public:
  bool isSpent() const { return m_left <= 0; }
  /// One emission that made this many operations.
  void spend(int64_t numOperations) { m_left -= kEmission + numOperations; }

private:
  /// What every emission costs beside its operations.
  static constexpr int64_t kEmission = 60;

  int64_t m_left = 16000;
};

} // namespace tilescope::compiler::inference
