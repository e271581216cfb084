// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilescope::compiler {

/// What arguments held before a run, for another one.
class SavedArguments {
public:
  /// Throws std::bad_alloc.
  void save(const InterpreterArgument &argument) {
    if (argument.data)
      m_copies.push_back({argument.data, {argument.data, argument.data + argument.sizeBytes}});
  }
  void restore() const {
    for (const Copy &copy : m_copies)
      std::ranges::copy(copy.before, copy.data);
  }

private:
  struct Copy {
    std::byte *data = nullptr;
    std::vector<std::byte> before;
  };
  std::vector<Copy> m_copies;
};

} // namespace tilescope::compiler
