// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/Clock.h"

#include "compiler/conversion/ttg_to_llvm/ptx/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/trace/Records.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

static std::string place(const std::string &address, int64_t offset) {
  return "[" + address + "+" + std::to_string(offset) + "]";
}

void stClock(Builder &b, const ClockRecord &record) {
  AsmText text;
  const std::string guard = text.addPredicate(record.predicate);
  const std::string at = text.addOperand(record.address, 'l');
  const std::string scopes = text.addOperand(record.scopes, 'r');
  std::string code = "{\n.reg .b32 now;\n";
  // Memory operations and reads of the clock keep their order, and a store needs its value, whether
  // its predicate is true or not. Arithmetic on the values would keep no order, and predicates of
  // their own do not keep the assembler from reading the clock early.
  if (!record.awaited.empty()) {
    const std::string base = text.addOperand(record.base, 'l');
    for (Value word : record.awaited)
      code += guard + "st.global.b32 " + place(base, kTraceAwaitedAt) + ", " +
              text.addOperand(word, 'r') + ";\n";
  }
  code += "mov.u32 now, %clock;\n" + guard + "st.global.v2.b32 " + place(at, kTraceRecordsAt) +
          ", {now, " + scopes + "};\n}";
  text.emit(b, code);
}

/// The time of the device and the clock of the multiprocessor, to the place.
static std::string stTimes(const std::string &base, int64_t offset) {
  return ".reg .b64 time, clock;\nmov.u64 time, %globaltimer;\nmov.u64 clock, %clock64;\n"
         "st.global.b64 " +
         place(base, offset) + ", time;\nst.global.b64 " + place(base, offset + 8) + ", clock;\n";
}

void stTraceStart(Builder &b, Value base) {
  AsmText text;
  const std::string at = text.addOperand(base, 'l');
  const std::string magic = text.addOperand(i32Constant(b, kTraceMagic), 'r');
  text.emit(b, "{\n.reg .b32 place;\nmov.u32 place, %smid;\nst.global.v2.b32 " +
                   place(at, kTraceMagicAt) + ", {" + magic + ", place};\n" +
                   stTimes(at, kTraceStartAt) + "}");
}

void stTraceEnd(Builder &b, Value base, Value count) {
  AsmText text;
  const std::string at = text.addOperand(base, 'l'), number = text.addOperand(count, 'r');
  text.emit(b, "{\n" + stTimes(at, kTraceEndAt) + "st.global.b32 " + place(at, kTraceCountAt) +
                   ", " + number + ";\n}");
}

} // namespace tilescope::compiler::ptx
