// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_ATTRS_TD
#define TILESCOPE_TM_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "compiler/dialects/tm/ir/TmDialect.td"

def TM_Extents : AttrDef<TM_Dialect, "Extents"> {
  let mnemonic = "extents";
  let summary = "extents, or other whole numbers, of which some are symbolic";
  let description = [{
    `#tm.extents<N, 3, (H + 1) floordiv 2, "batch size">`: sums, products and quotients of names and numbers, as the
    encoding of a tensor type of which some extents are not known, or as an operand of an operation.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::AffineExpr">:$values);
  let hasCustomAssemblyFormat = 1;
}

class TM_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilescope::tm";
}
def TM_Comparison : TM_Enum<"Comparison", "what is asked of two elements", [
  I32EnumAttrCase<"Equal", 0, "eq">, I32EnumAttrCase<"Less", 1, "lt">, I32EnumAttrCase<"LessEqual", 2, "le">,
  I32EnumAttrCase<"Greater", 3, "gt">, I32EnumAttrCase<"GreaterEqual", 4, "ge">]>;
def TM_ReduceKind : TM_Enum<"ReduceKind", "how elements are combined", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">, I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">, I32EnumAttrCase<"Prod", 4, "prod">]>;
def TM_PadMode : TM_Enum<"PadMode", "what is put around a tensor", [
  I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Reflect", 1, "reflect">,
  I32EnumAttrCase<"Edge", 2, "edge">, I32EnumAttrCase<"Wrap", 3, "wrap">]>;

#endif
