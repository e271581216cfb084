// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/GuessedEmission.h"

#include "compiler/frontend/GuessLimits.h"
#include "compiler/frontend/ModuleImports.h"
#include "compiler/frontend/ObservedCall.h"
#include "compiler/inference/GuessSearch.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

using inference::CallWatch;
using inference::Objection;

static std::optional<Objection> objectionTo(EmittedModule &emitted) {
  auto error = std::ranges::find(emitted.diagnostics, Severity::Error, &Diagnostic::severity);
  if (error != emitted.diagnostics.end())
    return Objection{*error, 0};
  return objectionToSize(*emitted.module);
}

static int64_t numOperationsOf(EmittedModule &emitted) {
  int64_t count = 0;
  if (emitted.module)
    emitted.module->walk([&](mlir::Operation *) { ++count; });
  return count;
}

static ScopedFunction scoped(const SourceModule &file, const ast::JitFunction &function) {
  std::vector<ScopedFunction> all = allFunctions(file);
  return *std::ranges::find(all, function.def, &ScopedFunction::definition);
}

namespace {

/// The document of an emission, or a file that imports from it.
class EmittedFile final : public inference::TrialFile {
public:
  explicit EmittedFile(const Emission &emission)
      : EmittedFile(emission, nullptr, emission.modules.document()) {}

  const std::string &path() const override { return file().path; }
  const ast::SyntaxTree &tree() const override { return *file().tree; }
  const inference::ImportedFunctions &imports() const override { return m_imports; }

  inference::TrialOutcome tryOut(const ast::JitFunction &function, const Selection &selection,
                                 const CallWatch *watch) override {
    EmissionMode mode{.isTrial = true};
    if (watch)
      mode.callObserved = [&](const Frame &callee) {
        if (callee.function->name == watch->callee && !callee.module->isPrelude)
          watch->report(selectionOf(callee, m_requested));
      };
    EmittedModule emitted =
        emitSelected(m_emission, scoped(file(), function), {selection, {}}, mode);
    return {objectionTo(emitted), numOperationsOf(emitted)};
  }

  std::unique_ptr<TrialFile> open(const inference::Importer &importer) override {
    auto modules =
        std::make_unique<ModuleTable>(importer.path, importer.tree, m_emission.request.selection);
    Emission emission{m_emission.context, m_emission.request, *modules, m_emission.stop,
                      m_emission.memory};
    return std::unique_ptr<TrialFile>(new EmittedFile(emission, std::move(modules), m_requested));
  }

private:
  EmittedFile(const Emission &emission, std::unique_ptr<ModuleTable> ownModules,
              const SourceModule &requested)
      : m_ownModules(std::move(ownModules)), m_emission(emission), m_requested(requested),
        m_imports(m_emission.modules, file()) {}

  const SourceModule &file() const { return m_emission.modules.document(); }

  /// Null for the document, whose modules belong to the request.
  std::unique_ptr<ModuleTable> m_ownModules;
  Emission m_emission;
  const SourceModule &m_requested;
  ModuleImports m_imports;
};

} // namespace

EmittedModule emitGuessed(const Emission &emission, const ast::ModuleIndex &index,
                          const ast::JitFunction &function, bool isBroken) {
  const ScopedFunction kernel = scoped(emission.modules.document(), function);
  EmittedFile file(emission);
  EmittedModule result;
  const auto emit = [&](const InferredSelection &inferred) {
    result =
        emitSelected(emission, kernel, inferred, {.collectsFacts = emission.request.collectFacts});
    return objectionTo(result);
  };
  inference::emitByGuesses({file, index, function, emission.request.selection, emission.memory},
                           isBroken, emit);
  return result;
}

} // namespace tilescope::compiler::frontend
