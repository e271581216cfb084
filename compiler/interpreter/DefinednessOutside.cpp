// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/Definedness.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

bool touchesInside(Frame &program, uint32_t pointer, uint32_t value, int64_t index) {
  const Place place = findPlace(program.execution(), program.dense<int64_t>(pointer)[index]);
  const auto size = static_cast<int64_t>(memorySize(program.info(value).element));
  return place.area && place.offset >= 0 &&
         place.offset + size <= static_cast<int64_t>(place.area->size);
}

void excludeOutside(const Instruction &op, Frame &frame) {
  Frame &program = *frame.tracked();
  const uint8_t *on = op.in[2] == kNoValue ? nullptr : program.dense<uint8_t>(op.in[2]);
  const size_t count = frame.count(op.out);
  std::vector<uint8_t> truths(frame.dense<uint8_t>(op.out), frame.dense<uint8_t>(op.out) + count);
  bool isChanged = false;
  for (size_t i = 0; i < count; ++i)
    if ((!on || on[i]) && !touchesInside(program, op.in[0], op.out, static_cast<int64_t>(i))) {
      truths[i] = 0;
      isChanged = true;
    }
  if (!isChanged)
    return;
  if (frame.info(op.out).shape.rank == 0)
    frame.makeUniform(op.out).set<uint8_t>(0);
  else
    std::ranges::copy(truths, frame.makeDense<uint8_t>(op.out));
}

} // namespace tilescope::compiler::interpreter
