// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/inference/Importers.h"
#include "compiler/inference/SignatureInference.h"

#include <map>
#include <string>

namespace tilescope::compiler::inference {

/// The end of a search for guesses.
struct SettledGuess {
  InferredSelection inferred;
  /// It compiles, as far as the frontend can say.
  bool succeeds = false;
};

/// What searches ended with: asked again for the same, and for a function that the same kernels
/// call, they need not search again. Thread: one.
class GuessMemory {
public:
  const SettledGuess *find(const std::string &key) const {
    auto found = m_settled.find(key);
    return found == m_settled.end() ? nullptr : &found->second;
  }
  void remember(const std::string &key, SettledGuess guess) {
    if (m_settled.size() >= kMaxGuesses)
      m_settled.clear();
    m_settled.insert_or_assign(key, std::move(guess));
  }

  /// Files that call a function of the file that is compiled.
  ImporterMemory importers;

private:
  static constexpr size_t kMaxGuesses = 256;

  std::map<std::string, SettledGuess> m_settled;
};

} // namespace tilescope::compiler::inference
