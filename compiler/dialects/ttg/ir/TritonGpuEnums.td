// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_ENUMS_TD
#define TILESCOPE_TTG_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTG_Local : I32BitEnumAttrCaseBit<"Local", 0, "local">;
def TTG_GlobalRead : I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">;
def TTG_GlobalWrite : I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">;
def TTG_TensorRead : I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">;
def TTG_TensorWrite : I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">;

def TTG_MemorySpacesAttr : I32BitEnumAttr<"MemorySpaces", "memories that a barrier makes visible", [
    I32BitEnumAttrCaseNone<"None", "none">, TTG_Local, TTG_GlobalRead, TTG_GlobalWrite, TTG_TensorRead,
    TTG_TensorWrite,
    I32BitEnumAttrCaseGroup<"All", [TTG_Local, TTG_GlobalRead, TTG_GlobalWrite, TTG_TensorRead, TTG_TensorWrite], "all">]> {
  let cppNamespace = "::tilescope::ttg";
  let separator = "|";
  let printBitEnumPrimaryGroups = 1;
}

#endif
