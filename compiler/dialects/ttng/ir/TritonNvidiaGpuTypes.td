// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTNG_TYPES_TD
#define TILESCOPE_TTNG_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialects/ttng/ir/TritonNvidiaGpuDialect.td"

def TTNG_TensorDescIm2Col : TypeDef<TTNG_Dialect, "TensorDescIm2Col"> {
  let mnemonic = "tensordesc_im2col";
  let summary = "descriptor of images in global memory";
  let description = [{
    Images of several channels, of which blocks of pixels by channels are loaded, as a convolution multiplies them:
    `!ttng.tensordesc_im2col<tensor<64x128xf16, #shared>>`. Each pixel of a block is at its place in the images, moved by
    the offsets of a load.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
    return $_get(blockType.getContext(), blockType);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

#endif
