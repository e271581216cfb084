// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The fields of the request and the result of a compile. See Serialization.h.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CompileResult.h"

#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

namespace tilescope {

template <class Archive> void serialize(Archive &ar, Position &v) { ar(v.line, v.column); }
template <class Archive> void serialize(Archive &ar, SourceRange &v) { ar(v.begin, v.end, v.file); }

namespace compiler {

template <class Archive> void serialize(Archive &ar, DiagnosticLabel &v) { ar(v.range, v.message); }
template <class Archive> void serialize(Archive &ar, DiagnosticFix &v) {
  ar(v.range, v.replacement, v.title);
}
template <class Archive> void serialize(Archive &ar, DiagnosticCause &v) {
  ar(v.need, v.subject, v.types, v.shapes, v.totals, v.extents, v.namesPointer, v.namesConstexpr,
     v.namesNone, v.outputs, v.isWithinProgram, v.sparesSubject);
}
template <class Archive> void serialize(Archive &ar, Diagnostic &v) {
  ar(v.kind, v.severity, v.range, v.message, v.labels, v.notes, v.fixes, v.cause);
}
template <class Archive> void serialize(Archive &ar, LineMapping &v) { ar(v.line, v.sources); }
template <class Archive> void serialize(Archive &ar, SourceMap &v) { ar(v.lines); }
template <class Archive> void serialize(Archive &ar, PassRecord &v) {
  ar(v.stage, v.name, v.durationNs, v.changed, v.failed, v.ir, v.irMap);
}
template <class Archive> void serialize(Archive &ar, Resources &v) {
  ar(v.registers, v.sharedBytes, v.spillBytes, v.threads, v.spillLoadBytes);
}
template <class Archive> void serialize(Archive &ar, Stage &v) {
  ar(v.id, v.ok, v.cached, v.durationNs, v.text, v.sourceMap);
}
template <class Archive> void serialize(Archive &ar, LayoutBases &v) { ar(v.input, v.bases); }
template <class Archive> void serialize(Archive &ar, LayoutFacts &v) {
  ar(v.value, v.op, v.type, v.encoding, v.shape, v.elementType, v.elementBits, v.layout, v.shared,
     v.stageLine, v.source);
}
template <class Archive> void serialize(Archive &ar, ValueFacts &v) {
  ar(v.range, v.type, v.isDefinition);
}
template <class Archive> void serialize(Archive &ar, Selection &v) {
  ar(v.kernel, v.launch, v.signature, v.constexprs, v.options, v.sizes, v.target, v.importPaths,
     v.openTexts);
}
template <class Archive> void serialize(Archive &ar, CompileRequest &v) {
  ar(v.revision, v.path, v.text, v.entry, v.selection, v.facts, v.stopAfter, v.recordPassIr,
     v.collectFacts);
}
template <class Archive> void serialize(Archive &ar, LaunchFacts &v) {
  ar(v.selection, v.block, v.plan, v.ok);
}
template <class Archive> void serialize(Archive &ar, Configuration &v) {
  ar(v.constexprs, v.options);
}
template <class Archive> void serialize(Archive &ar, KernelParameter &v) { ar(v.name, v.type); }
template <class Archive> void serialize(Archive &ar, KernelMetadata &v) {
  ar(v.name, v.target, v.numWarps, v.numStages, v.numCtas, v.sharedBytes, v.globalScratchBytes,
     v.parameters, v.described);
}
template <class Archive> void serialize(Archive &ar, SourceFile &v) { ar(v.path, v.text); }
template <class Archive> void serialize(Archive &ar, SuggestedSize &v) { ar(v.name, v.value); }
template <class Archive> void serialize(Archive &ar, SuggestedTensor &v) {
  ar(v.shape, v.isGuess, v.isRead, v.isWritten, v.indicesBelow, v.isAscending, v.areLengths,
     v.isPositive);
}
template <class Archive> void serialize(Archive &ar, SuggestedLaunch &v) {
  ar(v.sizes, v.tensors, v.integers, v.grid, v.isGridGuess, v.storesNothing);
}
template <class Archive> void serialize(Archive &ar, Assumption &v) {
  ar(v.parameter, v.text, v.isConstant, v.source, v.reason);
}
template <class Archive> void serialize(Archive &ar, CompileResult &v) {
  ar(v.revision, v.ok, v.launch, v.kernel, v.kernels, v.signature, v.constexprs, v.options,
     v.assumptions, v.target, v.files, v.stages, v.passes, v.diagnostics, v.layouts, v.values,
     v.metadata, v.suggestion, v.configurations, v.resources, v.totalNs);
}

} // namespace compiler
} // namespace tilescope
