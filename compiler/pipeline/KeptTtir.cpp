// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/KeptTtir.h"

#include "compiler/pipeline/CompileJob.h"

#include <algorithm>

namespace tilescope::compiler {

/// As many launches as one edit of a lesson is checked with, and one more.
static constexpr size_t kMostKept = 4;

const KeptTtir *KeptTtirs::find(const ContentKey &key) {
  const auto it = std::ranges::find(m_entries, key, &Entry::key);
  if (it == m_entries.end())
    return nullptr;
  m_entries.splice(m_entries.begin(), m_entries, it);
  return &it->ttir;
}

void KeptTtirs::keep(const ContentKey &key, KeptTtir ttir) {
  std::erase_if(m_entries, [&](const Entry &entry) { return entry.key == key; });
  m_entries.push_front({key, std::move(ttir)});
  if (m_entries.size() > kMostKept)
    m_entries.pop_back();
}

static void add(KeyBuilder &builder, const std::map<std::string, std::string> &entries) {
  builder.add(entries.size());
  for (const auto &[name, value] : entries)
    builder.add(name).add(value);
}

std::optional<ContentKey> keptTtirKey(const CompileJob &job) {
  const CompileRequest &request = job.request;
  const Selection &selection = request.selection;
  if (request.recordPassIr)
    return std::nullopt;
  KeyBuilder builder;
  builder.add(request.path).add(request.text).add(selection.kernel).add(job.result.target);
  for (const auto *entries : {&selection.signature, &selection.constexprs, &selection.options,
                              &job.result.options, &selection.sizes, &selection.openTexts})
    add(builder, *entries);
  for (const std::string &path : selection.importPaths)
    builder.add(path);
  builder.add(request.collectFacts).add(job.hooks.keepsBindings);
  return builder.key();
}

bool isOfDocument(const EmittedModule &emitted) {
  return std::ranges::all_of(
      emitted.files.begin() + !emitted.files.empty(), emitted.files.end(),
      [](const SourceFile &file) { return file.path.starts_with("<tilescope>/"); });
}

EmittedModule withoutModule(const EmittedModule &emitted) {
  return {nullptr,         emitted.diagnostics, emitted.values,     emitted.files,
          emitted.kernel,  emitted.kernels,     emitted.signature,  emitted.constexprs,
          emitted.options, emitted.assumptions, emitted.parameters, emitted.cancelled};
}

} // namespace tilescope::compiler
