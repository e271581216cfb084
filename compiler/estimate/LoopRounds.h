// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How often loops of the machine code go round in which nothing accesses memory. The source says how often
// its loop does, and the counter how many of these rounds are one:
//
//     for i in range(100):        .L_x_0: FFMA R6, R6, R6, 0.5    (ten times)
//         x = x * x + 0.5                 UIADD3 UR4, UR4, -0xa, URZ
//                                         ISETP.NE.U32.AND P0, PT, RZ, UR4, PT
//     100 rounds                  @P0     BRA `(.L_x_0)           ten rounds
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/estimate/CodeRegions.h"

#include <vector>

namespace tilescope::compiler::estimate {

class LoopRounds {
public:
  /// `code`: the stage that `program` was read from. All of them outlive this.
  LoopRounds(const std::vector<LoopFacts> &loops, const Stage &code,
             const machine::SassProgram &program, const CodeRegions &regions);

  /// Each time that the loop is entered; nothing: that is not known.
  std::optional<double> of(const CodeRegion &loop) const;
  /// Why nothing is known of the loop that begins with an instruction, for users.
  std::string whyNot(uint32_t instruction) const;

private:
  const LoopFacts *sourceOf(const CodeRegion &loop) const;
  /// The line of the document that an instruction is of, 0-based; -1: none.
  int64_t lineOf(uint32_t instruction) const;
  bool isOwn(const CodeRegion &loop, uint32_t instruction) const;
  /// Of the source, in one round; 0: it is not seen.
  int64_t unrolledBy(const CodeRegion &loop, const LoopFacts &source) const;

  const std::vector<LoopFacts> &m_loops;
  const Stage &m_code;
  const machine::SassProgram &m_program;
  const CodeRegions &m_regions;
  /// Of the stage's text.
  std::vector<std::string_view> m_lines;
};

} // namespace tilescope::compiler::estimate
