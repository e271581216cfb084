// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/WhyNotRun.h"

#include "app/ide/run/RunController.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

/// Whether the text has no launch block at all, not even one that cannot be read.
static bool isLaunchMissing(const std::string &text) {
  const profiler::LaunchBlocks read = profiler::parseLaunchBlocks(text);
  return read.blocks.empty() && read.problems.empty();
}

/// What keeps the newest text from becoming TTIR, which is all that a run and a guess of its launch take from this
/// compile; null: nothing that is known.
static const compiler::Diagnostic *compileError(const CompileController &compile) {
  if (compile.isRunning() || !compile.isCurrent() || !compile.latest())
    return nullptr;
  const compiler::CompileResult &result = *compile.latest()->result();
  const compiler::Stage *ttir = result.stage(compiler::StageId::Ttir);
  if (ttir && ttir->ok)
    return nullptr;
  const auto first = std::ranges::find(result.diagnostics, compiler::Severity::Error,
                                       &compiler::Diagnostic::severity);
  return result.ok || first == result.diagnostics.end() ? nullptr : &*first;
}

QString whyNotAt(const KernelDocument &document, const RunPlace &place) {
  const compiler::StageId entry = document.source->entry;
  if (place.kind != RunPlace::Kind::Cpu || entry <= compiler::StageId::Ttir)
    return {};
  const std::string_view title = compiler::stageTitle(entry);
  return RunController::tr("The interpreter runs kernel files and TTIR. Choose a GPU to run %1.")
      .arg(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
}

/// The launch blocks that there are, if any, are of other kernels.
static bool isOfOthers(const KernelDocument &document) {
  const KernelSource &source = *document.source;
  return document.launch < 0 && !source.launches.blocks.empty() &&
         source.launches.problems.empty() && !document.kernel().empty();
}

/// Why a kernel without a launch block is not run; empty: it has one.
static QString whyNotLaunched(const KernelDocument &document, const CompileController &compile) {
  const KernelSource &source = *document.source;
  const bool isMissing = isLaunchMissing(source.text);
  if (!isMissing && !isOfOthers(document))
    return {};
  // A block can be written only for what compiles.
  if (const compiler::Diagnostic *error = compileError(compile); error && error->range.file == 0)
    return RunController::tr(
               "There is nothing to run yet: the kernel does not compile. Line %1: %2.")
        .arg(error->range.begin.line + 1)
        .arg(text(error->message));
  const QString missing =
      isMissing
          ? RunController::tr("the file has no launch block")
          : RunController::tr("the file has no launch block for `%1`").arg(text(document.kernel()));
  return RunController::tr(
             "There is nothing to run yet: %1, which says how the kernel is launched. Choose "
             "\"Write a launch block\" in the menu Kernel, and run again.")
      .arg(missing);
}

bool lacksLaunchOnly(const KernelDocument &document, const RunPlace &place,
                     const CompileController &compile) {
  const KernelSource &source = *document.source;
  return whyNotAt(document, place).isEmpty() && source.syntaxErrors.empty() &&
         !source.kernels.empty() && !compileError(compile) &&
         (isLaunchMissing(source.text) || isOfOthers(document));
}

QString whyNotRun(const KernelDocument &document, const RunPlace &place,
                  const CompileController &compile) {
  const KernelSource &source = *document.source;
  if (const QString why = whyNotAt(document, place); !why.isEmpty())
    return why;
  if (!source.syntaxErrors.empty())
    return {};
  if (source.entry == compiler::StageId::Ast && source.kernels.empty())
    return RunController::tr(
        "There is nothing to run: the file has no kernel, which is a function decorated with "
        "`@triton.jit`.");
  return whyNotLaunched(document, compile);
}

} // namespace tilescope::app
