// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TTG_ATTRS_TD
#define TILESCOPE_TTG_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialects/ttg/ir/TritonGpuDialect.td"

class TTG_Attr<string name, string attrMnemonic = ""> : AttrDef<TTG_Dialect, name> {
  let mnemonic = attrMnemonic;
}

// An attribute written `<{key = value, ...}>`.
class TTG_Encoding<string name, string attrMnemonic> : TTG_Attr<name # "Encoding", attrMnemonic> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_CgaLayout : TTG_Attr<"CgaLayout", "cga"> {
  let summary = "how the thread blocks of a cluster divide a tensor";
  let description = [{
    The images of the bits of a block's index in its cluster, `rank` numbers for each bit, one after the other.
    Encodings print it as `CGALayout = [[1, 0]]`, and not at all for one block.
  }];
  let parameters = (ins "unsigned":$rank, OptionalArrayRefParameter<"int32_t">:$bases);
  let assemblyFormat = "`<` $rank (`:` $bases^)? `>`";
  let extraClassDeclaration = [{
    /// One block that holds all of the tensor.
    static CgaLayoutAttr getSingle(::mlir::MLIRContext *context, unsigned rank);
    unsigned getNumBits() const { return getRank() ? getBases().size() / getRank() : 0; }
    ::llvm::ArrayRef<int32_t> getBasis(unsigned bit) const {
      return getBases().slice(bit * getRank(), getRank());
    }
    /// The same cluster for a tensor without, or with one more, dimension.
    CgaLayoutAttr dropDim(unsigned dim) const;
    CgaLayoutAttr insertDim(unsigned dim) const;
    /// Dimension i of the result is dimension order[i] of this.
    CgaLayoutAttr permute(::llvm::ArrayRef<int32_t> order) const;
  }];
}

