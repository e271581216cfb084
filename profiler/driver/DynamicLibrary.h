// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <vector>

namespace tilescope::profiler {

/// A shared library opened at run time. It is never closed: drivers do not support that.
class DynamicLibrary {
public:
  /// Opens the first of the names that can be opened. The error's message ends with the loader's
  /// words.
  static Result<DynamicLibrary> open(const std::vector<std::string> &names);

  /// Null when the library has no such symbol.
  void *symbol(const char *name) const;
  /// Where the library lies, links followed; empty when the loader does not say.
  std::string folder() const;

private:
  explicit DynamicLibrary(void *handle) : m_handle(handle) {}
  void *m_handle;
};

} // namespace tilescope::profiler
