// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Interpreter.h"
#include "compiler/native/PageMemory.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilescope::compiler {

/// What arguments held before a run, for another one.
class SavedArguments {
public:
  /// Throws std::bad_alloc.
  void save(const InterpreterArgument &argument) {
    if (!argument.data)
      return;
    Copy &copy = m_copies.emplace_back(Copy{argument.data, native::PageMemory(argument.sizeBytes)});
    std::copy_n(argument.data, argument.sizeBytes, copy.before.data());
  }
  void restore() const {
    for (const Copy &copy : m_copies)
      std::copy_n(copy.before.data(), copy.before.size(), copy.data);
  }
  /// What the arguments hold, and what they held: a second time puts both back.
  void exchange() {
    for (Copy &copy : m_copies)
      std::swap_ranges(copy.data, copy.data + copy.before.size(), copy.before.data());
  }

private:
  struct Copy {
    std::byte *data = nullptr;
    native::PageMemory before;
  };
  std::vector<Copy> m_copies;
};

} // namespace tilescope::compiler
