// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/document/KernelDocument.h"

#include "app/launch/InputFile.h"
#include "app/launch/ResolveLaunch.h"
#include "app/launch/TritonCache.h"
#include "compiler/syntax/EditorServices.h"

#include <algorithm>

namespace tilescope::app {

using compiler::StageId;
using profiler::LaunchBlock;

/// What a kernel file declares, and why it does not parse.
static void describe(const compiler::ast::EditorDocument &read, KernelSource &source) {
  source.kernels = sourceKernels(read.index());
  std::ranges::copy_if(
      read.tree().diagnostics, std::back_inserter(source.syntaxErrors),
      [](const compiler::Diagnostic &each) { return each.severity == compiler::Severity::Error; });
}

std::shared_ptr<const KernelSource> makeSource(std::string path, std::string text,
                                               const compiler::ast::EditorDocument *read,
                                               std::string title) {
  auto source = std::make_shared<KernelSource>();
  source->title = std::move(title);
  const Result<StageId> entry = entryStage(path, text);
  source->entry = entry ? *entry : StageId::Ast;
  if (source->entry != StageId::Ast)
    source->facts = metadataBeside(path);
  else if (read)
    describe(*read, *source);
  else
    describe(compiler::ast::EditorDocument(text), *source);
  source->launches = profiler::parseLaunchBlocks(text);
  source->path = std::move(path);
  source->text = std::move(text);
  return source;
}

const LaunchBlock *KernelDocument::launchBlock() const {
  return launch < 0 ? nullptr : &source->launches.blocks[static_cast<size_t>(launch)];
}

std::string KernelDocument::kernel() const {
  if (!choice.kernel.empty())
    return choice.kernel;
  const LaunchBlock *block = launchBlock();
  const bool isNamed = block && !block->kernel.empty();
  if (isNamed && (source->kernels.empty() || findKernel(source->kernels, block->kernel)))
    return block->kernel;
  if (isNamed && !kernelBefore.empty() && findKernel(source->kernels, kernelBefore))
    return kernelBefore;
  const SourceKernel *first = findKernel(source->kernels, {});
  return first ? first->name : std::string();
}

std::optional<std::vector<std::pair<std::string, std::string>>>
KernelDocument::replacedValues() const {
  const LaunchBlock *block = launchBlock();
  if (!block)
    return std::nullopt;
  std::vector<std::pair<std::string, std::string>> replaced;
  const auto collect = [&](const std::vector<profiler::LaunchEntry> &entries, const auto &chosen) {
    for (const profiler::LaunchEntry &entry : entries)
      if (chosen.contains(entry.name))
        replaced.emplace_back(entry.name, entry.value.text);
  };
  collect(block->constexprs, choice.constexprs);
  collect(block->options, choice.options);
  return replaced;
}

compiler::Selection KernelDocument::selection() const {
  compiler::Selection selection;
  selection.kernel = choice.kernel;
  if (choice.launch)
    selection.launch = std::to_string(*choice.launch);
  selection.constexprs = choice.constexprs;
  selection.options = choice.options;
  selection.target = settings.target;
  selection.importPaths = settings.importPaths;
  selection.openTexts = settings.openTexts;
  return selection;
}

compiler::CompileRequest KernelDocument::request() const {
  compiler::CompileRequest request;
  request.revision = revision;
  request.path = source->name();
  request.text = source->text;
  request.entry = source->entry;
  request.selection = selection();
  request.facts = source->facts;
  return request;
}

/// Leaves out of the choice what the text no longer has. A text that does not parse may have it
/// again with the next key.
static void fitChoice(KernelChoice &choice, const KernelSource &source) {
  if (choice.launch && *choice.launch >= static_cast<int>(source.launches.blocks.size()))
    choice.launch.reset();
  if (!choice.kernel.empty() && source.entry == StageId::Ast && source.syntaxErrors.empty() &&
      !findKernel(source.kernels, choice.kernel)) {
    const bool isPinned = choice.isPinned;
    choice = {};
    choice.isPinned = isPinned;
  }
}

DocumentPointer makeDocument(uint64_t revision, std::shared_ptr<const KernelSource> source,
                             KernelChoice choice, DocumentSettings settings,
                             std::string kernelBefore) {
  auto document = std::make_shared<KernelDocument>();
  fitChoice(choice, *source);
  document->revision = revision;
  document->source = std::move(source);
  document->choice = std::move(choice);
  document->settings = std::move(settings);
  document->kernelBefore = std::move(kernelBefore);
  const KernelSource &made = *document->source;
  document->launch = findLaunch(made.launches.blocks, made.kernels, document->selection());
  return document;
}

bool isSameChoice(const KernelDocument &a, const KernelDocument &b) {
  // A kernel that was not chosen may be the same as one that was.
  return a.kernel() == b.kernel() && a.launch == b.launch &&
         a.choice.constexprs == b.choice.constexprs && a.choice.options == b.choice.options &&
         a.settings.target == b.settings.target && a.settings.importPaths == b.settings.importPaths;
}

KernelChoice chooseKernel(const KernelDocument &current, const std::string &kernel) {
  KernelChoice choice;
  choice.kernel = kernel;
  choice.isPinned = current.choice.isPinned;
  return choice;
}

KernelChoice chooseLaunch(const KernelDocument &current, int launch) {
  KernelChoice choice;
  choice.launch = launch;
  choice.kernel = current.source->launches.blocks[static_cast<size_t>(launch)].kernel;
  choice.isPinned = current.choice.isPinned;
  return choice;
}

static bool isOnLines(const SourceRange &range, Position position) {
  return range.begin.line <= position.line && position.line <= range.end.line;
}

/// Whether nothing but blank lines is between the range and the position, and behind it.
static bool isAtEndBelow(const std::string &text, const SourceRange &range, Position position) {
  if (position.line <= range.end.line)
    return false;
  size_t at = std::string::npos;
  for (uint32_t line = 0; line <= range.end.line; ++line)
    if (at = text.find('\n', at + 1); at == std::string::npos)
      return false;
  return text.find_first_not_of(" \t\r\n", at) == std::string::npos;
}

std::optional<KernelChoice> choiceAt(const KernelDocument &current, Position position) {
  if (current.choice.isPinned)
    return std::nullopt;
  const std::vector<LaunchBlock> &blocks = current.source->launches.blocks;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (isOnLines(blocks[i].range, position))
      return static_cast<int>(i) == current.launch
                 ? std::nullopt
                 : std::optional(chooseLaunch(current, static_cast<int>(i)));
  for (const SourceKernel &kernel : current.source->kernels)
    if (!kernel.isCalled && (isOnLines(kernel.range, position) ||
                             isAtEndBelow(current.source->text, kernel.range, position)))
      return kernel.name == current.kernel() ? std::nullopt
                                             : std::optional(chooseKernel(current, kernel.name));
  return std::nullopt;
}

} // namespace tilescope::app
