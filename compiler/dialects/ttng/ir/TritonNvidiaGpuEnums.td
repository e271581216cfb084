// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_ENUMS_TD
#define TILESCOPE_TTNG_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.td"

class TTNG_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::tilescope::ttng";
}

def TTNG_PackedArithOpKindAttr : TTNG_Enum<"PackedArithOpKind", "packed arithmetic", [
  I32EnumAttrCase<"ADD", 0, "add">, I32EnumAttrCase<"SUB", 1, "sub">, I32EnumAttrCase<"MUL", 2, "mul">,
  I32EnumAttrCase<"FMA", 3, "fma">, I32EnumAttrCase<"MIN", 4, "min">, I32EnumAttrCase<"MAX", 5, "max">]>;

def TTNG_PackedArithTypeAttr : TTNG_Enum<"PackedArithType", "type of a pack", [
  I32EnumAttrCase<"F32X2", 0, "f32x2">, I32EnumAttrCase<"F16X2", 1, "f16x2">, I32EnumAttrCase<"BF16X2", 2, "bf16x2">,
  I32EnumAttrCase<"E5M2X4", 3, "e5m2x4">, I32EnumAttrCase<"E4M3X4", 4, "e4m3x4">, I32EnumAttrCase<"E2M1X4", 5, "e2m1x4">,
  I32EnumAttrCase<"E2M1P4X4", 6, "e2m1p4x4">, I32EnumAttrCase<"UE8M0X4", 7, "ue8m0x4">]>;

def TTNG_TensorAccessAttr : TTNG_Enum<"TensorAccess", "access to tensor memory", [
  I32EnumAttrCase<"LOAD", 0, "load">, I32EnumAttrCase<"STORE", 1, "store">]>;

def TTNG_LoadReductionAttr : TTNG_Enum<"LoadReduction", "reduction of a load from tensor memory", [
  I32EnumAttrCase<"MIN", 1, "min">, I32EnumAttrCase<"MAX", 2, "max">]> {
  let genSpecializedAttr = 0;
}
// `#ttng.redOp<max>`
def TTNG_LoadReductionEnum : EnumAttr<TTNG_Dialect, TTNG_LoadReductionAttr, "redOp"> {
  let assemblyFormat = "`<` $value `>`";
}

def TTNG_ScaleBlockOrder : TTNG_Enum<"ScaleBlockOrder", "order in which blocks of scales follow one another", [
  I32EnumAttrCase<"MN_THEN_K", 0, "mnThenK">, I32EnumAttrCase<"K_THEN_MN", 1, "kThenMn">]> {
  let genSpecializedAttr = 0;
}

#endif
