// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "app/ide/compile/CompileBackend.h"

#include <list>

namespace tilescope::app {

/// A compile that came to its end, and what it was of.
struct Compiled {
  /// The open file.
  const QObject *file = nullptr;
  CorrelationPointer result;
  DocumentPointer document;
};

/// The last good compile of each kernel of each open file: shown at once when the user comes back
/// to it. Bounded: those that were looked at longest ago go first.
class KeptResults {
public:
  static constexpr size_t kMostKept = 8;
  static constexpr size_t kMostBytes = size_t{128} << 20;

  /// Takes the place of the one before of the same kernel and file.
  void keep(Compiled compiled);
  /// Null: there is none.
  const Compiled *find(const QObject *file, const std::string &kernel);
  /// The file is closed.
  void forget(const QObject *file);
  size_t size() const { return m_kept.size(); }

private:
  std::list<Compiled>::iterator position(const QObject *file, const std::string &kernel);

  /// The one looked at last is the first.
  std::list<Compiled> m_kept;
};

} // namespace tilescope::app
