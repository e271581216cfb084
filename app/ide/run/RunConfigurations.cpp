// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The configurations of `@triton.autotune` that the kernel can be compiled for.
#include "app/ide/run/RunController.h"

#include <algorithm>

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

const std::vector<compiler::Configuration> &RunController::configurations() const {
  static const std::vector<compiler::Configuration> kNone;
  return m_document && m_result ? m_result->configurations : kNone;
}

QStringList RunController::configurationTitles() const {
  QStringList titles;
  for (const compiler::Configuration &configuration : configurations()) {
    QStringList parts;
    for (const auto &[name, value] : configuration.constexprs)
      parts << text(name + "=" + value);
    for (const auto &[name, value] : configuration.options)
      parts << text(name + "=" + value);
    titles << parts.join(QStringLiteral("  "));
  }
  if (!titles.isEmpty() && m_document->launch >= 0)
    titles.prepend(tr("as launched"));
  return titles;
}

/// Whether the result was compiled for the configuration.
static bool isCompiled(const compiler::CompileResult &result,
                       const compiler::Configuration &configuration) {
  const auto holds = [](const auto &all, const auto &some) {
    return std::ranges::all_of(some, [&](const auto &entry) {
      const auto known = all.find(entry.first);
      return known != all.end() && known->second == entry.second;
    });
  };
  return holds(result.constexprs, configuration.constexprs) &&
         holds(result.options, configuration.options);
}

int RunController::chosenConfiguration() const {
  if (!m_document || !m_result)
    return -1;
  const bool isLaunched = m_document->launch >= 0;
  const KernelChoice &chosen = m_document->choice;
  const bool isChosen = !chosen.constexprs.empty() || !chosen.options.empty();
  if (isLaunched && !isChosen)
    return 0;
  const compiler::Configuration wanted{chosen.constexprs, chosen.options};
  const auto found = std::ranges::find_if(configurations(), [&](const auto &each) {
    return isChosen ? each == wanted : isCompiled(*m_result, each);
  });
  return found == configurations().end()
             ? -1
             : static_cast<int>(found - configurations().begin()) + (isLaunched ? 1 : 0);
}

void RunController::chooseConfiguration(int index) {
  if (!m_document)
    return;
  // The first entry of a launched kernel leaves the choice to its launch block.
  const int at = m_document->launch >= 0 ? index - 1 : index;
  if (at >= static_cast<int>(configurations().size()))
    return;
  const compiler::Configuration configuration =
      at < 0 ? compiler::Configuration() : configurations()[static_cast<size_t>(at)];
  KernelChoice choice = m_document->choice;
  choice.constexprs = configuration.constexprs;
  choice.options = configuration.options;
  m_compile->setChoice(choice);
}

} // namespace tilescope::app
