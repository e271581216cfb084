// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"
#include "compiler/service/ModelSerialization.h"
#include "compiler/service/ResultSerialization.h"
#include "compiler/service/RunSerialization.h"

/// The fields of every artifact and message in the order in which cereal writes them. A new field
/// must be added here, or to the headers above; `MessageCodecTest` compares whole values after
/// a round trip.
namespace tilescope::compiler {

template <class Archive> void serialize(Archive &ar, WantedParts &v) {
  ar(v.stages, v.passes, v.passIr, v.layouts, v.values);
}
template <class Archive> void serialize(Archive &ar, TestHook &v) { ar(v.action, v.where); }
template <class Archive> void serialize(Archive &ar, CompileMessage &v) {
  ar(v.job, v.request, v.wanted, v.hook);
}
template <class Archive> void serialize(Archive &ar, CancelMessage &v) { ar(v.job); }
template <class Archive> void serialize(Archive &ar, RecordRequest &v) {
  ar(v.access, v.iteration);
}
template <class Archive> void serialize(Archive &ar, ProgramSample &v) {
  ar(v.first, v.count, v.stride);
}
template <class Archive> void serialize(Archive &ar, InspectMessage &v) {
  ar(v.job, v.request, v.launchPlan, v.inputFolder, v.program, v.record, v.onlyNumbers,
     v.sharedMemory, v.loops, v.timeLimitMs, v.mostDataBytes, v.wantsHints, v.wantsEstimate,
     v.threads, v.hook, v.touches);
}
template <class Archive> void serialize(Archive &ar, StepBreakpoint &v) {
  ar(v.stage, v.line, v.condition);
}
template <class Archive> void serialize(Archive &ar, StepSight &v) {
  ar(v.frame, v.allValues, v.watches, v.block, v.blockVersion);
}
template <class Archive> void serialize(Archive &ar, StepCommand &v) {
  ar(v.action, v.byOperation, v.program, v.order, v.line, v.element, v.stopAtFindings,
     v.breakpoints, v.sight);
}
template <class Archive> void serialize(Archive &ar, StepFrame &v) { ar(v.function, v.range); }
template <class Archive> void serialize(Archive &ar, StepValue &v) {
  ar(v.name, v.isNamed, v.ssa, v.type, v.preview, v.isChanged, v.isBlock, v.stageLine);
}
template <class Archive> void serialize(Archive &ar, StepWatch &v) {
  ar(v.expression, v.text, v.isError);
}
template <class Archive> void serialize(Archive &ar, StepBlock &v) {
  ar(v.name, v.type, v.version, v.dtype, v.shape, v.data, v.defined, v.argument, v.stageLine);
}
template <class Archive> void serialize(Archive &ar, StepState &v) {
  ar(v.program, v.grid, v.ownTime, v.time, v.isAtEnd, v.reason, v.isFault, v.isInterrupted,
     v.frames, v.stage, v.stageLine, v.operation, v.values, v.watches, v.block, v.findings,
     v.prints, v.underWay, v.breakpointLines);
}
template <class Archive> void serialize(Archive &ar, StepLaunch &v) {
  ar(v.request, v.launchPlan, v.inputFolder, v.stage);
}
template <class Archive> void serialize(Archive &ar, StepMessage &v) {
  ar(v.job, v.launch, v.command, v.hook);
}
template <class Archive> void serialize(Archive &ar, StepDoneReply &v) {
  ar(v.job, v.ok, v.cancelled, v.diagnostics, v.files, v.state);
}
template <class Archive> void serialize(Archive &ar, PingMessage &v) { ar(v.token); }
template <class Archive> void serialize(Archive &, ShutdownMessage &) {}
template <class Archive> void serialize(Archive &ar, ToolInfo &v) {
  ar(v.name, v.path, v.version, v.hint);
}
template <class Archive> void serialize(Archive &ar, HelloReply &v) {
  ar(v.protocolVersion, v.llvmVersion, v.tools);
}
template <class Archive> void serialize(Archive &ar, StageStartedReply &v) {
  ar(v.job, v.revision, v.stage);
}
template <class Archive> void serialize(Archive &ar, LaunchResolvedReply &v) {
  ar(v.job, v.revision, v.launch, v.diagnostics);
}
template <class Archive> void serialize(Archive &ar, KernelInterface &v) {
  ar(v.kernel, v.signature, v.constexprs, v.options, v.assumptions, v.metadata, v.suggestion);
}
template <class Archive> void serialize(Archive &ar, StageReadyReply &v) {
  ar(v.job, v.revision, v.stage, v.diagnostics, v.passes, v.files, v.kernels, v.interface, v.values,
     v.layouts);
}
template <class Archive> void serialize(Archive &ar, CompileDoneReply &v) {
  ar(v.job, v.cancelled, v.result);
}
template <class Archive> void serialize(Archive &ar, WidthLimit &v) {
  ar(v.reason, v.argument, v.dimension, v.elements, v.hiddenBy, v.hiddenIn, v.isReversed, v.rank);
}
template <class Archive> void serialize(Archive &ar, AccessCounts &v) {
  ar(v.instructions, v.requests, v.sectors, v.lines, v.wavefronts, v.minimumWavefronts,
     v.bytesAsked, v.bytesUsed, v.bytesFetched);
}
template <class Archive> void serialize(Archive &ar, AccessFacts &v) {
  ar(v.range, v.operation, v.action, v.argument, v.elementBytes, v.vectorBytes, v.limit, v.isInLoop,
     v.executions, v.counts);
}
template <class Archive> void serialize(Archive &ar, UncountedAccess &v) {
  ar(v.range, v.operation, v.reason);
}
template <class Archive> void serialize(Archive &ar, ConversionEnd &v) {
  ar(v.operation, v.range, v.operand);
}
template <class Archive> void serialize(Archive &ar, ConversionAccess &v) {
  ar(v.action, v.vectorBytes, v.wavefronts, v.minimumWavefronts);
}
template <class Archive> void serialize(Archive &ar, ConversionFacts &v) {
  ar(v.range, v.moves, v.bytes, v.shape, v.elementType, v.from, v.to, v.isInLoop, v.executions,
     v.shuffles, v.wavefronts, v.minimumWavefronts, v.elementBits, v.fromLayout, v.toLayout,
     v.parts, v.sharedAccesses, v.source, v.destination, v.pass);
}
template <class Archive> void serialize(Archive &ar, PipelineFacts &v) {
  ar(v.range, v.stages, v.copies, v.copiesUnderWay, v.copyWaits, v.productWaits, v.asyncProducts);
}
template <class Archive> void serialize(Archive &ar, MemoryFacts &v) {
  ar(v.grid, v.program, v.programs, v.dependsOnData, v.accesses, v.uncounted, v.conversions,
     v.pipelines);
}
template <class Archive> void serialize(Archive &ar, AccessLanes &v) {
  ar(v.registers, v.lanes, v.warps, v.elementBytes, v.vectorElements, v.vectorRegisters, v.numWarps,
     v.numLanes, v.idleThreads, v.isJumpedOver, v.padding);
}
template <class Archive> void serialize(Archive &ar, RecordedExecution &v) {
  ar(v.iteration, v.base, v.step, v.addresses, v.mask);
}
template <class Archive> void serialize(Archive &ar, RecordedAccess &v) {
  ar(v.lanes, v.shape, v.numExecutions, v.executions);
}
template <class Archive> void serialize(Archive &ar, RecordedArgument &v) {
  ar(v.name, v.address, v.shape, v.elementBytes);
}
template <class Archive> void serialize(Archive &ar, BulkExecution &v) {
  ar(v.iteration, v.isOn, v.address, v.extents, v.strideBytes, v.offsets);
}
template <class Archive> void serialize(Archive &ar, RecordedBulkCopy &v) {
  ar(v.isStore, v.elementBytes, v.block, v.box, v.swizzleBytes, v.uncounted, v.numExecutions,
     v.executions);
}
template <class Archive> void serialize(Archive &ar, AccessRecord &v) {
  ar(v.program, v.accesses, v.bulkCopies, v.arguments);
}
template <class Archive> void serialize(Archive &ar, SharedStep &v) {
  ar(v.range, v.stageLine, v.isInLoop);
}
template <class Archive> void serialize(Archive &ar, SharedBuffer &v) {
  ar(v.use, v.operation, v.name, v.words, v.range, v.stageLine, v.offset, v.bytes, v.begin, v.end,
     v.group, v.slots, v.shape, v.elementType, v.encoding);
}
template <class Archive> void serialize(Archive &ar, SharedAccess &v) {
  ar(v.buffer, v.step, v.stageLine, v.isWrite, v.facts, v.lanes, v.uncounted);
}
template <class Archive> void serialize(Archive &ar, RingTurn &v) {
  ar(v.iteration, v.slot, v.isWrite, v.block);
}
template <class Archive> void serialize(Archive &ar, SharedRing &v) {
  ar(v.buffer, v.range, v.numIterations, v.turns);
}
template <class Archive> void serialize(Archive &ar, SharedFacts &v) {
  ar(v.total, v.limit, v.steps, v.buffers, v.accesses, v.rings);
}
template <class Archive> void serialize(Archive &ar, WaitingLoad &v) {
  ar(v.range, v.loop, v.obstacle);
}
template <class Archive> void serialize(Archive &ar, LoopOperation &v) {
  ar(v.action, v.operation, v.name, v.range, v.stageLine, v.partition, v.pending, v.isAsync,
     v.distance);
}
template <class Archive> void serialize(Archive &ar, LoopBuffer &v) {
  ar(v.name, v.range, v.stageLine, v.slots, v.shape, v.elementType, v.isBarrier,
     v.isInTensorMemory);
}
template <class Archive> void serialize(Archive &ar, LoopPartition &v) {
  ar(v.name, v.numWarps, v.range);
}
template <class Archive> void serialize(Archive &ar, LoopEvent &v) {
  ar(v.operation, v.iteration, v.time, v.begin, v.buffer, v.slot, v.end, v.forIteration, v.isOff,
     v.isInGap);
}
template <class Archive> void serialize(Archive &ar, LoopLink &v) { ar(v.from, v.to, v.kind); }
template <class Archive> void serialize(Archive &ar, LoopFacts &v) {
  ar(v.range, v.stageLine, v.pipeline, v.obstacle, v.waiting, v.numIterations, v.step,
     v.isLaunchKnown, v.numFollowed, v.partitions, v.buffers, v.operations, v.events, v.links);
}
template <class Archive> void serialize(Archive &ar, TouchDim &v) { ar(v.extent, v.strideBytes); }
template <class Archive> void serialize(Archive &ar, TouchRun &v) {
  ar(v.program, v.access, v.firstStep, v.numSteps, v.address, v.stepBytes, v.dims);
}
template <class Archive> void serialize(Archive &ar, TouchAccess &v) {
  ar(v.range, v.operation, v.reads, v.writes, v.isInLoop, v.elementBytes);
}
template <class Archive> void serialize(Archive &ar, TouchTrace &v) {
  ar(v.grid, v.programs, v.dependsOnData, v.isCut, v.accesses, v.arguments, v.runs, v.blocks);
}
template <class Archive> void serialize(Archive &ar, HintFix &v) { ar(v.edit, v.outcome); }
template <class Archive> void serialize(Archive &ar, Hint &v) {
  ar(v.kind, v.rank, v.range, v.message, v.evidence, v.gain, v.advice, v.fixes, v.whyNoFix);
}
template <class Archive> void serialize(Archive &ar, EstimateLine &v) { ar(v.range, v.share); }
template <class Archive> void serialize(Archive &ar, EstimateFacts &v) {
  ar(v.target, v.confidence, v.programs, v.warps, v.programsPerSm, v.instructions, v.pipeCycles,
     v.aloneCycles, v.wavefronts, v.l2ReadBytes, v.l2WriteBytes, v.dramReadBytes, v.dramWriteBytes,
     v.atomicSectors, v.atomicTurns, v.lines, v.assumptions);
}
template <class Archive> void serialize(Archive &ar, EstimatePart &v) { ar(v.what, v.name, v.us); }
template <class Archive> void serialize(Archive &ar, Estimate &v) {
  ar(v.facts, v.reason, v.device, v.us, v.bottleneck, v.parts);
}
template <class Archive> void serialize(Archive &ar, InspectDoneReply &v) {
  ar(v.job, v.ok, v.cancelled, v.diagnostics, v.files, v.facts, v.record, v.shared, v.loops,
     v.isOutOfTime, v.touches, v.hints, v.estimate);
}
template <class Archive> void serialize(Archive &ar, PongReply &v) { ar(v.token); }
template <class Archive> void serialize(Archive &ar, CrashedReply &v) {
  ar(v.job, v.revision, v.reason, v.stage, v.pass, v.signal, v.message, v.reproducer);
}

} // namespace tilescope::compiler
