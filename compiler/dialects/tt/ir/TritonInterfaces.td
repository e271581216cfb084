// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the families of operations share: base class, traits, the memory they touch.
#ifndef TILESCOPE_TT_INTERFACES_TD
#define TILESCOPE_TT_INTERFACES_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/dialects/tt/ir/TritonAttrs.td"
include "compiler/dialects/tt/ir/TritonTypes.td"

// Blocks have a power of two of elements, and no more than the language allows.
def TT_BlockSize : NativeOpTrait<"BlockSizeTrait"> { let cppNamespace = "::tilescope::tt"; }
// Where operands and results are blocks, they all carry the same encoding.
def TT_SameEncoding : NativeOpTrait<"SameEncodingTrait"> { let cppNamespace = "::tilescope::tt"; }
// The same, for operands only.
def TT_SameOperandsEncoding : NativeOpTrait<"SameOperandsEncodingTrait"> { let cppNamespace = "::tilescope::tt"; }
// Blocks agree in their shape, and blocks are not mixed with scalars.
def TT_SameShape : NativeOpTrait<"SameShapeTrait"> { let cppNamespace = "::tilescope::tt"; }

def TT_GlobalMemory : Resource<"::tilescope::tt::GlobalMemory">;

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, !listconcat(traits, [TT_BlockSize])>;

// An operation on each element by itself, without other effects.
class TT_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Pure, Elementwise, TT_SameShape, TT_SameEncoding], traits)>;

#endif
