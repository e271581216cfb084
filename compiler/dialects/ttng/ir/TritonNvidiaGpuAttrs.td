// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_ATTRS_TD
#define TILESCOPE_TTNG_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.td"

class TTNG_Attr<string name, string attrMnemonic> : AttrDef<TTNG_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def TTNG_TensorMemorySpace : TTNG_Attr<"TensorMemorySpace", "tensor_memory"> {
  let summary = "the tensor memory of a multiprocessor";
  let description = "`#ttng.tensor_memory`: 128 rows by 512 columns of 32 bits.";
}

def TTNG_TensorMemoryEncoding : TTNG_Attr<"TensorMemoryEncoding", "tensor_memory_encoding"> {
  let summary = "a block in tensor memory, as results of matrix instructions of `blockM` rows lie";
  let description = [{
    `colStride` is the distance from one element of a row to the next, in elements: 2 for 16-bit values that take 32
    bits each.

    `#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>`
  }];
  let parameters = (ins
    "unsigned":$blockM, "unsigned":$blockN, "unsigned":$colStride,
    DefaultValuedParameter<"unsigned", "1">:$CTASplitM, DefaultValuedParameter<"unsigned", "1">:$CTASplitN,
    DefaultValuedParameter<"bool", "false">:$twoCTAs);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TTNG_TensorMemoryScalesEncoding : TTNG_Attr<"TensorMemoryScalesEncoding", "tensor_memory_scales_encoding"> {
  let summary = "scales of a factor in tensor memory";
  let description = "`#ttng.tensor_memory_scales_encoding<>`";
  let parameters = (ins
    DefaultValuedParameter<"unsigned", "1">:$CTASplitM, DefaultValuedParameter<"unsigned", "1">:$CTASplitN);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
