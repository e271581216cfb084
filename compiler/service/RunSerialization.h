// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/Messages.h"
#include "compiler/service/ResultSerialization.h"

/// The fields of what is said about runs on the CPU, as in `Serialization.h`.
namespace tilescope::compiler {

template <class Archive> void serialize(Archive &ar, ArgumentElement &v) {
  ar(v.argument, v.element);
}
template <class Archive> void serialize(Archive &ar, ElementWriter &v) {
  ar(v.element, v.programId, v.range);
}
template <class Archive> void serialize(Archive &ar, InterpreterPrint &v) {
  ar(v.programId, v.range, v.text);
}
template <class Archive> void serialize(Archive &ar, InterpretMessage &v) {
  ar(v.job, v.request, v.launchPlan, v.outputFolder, v.inputFolder, v.watches, v.threads,
     v.onlyRoundings, v.widensFloats, v.executor, v.checksBounds, v.isExact, v.keepsCode,
     v.maxProgramNs, v.repeats, v.hook);
}
template <class Archive> void serialize(Archive &ar, RunProgressReply &v) {
  ar(v.job, v.programsDone, v.programsTotal);
}
template <class Archive> void serialize(Archive &ar, RunOutput &v) {
  ar(v.name, v.dtype, v.shape, v.path, v.changed, v.numUnwritten, v.firstUnwritten);
}
template <class Archive> void serialize(Archive &ar, RunFault &v) { ar(v.programId, v.range); }
template <class Archive> void serialize(Archive &ar, Precision &v) {
  ar(v.epsilon, v.smallestNormal, v.truncates);
}
template <class Archive> void serialize(Archive &ar, SumSteps &v) {
  ar(v.precision, v.depth, v.squares);
}
template <class Archive> void serialize(Archive &ar, NarrowNumber &v) { ar(v.value, v.epsilon); }
template <class Archive> void serialize(Archive &ar, RoundingFacts &v) {
  ar(v.argument, v.operations, v.factors, v.sums, v.plainFactors, v.steps, v.stored, v.numbers,
     v.isIntegral, v.isAssumed, v.isBuiltOn, v.isOnlyUpdated, v.stores);
}
template <class Archive> void serialize(Archive &ar, RunDoneReply &v) {
  ar(v.job, v.ok, v.cancelled, v.diagnostics, v.files, v.outputs, v.prints, v.writers, v.faults,
     v.roundedProducts, v.countedFillers, v.roundings, v.programs, v.durationNs, v.repeatNs,
     v.isNative, v.whyInterpreted, v.countsUnwritten, v.sampledPrograms, v.sampleDurationNs,
     v.compileDurationNs);
}

} // namespace tilescope::compiler
