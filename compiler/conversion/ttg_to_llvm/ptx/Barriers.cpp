// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/ttg_to_llvm/ptx/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

using namespace mlir;

namespace tilescope::compiler::ptx {

/// `mbarrier.{instruction} [address]{rest}`.
static void mbarrier(Builder &b, Value predicate, Value address, const std::string &instruction,
                     const std::string &rest = "") {
  AsmText text;
  const std::string guard = text.addPredicate(predicate);
  text.emit(b, guard + "mbarrier." + instruction + " " + text.addAddress(address) + rest);
}

void mbarrierInit(Builder &b, Value predicate, Value address, int64_t count) {
  mbarrier(b, predicate, address, "init.shared::cta.b64", ", " + std::to_string(count));
}

void mbarrierInval(Builder &b, Value predicate, Value address) {
  mbarrier(b, predicate, address, "inval.shared::cta.b64");
}

void mbarrierArriveExpectTx(Builder &b, Value predicate, Value address, int64_t bytes) {
  mbarrier(b, predicate, address, "arrive.expect_tx.shared::cta.b64 _,",
           ", " + std::to_string(bytes));
}

void mbarrierArrive(Builder &b, Value predicate, Value address, int64_t count) {
  mbarrier(b, predicate, address, "arrive.shared::cta.b64 _,",
           count == 1 ? "" : ", " + std::to_string(count));
}

void mbarrierTryWaitParity(Builder &b, Value predicate, Value address, Value phase) {
  AsmText text;
  const std::string place = text.addAddress(address), parity = text.addOperand(phase, 'r');
  std::string code = "{\n.reg .pred done;\n";
  if (predicate)
    code += "@!" + text.addOperand(predicate, 'b') + " bra.uni skip;\n";
  code += "again:\nmbarrier.try_wait.parity.shared::cta.b64 done, " + place + ", " + parity +
          ";\n@!done bra.uni again;\n";
  code += predicate ? "skip:\n}" : "}";
  text.emit(b, code);
}

} // namespace tilescope::compiler::ptx
