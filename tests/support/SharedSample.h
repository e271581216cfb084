// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/SharedFacts.h"

namespace tilescope::tests {

/// A ring of two slots whose load conflicts, and scratch that takes its bytes afterwards.
inline compiler::SharedFacts sampleSharedFacts() {
  compiler::SharedFacts facts;
  facts.total = 8192;
  facts.limit = 65536;
  for (uint32_t line : {5u, 8u, 9u, 11u})
    facts.steps.push_back({{{line, 4}, {line, 12}, 0}, line, line == 8});
  compiler::SharedBuffer ring;
  ring.operation = "ttg.local_alloc";
  ring.name = "x<1>";
  ring.words = "a buffer of fp32[2, 32, 32]";
  ring.range = {{9, 8}, {9, 20}, 0};
  ring.bytes = 8192;
  ring.begin = 1;
  ring.end = 3;
  ring.slots = 2;
  ring.shape = {32, 32};
  ring.elementType = "f32";
  compiler::SharedBuffer scratch;
  scratch.use = compiler::SharedUse::Scratch;
  scratch.operation = "ttg.convert_layout";
  scratch.words = "handing a block of fp32[32, 32] between threads";
  scratch.range = {{11, 4}, {11, 20}, 0};
  scratch.bytes = 4096;
  scratch.begin = 3;
  scratch.end = 4;
  facts.buffers = {ring, scratch};
  // A column: every lane in bank 0.
  compiler::SharedAccess load;
  load.step = 1;
  load.facts.range = ring.range;
  load.facts.operation = "ttg.local_load";
  load.facts.action = compiler::MemoryAction::SharedLoad;
  load.facts.elementBytes = load.facts.vectorBytes = 4;
  load.facts.executions = 1;
  load.facts.counts.instructions = load.facts.counts.requests = 1;
  load.facts.counts.wavefronts = 32;
  load.facts.counts.minimumWavefronts = 1;
  load.lanes.lanes = {32, 64, 128, 256, 512};
  load.lanes.numWarps = 1;
  compiler::SharedAccess copy = load;
  copy.isWrite = true;
  copy.uncounted = "a copy";
  copy.lanes = {};
  facts.accesses = {copy, load};
  facts.rings = {{0, {{8, 4}, {8, 20}, 0}, 1, {{-1, 0, true, 0}, {0, 0, false, 0}}}};
  return facts;
}

} // namespace tilescope::tests
