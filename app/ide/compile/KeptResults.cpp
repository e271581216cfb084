// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/KeptResults.h"

#include <algorithm>

namespace tilescope::app {

/// Texts are most of what a result takes.
static size_t sizeOf(const compiler::CompileResult &result) {
  size_t size = 0;
  for (const compiler::SourceFile &file : result.files)
    size += file.text.size();
  for (const compiler::Stage &stage : result.stages)
    size += stage.text.size() + stage.sourceMap.lines.size() * sizeof(compiler::LineMapping);
  for (const compiler::PassRecord &pass : result.passes)
    size += pass.ir.size() + pass.irMap.lines.size() * sizeof(compiler::LineMapping);
  return size;
}

std::list<Compiled>::iterator KeptResults::position(const QObject *file,
                                                    const std::string &kernel) {
  return std::ranges::find_if(m_kept, [&](const Compiled &each) {
    return each.file == file && each.document->kernel() == kernel;
  });
}

void KeptResults::keep(Compiled compiled) {
  if (const auto before = position(compiled.file, compiled.document->kernel());
      before != m_kept.end())
    m_kept.erase(before);
  m_kept.push_front(std::move(compiled));
  size_t total = 0, numFitting = 0;
  for (const Compiled &each : m_kept) {
    total += sizeOf(*each.result->result());
    if (numFitting > 0 && (total > kMostBytes || numFitting == kMostKept))
      break;
    ++numFitting;
  }
  m_kept.resize(numFitting);
}

const Compiled *KeptResults::find(const QObject *file, const std::string &kernel) {
  const auto found = position(file, kernel);
  if (found == m_kept.end())
    return nullptr;
  m_kept.splice(m_kept.begin(), m_kept, found);
  return &m_kept.front();
}

void KeptResults::forget(const QObject *file) {
  std::erase_if(m_kept, [file](const Compiled &each) { return each.file == file; });
}

} // namespace tilescope::app
