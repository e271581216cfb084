// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LoopFacts.h"

#include <algorithm>

namespace tilescope::tests {

/// The example of PipelinePicture.h: copies of `x<1>` one iteration ahead, in two slots, and their
/// products; `numIterations` iterations. Of an iteration: a wait, the next copy, a product.
inline compiler::LoopFacts sampleLoop(int32_t numIterations = 2) {
  using namespace compiler;
  LoopFacts facts;
  facts.range = {{8, 4}, {8, 20}, 0};
  facts.pipeline = {facts.range, 2, 1, 0, 1, 0, 0};
  facts.numFollowed = numIterations;
  facts.partitions = {{"", 4, facts.range}};
  facts.buffers = {{"x<1>", {{9, 8}, {9, 20}, 0}, 5, 2, {32, 32}, "f16", false, false}};
  const auto operation = [&](LoopAction action, const char *name, uint32_t line) {
    LoopOperation &added = facts.operations.emplace_back();
    added.action = action;
    added.operation = name;
    added.range = {{line, 8}, {line, 20}, 0};
    added.stageLine = 10 + line;
    return static_cast<uint32_t>(facts.operations.size() - 1);
  };
  const uint32_t copy = operation(LoopAction::AsyncCopy, "ttg.async_copy_global_to_local", 9);
  const uint32_t wait = operation(LoopAction::CopyWait, "ttg.async_wait", 8);
  const uint32_t product = operation(LoopAction::Product, "tt.dot", 10);
  facts.operations[copy].name = "x<1>";
  facts.operations[copy].isAsync = true;
  facts.operations[copy].distance = 1;
  facts.operations[wait].pending = 0;
  const auto event = [&](uint32_t of, int32_t iteration, int32_t slot, int32_t forIteration) {
    LoopEvent &added = facts.events.emplace_back();
    added.operation = of;
    added.iteration = iteration;
    added.time = added.begin = static_cast<uint32_t>(facts.events.size() - 1);
    added.buffer = slot < 0 ? -1 : 0;
    added.slot = slot;
    added.forIteration = forIteration;
    return static_cast<uint32_t>(facts.events.size() - 1);
  };
  uint32_t under = event(copy, kBeforeLoop, 0, 0);
  for (int32_t k = 0; k < numIterations; ++k) {
    const uint32_t waits = event(wait, k, -1, k);
    facts.events[under].end = static_cast<int32_t>(waits);
    facts.links.push_back({under, waits, LoopLinkKind::Ends});
    const uint32_t next = event(copy, k, (k + 1) % 2, k + 1);
    facts.events[next].isOff = k + 1 == numIterations;
    const uint32_t multiplies = event(product, k, k % 2, k);
    facts.links.push_back({under, multiplies, LoopLinkKind::Feeds});
    under = next;
  }
  return facts;
}

} // namespace tilescope::tests
