// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the kernel is behind a pass: its IR there is compiled on as a document is, and what comes out
// is brought back to the source.
//
//   source ──► … pass 7 ──► IR ──► … ──► machine code      the compile of the document
//                            └── as a document ──► layouts, shared memory, registers
//   places in that document are lines of the IR; the pass's map says which places of the source
#pragma once

#include "app/ide/compile/CompileBackend.h"
#include "compiler/artifacts/SharedFacts.h"

namespace tilescope::app {

/// The request that compiles the IR behind `record`, a pass to TTGIR, on from there. `document` has
/// the options that its launch states.
compiler::CompileRequest requestBehind(const compiler::CompileRequest &document,
                                       const compiler::PassRecord &record);

/// The place in the source of a place in the IR behind a pass; empty: it has none.
SourceRange sourceBehind(const compiler::SourceMap &irMap, const SourceRange &place);

/// What views show of the kernel behind a pass: the layouts and the code in the places of the
/// source, and what the machine code would need. `onward` is the compile of `requestBehind`.
ResultPointer resultBehind(const compiler::CompileResult &document,
                           const compiler::PassRecord &record,
                           const compiler::CompileResult &onward);

/// Brings all places back to the source.
void moveToSource(const compiler::SourceMap &irMap, compiler::SharedFacts &facts);

} // namespace tilescope::app
