// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_BASE_TD
#define TILESCOPE_TM_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialects/tm/ir/TmAttrs.td"

def TM_Tensor : Type<CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, "tensor of a known rank",
                     "::mlir::RankedTensorType">;

/// Values in, values out.
class TM_Op<string mnemonic, list<Trait> traits = []> : Op<TM_Dialect, mnemonic, [Pure] # traits> {
  let results = (outs TM_Tensor:$result);
  let description = summary;
}

#endif
