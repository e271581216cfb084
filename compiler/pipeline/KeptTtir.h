// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// TTIR of the last requests. One edit leads to several requests about the same launch: what it
// compiles to, what its accesses cost, what a run of it shows. Each of them begins with TTIR.
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/pipeline/StageCache.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <list>
#include <optional>
#include <vector>

namespace tilescope::compiler {

struct CompileJob;

/// TTIR behind its passes, with all that was found on the way there.
struct KeptTtir {
  /// Without its module.
  EmittedModule emitted;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The module with all loads of a kernel that stores nothing, or null.
  mlir::OwningOpRef<mlir::ModuleOp> withLoads;
  std::vector<SourceRange> whileLoops;
  std::vector<PassRecord> passes;
  /// The records say which passes changed something.
  bool knowsChanges = true;
  /// Of the passes.
  std::vector<Diagnostic> diagnostics;
};

/// The few that were used last. They belong to a context and must go before it. Thread: the compiler's.
class KeptTtirs {
public:
  /// Null: it is not kept. Valid until the next `keep`.
  const KeptTtir *find(const ContentKey &key);
  void keep(const ContentKey &key, KeptTtir ttir);
  void clear() { m_entries.clear(); }

private:
  struct Entry {
    ContentKey key;
    KeptTtir ttir;
  };
  /// The one used last comes first.
  std::list<Entry> m_entries;
};

/// Everything that TTIR depends on. Nothing: it is made anew, since the IR after each pass is wanted.
std::optional<ContentKey> keptTtirKey(const CompileJob &job);

/// Whether the module was made of the document alone: files that it imports may change.
bool isOfDocument(const EmittedModule &emitted);

EmittedModule withoutModule(const EmittedModule &emitted);

} // namespace tilescope::compiler
