// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LaunchSuggestion.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/syntax/Parser.h"

#include "llvm/Target/TargetMachine.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

namespace tilescope::compiler {

static ParsedDocument parseDocument(const std::string &text, bool withText) {
  ParsedDocument document;
  document.tree = ast::parseModule(text);
  document.stage.id = StageId::Ast;
  document.stage.ok = !document.tree->hasErrors();
  if (withText) {
    ast::AstDump dump = ast::dumpAst(*document.tree->module);
    document.stage.text = std::move(dump.text);
    document.stage.sourceMap = std::move(dump.sourceMap);
  }
  document.kernels = launchableKernels(*document.tree);
  return document;
}

static size_t approximateSize(const ParsedDocument &document) {
  // The nodes of a tree take several times the space of their text.
  return document.tree->source.size() * 16 + document.stage.text.size() +
         document.stage.sourceMap.lines.size() * (sizeof(LineMapping) + sizeof(SourceRange));
}

/// The document's syntax tree; its errors end the compilation when the kernel cannot be built on
/// it.
bool Compilation::makeAst() {
  begin(StageId::Ast);
  // The next stages go on from the tree, not from its text.
  const bool withText = !m_hooks.wantsText || m_hooks.wantsText(StageId::Ast);
  const ContentKey key = KeyBuilder().add(m_request.text).add(uint64_t{withText}).key();
  std::shared_ptr<const ParsedDocument> document = m_state.parsed.find(key);
  const bool isCached = document != nullptr;
  if (!isCached) {
    ParsedDocument fresh = parseDocument(m_request.text, withText);
    fresh.stage.durationNs =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - m_stageStart).count();
    const size_t size = approximateSize(fresh);
    m_state.parsed.insert(key, std::move(fresh), size);
    document = m_state.parsed.find(key);
  }
  m_tree = document->tree;
  m_result.diagnostics.insert(m_result.diagnostics.end(), m_tree->diagnostics.begin(),
                              m_tree->diagnostics.end());
  m_result.kernels = document->kernels;
  Stage stage = document->stage;
  stage.cached = isCached;
  publish(std::move(stage));
  return !stopped();
}

bool Compilation::makeTtir() {
  begin(StageId::Ttir);
  step(StageId::Ttir, "frontend");
  CompileRequest request = m_request;
  request.selection.target = m_result.target;
  const Clock::time_point start = Clock::now();
  EmittedModule emitted =
      emitTtir(*m_state.context, request, m_tree, m_hooks.stop, &m_state.guesses);
  const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  m_cancelled |= emitted.cancelled;
  const bool isTaken = takeEmitted(emitted);
  const bool ok = m_module && isTaken && !m_cancelled;
  m_result.passes.push_back({StageId::Ttir, "frontend", spent.count(), true, !ok, "", {}});
  if (m_cancelled)
    return false;
  if (ok && m_request.recordPassIr)
    keepIr(m_result.passes.back(), printIr(*m_module, m_files));
  if (!ok || !runTtirPasses()) {
    if (!m_cancelled)
      finishMlirStage(StageId::Ttir, false);
    return false;
  }
  if (wants(StageId::LlvmIr))
    indexRanges(*m_module, m_files, m_index);
  m_module->walk([&](tt::FuncOp function) {
    if (function.isPublic())
      m_result.suggestion =
          suggestLaunch(function, m_result.metadata.parameters, m_result.constexprs);
  });
  finishMlirStage(StageId::Ttir, true);
  return !stopped();
}

bool Compilation::isTold(const Diagnostic &diagnostic) const {
  const std::vector<Diagnostic> &told = m_result.diagnostics;
  if (diagnostic.kind == DiagnosticKind::RunLaunchUnfit)
    return m_isRun && std::ranges::find(told, diagnostic.kind, &Diagnostic::kind) == told.end();
  // The syntax errors are known from the stage before.
  return std::ranges::find(told, diagnostic) == told.end();
}

/// What the frontend found out about the document and the chosen kernel. False when the options
/// that its decorators choose are not valid.
bool Compilation::takeEmitted(EmittedModule &emitted) {
  m_module = std::move(emitted.module);
  m_files = FileTable(std::move(emitted.files));
  if (m_files.files().empty())
    m_files = FileTable({{m_request.path, m_request.text}});
  for (Diagnostic &diagnostic : emitted.diagnostics)
    if (isTold(diagnostic))
      m_result.diagnostics.push_back(std::move(diagnostic));
  m_result.values = std::move(emitted.values);
  m_result.kernel = std::move(emitted.kernel);
  m_result.kernels = std::move(emitted.kernels);
  m_result.signature = std::move(emitted.signature);
  m_result.constexprs = std::move(emitted.constexprs);
  if (emitted.options != m_result.options && !emitted.options.empty()) {
    m_result.options = std::move(emitted.options);
    if (!takeOptions())
      return false;
  }
  m_result.assumptions = std::move(emitted.assumptions);
  KernelMetadata &metadata = m_result.metadata;
  metadata.name = m_result.kernel;
  metadata.target = m_result.target;
  metadata.numWarps = m_options.numWarps;
  metadata.numStages = m_options.numStages;
  metadata.numCtas = m_options.numCtas;
  metadata.parameters = std::move(emitted.parameters);
  return true;
}

} // namespace tilescope::compiler
