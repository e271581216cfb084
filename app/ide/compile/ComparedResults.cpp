// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ComparedResults.h"

#include "app/ide/compile/Targets.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Configuration;
using compiler::StageId;
using views::ComparisonOffer;

/// Keys are a kind and which one: `launch:1`, `config:BLOCK=64 num_warps=8`, `target:cuda:80`.
static constexpr std::string_view kLaunch = "launch:", kConfiguration = "config:",
                                  kTarget = "target:";

ComparedResults::ComparedResults(SideCompiles *side, CompileController *compile, QObject *parent)
    : QObject(parent), m_side(side), m_compile(compile) {
  connect(m_compile, &CompileController::subjectChanged, this, [this] {
    m_made.clear();
    Q_EMIT changed();
  });
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &, bool done) {
            if (done)
              update(false);
          });
}

/// Of the same kernel; a document with one kernel need not name it.
static bool isOfKernel(const profiler::LaunchBlock &block, const KernelDocument &document) {
  return block.kernel == document.kernel() ||
         (block.kernel.empty() && document.source->kernels.size() <= 1);
}

static QString launchTitle(const profiler::LaunchBlock &block, size_t index) {
  return block.name.empty()
             ? ComparedResults::tr("launch %1").arg(index + 1)
             : ComparedResults::tr("launch %1").arg(QString::fromStdString(block.name));
}

std::vector<ComparisonOffer> ComparedResults::offers() const {
  std::vector<ComparisonOffer> offers;
  const DocumentPointer &document = m_compile->document();
  if (!document)
    return offers;
  const auto &blocks = document->source->launches.blocks;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (static_cast<int>(i) != document->launch && isOfKernel(blocks[i], *document))
      offers.push_back({std::string(kLaunch) + std::to_string(i), launchTitle(blocks[i], i),
                        tr("The same text, compiled for that launch block")});
  const ResultPointer result = m_compile->latest() ? m_compile->latest()->result() : nullptr;
  if (!result)
    return offers;
  const Configuration chosen{document->choice.constexprs, document->choice.options};
  for (const Configuration &each : result->configurations)
    if (each != chosen)
      offers.push_back({std::string(kConfiguration) + each.text(" "),
                        QString::fromStdString(each.text(" ")),
                        tr("The same text, compiled for that configuration")});
  // A text behind the layouts is of its target.
  for (const auto &[target, title] : kTargets)
    if (target != result->target && document->source->entry <= StageId::Ttir)
      offers.push_back({std::string(kTarget) + target, QString::fromLatin1(target),
                        tr("The same text, compiled for %1").arg(QString::fromLatin1(title))});
  return offers;
}

/// The document with that choice in place of its own; nothing: it has no such choice.
std::optional<DocumentPointer> ComparedResults::documentFor(const std::string &key) const {
  const DocumentPointer &document = m_compile->document();
  if (!document)
    return std::nullopt;
  KernelChoice choice = document->choice;
  DocumentSettings settings = document->settings;
  if (key.starts_with(kTarget)) {
    settings.target = key.substr(kTarget.size());
  } else if (key.starts_with(kLaunch)) {
    const size_t index = std::stoul(key.substr(kLaunch.size()));
    if (index >= document->source->launches.blocks.size())
      return std::nullopt;
    choice = chooseLaunch(*document, static_cast<int>(index));
  } else {
    const ResultPointer result = m_compile->latest() ? m_compile->latest()->result() : nullptr;
    if (!result)
      return std::nullopt;
    const auto found = std::ranges::find(
        result->configurations, key.substr(kConfiguration.size()),
        [](const Configuration &configuration) { return configuration.text(" "); });
    if (found == result->configurations.end())
      return std::nullopt;
    choice.constexprs = found->constexprs;
    choice.options = found->options;
  }
  return makeDocument(document->revision, document->source, std::move(choice), std::move(settings),
                      document->kernel());
}

void ComparedResults::setNeeds(const std::vector<Need> &needs, bool isHurried) {
  std::map<std::string, Need> all;
  for (const Need &need : needs) {
    Need &merged = all.try_emplace(need.key, need).first->second;
    merged.stage = std::max(merged.stage, need.stage);
    merged.passes |= need.passes;
  }
  for (const auto &[key, need] : m_needs)
    if (!all.contains(key)) {
      m_side->drop(key);
      m_asked.erase(key);
      m_made.erase(key);
    }
  m_needs = std::move(all);
  update(isHurried);
}

/// Whether the same comes out of both.
static bool isSameSubject(const KernelDocument &a, const KernelDocument &b) {
  return a.source == b.source && isSameChoice(a, b);
}

void ComparedResults::update(bool isHurried) {
  for (const auto &[key, need] : m_needs) {
    const std::optional<DocumentPointer> wanted = documentFor(key);
    if (!wanted)
      continue;
    const auto isThere = [&](const std::map<std::string, Made> &all) {
      const auto found = all.find(key);
      return found != all.end() && isSameSubject(*found->second.document, **wanted) &&
             found->second.need.stage >= need.stage && (found->second.need.passes || !need.passes);
    };
    if (!isThere(m_made) && !(isThere(m_asked) && m_side->isAsked(key)))
      ask(need, *wanted, isHurried);
  }
}

static QString whyFailed(const compiler::CompileResult &result) {
  for (const compiler::Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.severity == compiler::Severity::Error)
      return QString::fromStdString(diagnostic.message);
  return ComparedResults::tr("it does not compile");
}

void ComparedResults::ask(const Need &need, const DocumentPointer &document, bool isHurried) {
  compiler::CompileRequest request = document->request();
  request.recordPassIr = need.passes;
  request.collectFacts = false;
  request.stopAfter = need.stage;
  compiler::WantedParts wanted{0, true, need.passes, false, false};
  wanted.stages = 1U << static_cast<int>(need.stage);
  // Columns that stop at an earlier stage are compared with the same result.
  for (const compiler::StageKind &kind : compiler::kStageKinds)
    if (kind.id <= need.stage && kind.has(compiler::stage_trait::Text))
      wanted.stages |= 1U << static_cast<int>(kind.id);
  m_asked[need.key] = {nullptr, {}, document, need};
  m_side->ask(need.key, std::move(request), wanted, isHurried,
              [this, key = need.key](const CorrelationPointer &correlation) {
                auto asked = m_asked.extract(key);
                if (asked.empty())
                  return;
                Made made = std::move(asked.mapped());
                made.result = correlation->result();
                const compiler::Stage *stage = made.result->stage(made.need.stage);
                if (!stage || !stage->ok) {
                  made.failure = whyFailed(*made.result);
                  made.result = nullptr;
                }
                m_made[key] = std::move(made);
                Q_EMIT changed();
              });
}

ComparedResults::Answer ComparedResults::answer(const std::string &key) const {
  const std::optional<DocumentPointer> wanted = documentFor(key);
  if (!wanted)
    return {nullptr, tr("the file no longer has it")};
  const auto made = m_made.find(key);
  if (made == m_made.end())
    return {nullptr, tr("compiling…")};
  if (!made->second.result)
    return {nullptr, made->second.failure};
  const bool isNewest = made->second.document->source == (*wanted)->source;
  return {made->second.result, isNewest ? QString() : tr("of an earlier text")};
}

} // namespace tilescope::app