def TTG_BlockedEncoding : TTG_Encoding<"Blocked", "blocked"> {
  let summary = "each thread holds a small box, lanes and warps tile boxes";
  let description = [{
    `order` lists dimensions fastest first.

    `#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>`
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$sizePerThread, ArrayRefParameter<"unsigned">:$threadsPerWarp,
    ArrayRefParameter<"unsigned">:$warpsPerCTA, ArrayRefParameter<"unsigned">:$order,
    "::tilescope::ttg::CgaLayoutAttr":$cgaLayout);
  let extraClassDeclaration = [{
    unsigned getRank() const { return getOrder().size(); }
    /// Lanes, then warps, spread over `shape`, fastest dimensions first; the slowest takes the rest.
    static BlockedEncodingAttr getDefault(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape,
                                          ::llvm::ArrayRef<unsigned> sizePerThread,
                                          ::llvm::ArrayRef<unsigned> order, unsigned numWarps,
                                          unsigned threadsPerWarp = 32);
  }];
}

def TTG_SliceEncoding : TTG_Encoding<"Slice", "slice"> {
  let summary = "a layout without one of its dimensions";
  let description = "`#ttg.slice<{dim = 1, parent = #blocked}>`";
  let parameters = (ins "unsigned":$dim, "::mlir::Attribute":$parent);
}

def TTG_LinearEncoding : TTG_Encoding<"Linear", "linear"> {
  let summary = "a layout given by its bases";
  let description = [{
    `#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>`
  }];
  let parameters = (ins "::tilescope::compiler::LinearLayout":$linearLayout);
  let extraClassDeclaration = "unsigned getRank() const { return getLinearLayout().outs().size(); }";
}

def TTG_GenericLinearEncoding : TTG_Encoding<"GenericLinear", "generic_linear"> {
  let summary = "a layout given by its bases, each of which may move along several dimensions";
  let description = [{
    `#ttg.generic_linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 1]], block = []}>`
  }];
  let parameters = (ins "::tilescope::compiler::LinearLayout":$linearLayout);
  let extraClassDeclaration = "unsigned getRank() const { return getLinearLayout().outs().size(); }";
}

def TTG_NvidiaMmaEncoding : TTG_Encoding<"NvidiaMma", "nvidia_mma"> {
  let summary = "the accumulator of a matrix instruction";
  let description = [{
    Version 2 is `mma.sync` with an instruction of [M, N], version 3 `wgmma` with [M, N, K]. The minor version
    may be left out where it is 0.

    `#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>`
  }];
  let parameters = (ins
    "unsigned":$versionMajor, "unsigned":$versionMinor, ArrayRefParameter<"unsigned">:$warpsPerCTA,
    "::tilescope::ttg::CgaLayoutAttr":$cgaLayout, ArrayRefParameter<"unsigned">:$instrShape);
  let extraClassDeclaration = [{
    unsigned getRank() const { return getWarpsPerCTA().size(); }
    bool isAmpere() const { return getVersionMajor() == 2; }
    bool isHopper() const { return getVersionMajor() == 3; }
  }];
}

def TTG_DotOperandEncoding : TTG_Encoding<"DotOperand", "dot_op"> {
  let summary = "a factor of a dot whose result has the parent layout";
  let description = [{
    `kWidth` elements along K sit side by side in a thread; 0 (not printed) with a blocked parent.

    `#ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>`
  }];
  let parameters = (ins "unsigned":$opIdx, "::mlir::Attribute":$parent, DefaultValuedParameter<"unsigned", "0">:$kWidth);
}

def TTG_SwizzledSharedEncoding : TTG_Encoding<"SwizzledShared", "swizzled_shared"> {
  let summary = "rows in shared memory whose chunks are permuted by XOR with the row's phase";
  let description = "`#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>`";
  let parameters = (ins
    "unsigned":$vec, "unsigned":$perPhase, "unsigned":$maxPhase, ArrayRefParameter<"unsigned">:$order,
    "::tilescope::ttg::CgaLayoutAttr":$cgaLayout);
  let extraClassDeclaration = "unsigned getRank() const { return getOrder().size(); }";
}

def TTG_PaddedSharedEncoding : TTG_Encoding<"PaddedShared", "padded_shared"> {
  let summary = "shared memory with gaps at regular intervals";
  let description = [{
    `[128:+8]` leaves 8 elements free after every 128.

    `#ttg.padded_shared<[128:+8] {order = [1, 0], shape = [64, 128]}>`
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$intervals, ArrayRefParameter<"unsigned">:$paddings,
    "::tilescope::compiler::LinearLayout":$linearLayout);
  let extraClassDeclaration = "unsigned getRank() const { return getLinearLayout().outs().size(); }";
}

def TTG_SharedLinearEncoding : TTG_Encoding<"SharedLinear", "shared_linear"> {
  let summary = "shared memory given by the bases of the offset";
  let description = "`#ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = []}, alignment = 16>`";
  let parameters = (ins "::tilescope::compiler::LinearLayout":$linearLayout, "unsigned":$layoutAlignment);
  let extraClassDeclaration = "unsigned getRank() const { return getLinearLayout().outs().size(); }";
}

def TTG_NvmmaSharedEncoding : TTG_Encoding<"NvmmaShared", "nvmma_shared"> {
  let summary = "shared memory as bulk copies write it and matrix instructions of sm_90 read it";
  let description = [{
    `#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>`
  }];
  let parameters = (ins
    "unsigned":$swizzlingByteWidth, "bool":$transposed, "unsigned":$elementBitWidth, "bool":$fp4Padded,
    "::tilescope::ttg::CgaLayoutAttr":$cgaLayout);
  let extraClassDeclaration = "unsigned getRank() const { return getCgaLayout().getRank(); }";
}

def TTG_PartitionedSharedEncoding : TTG_Encoding<"PartitionedShared", "partitioned_shared"> {
  let summary = "a buffer cut into pieces that are dealt out to partitions of shared memory";
  let description = [{
    The buffer is cut along `partitionDim` into `numPartitions` x `numGroups` pieces, each laid out as
    `partitionLayout` says. Piece i belongs to partition i mod `numPartitions`; here the partitions follow one
    another in memory.

    `#ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #shared}>`
  }];
  let parameters = (ins "unsigned":$numPartitions, "unsigned":$numGroups, "unsigned":$partitionDim,
                    "::mlir::Attribute":$partitionLayout);
  let extraClassDeclaration = "unsigned getNumPieces() const { return getNumPartitions() * getNumGroups(); }";
}

def TTG_SharedMemorySpace : TTG_Attr<"SharedMemorySpace", "shared_memory"> {
  let hasCustomAssemblyFormat = 1;
  let summary = "the shared memory of a thread block";
  let description = "`#ttg.shared_memory`";
}

#endif
