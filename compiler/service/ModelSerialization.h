// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The fields of what is said about models. See Serialization.h.
#pragma once

#include "compiler/service/Messages.h"
#include "compiler/service/ResultSerialization.h"

namespace tilescope::compiler {

template <class Archive> void serialize(Archive &ar, FusionChoice &v) { ar(v.edge, v.wish); }
template <class Archive> void serialize(Archive &ar, ModelRequest &v) {
  ar(v.path, v.extents, v.text, v.form, v.fusions, v.hasBulkCopies);
}
template <class Archive> void serialize(Archive &ar, ModelMessage &v) {
  ar(v.job, v.request, v.hook);
}
template <class Archive> void serialize(Archive &ar, ModelDiagnostic &v) {
  ar(v.severity, v.node, v.operatorName, v.message);
}
template <class Archive> void serialize(Archive &ar, ModelTensor &v) {
  ar(v.name, v.elementType, v.extents);
}
template <class Archive> void serialize(Archive &ar, ModelOperator &v) {
  ar(v.name, v.domain, v.count, v.isSupported);
}
template <class Archive> void serialize(Archive &ar, ModelRewrite &v) {
  ar(v.rule, v.node, v.message);
}
template <class Archive> void serialize(Archive &ar, ModelKernel &v) {
  ar(v.function, v.nodes, v.bytes, v.launch, v.form, v.flops, v.sources);
}
template <class Archive> void serialize(Archive &ar, ModelNode &v) {
  ar(v.name, v.operatorName, v.inputs, v.outputs);
}
template <class Archive> void serialize(Archive &ar, ModelSlot &v) {
  ar(v.kernel, v.tensor, v.offset, v.bytes, v.last);
}
template <class Archive> void serialize(Archive &ar, ModelEdge &v) {
  ar(v.from, v.to, v.isFused, v.reason, v.bytes, v.wish);
}
template <class Archive> void serialize(Archive &ar, ModelResult &v) {
  ar(v.ok, v.format, v.producer, v.formatVersion, v.operatorSets, v.numNodes, v.nodes, v.operators,
     v.inputs, v.outputs, v.symbols, v.numWeights, v.weightBytes, v.externalBytes, v.numOperations,
     v.rewrites, v.kernels, v.edges, v.slots, v.arenaBytes, v.leastArenaBytes, v.numUnfusedKernels,
     v.unfusedBytes, v.text, v.diagnostics);
}
template <class Archive> void serialize(Archive &ar, ModelDoneReply &v) {
  ar(v.job, v.cancelled, v.diagnostics, v.result);
}
} // namespace tilescope::compiler
