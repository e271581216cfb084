// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_ATTRS_TD
#define TILESCOPE_TTNG_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuEnums.td"

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
    bits each. `CTASplitM` and `CTASplitN` of older versions say the same as `CGALayout` says.

    `#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>`
    `#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>`
  }];
  let parameters = (ins
    "unsigned":$blockM, "unsigned":$blockN, "unsigned":$colStride, "::tilescope::ttg::CgaLayoutAttr":$cgaLayout,
    "bool":$twoCTAs, "bool":$fp4Padded);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTNG_TensorMemoryScalesEncoding : TTNG_Attr<"TensorMemoryScalesEncoding", "tensor_memory_scales_encoding"> {
  let summary = "scales of a factor in tensor memory";
  let description = [{
    Blocks of 32 rows by 4 scales follow one another down the factor, then along K, or the other way round.

    `#ttng.tensor_memory_scales_encoding<>`
    `#ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0]], blockRepOrder = kThenMn>`
  }];
  let parameters = (ins "::tilescope::ttg::CgaLayoutAttr":$cgaLayout, "::tilescope::ttng::ScaleBlockOrder":$blockRepOrder);
  let hasCustomAssemblyFormat = 1;
}

#endif
