// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "compiler/dialects/tt/ir/LayoutInterface.h"
#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/AsmParser/AsmParser.h"

#include <catch2/catch.hpp>
#include <string>

using namespace mlir;
using namespace tilescope;
using ttg::ConversionKind;

namespace {
struct Fixture {
  Fixture() { context.loadDialect<ttg::TTGDialect>(); }

  Attribute encoding(const std::string &text) {
    Attribute result = parseAttribute(text, &context);
    REQUIRE(result);
    return result;
  }
  RankedTensorType type(const std::string &text) {
    auto result = dyn_cast_or_null<RankedTensorType>(parseType(text, &context));
    REQUIRE(result);
    return result;
  }
  const tt::InferLayoutInterface &inference(Attribute encoding) {
    return *tt::getInferLayoutInterface(encoding);
  }
  std::string text(Attribute attribute) {
    std::string result;
    llvm::raw_string_ostream stream(result);
    attribute.print(stream);
    return result;
  }

  MLIRContext context;
};

const std::string kRows = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
                          "warpsPerCTA = [4, 1], order = [1, 0]}>";
const std::string kColumns = "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], "
                             "warpsPerCTA = [1, 4], order = [0, 1]}>";
const std::string kMma = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, "
                         "2], instrShape = [16, 8]}>";
} // namespace

TEST_CASE("encodings become layouts of the tensor's shape", "[compiler][ttg]") {
  Fixture f;
  RankedTensorType type = f.type("tensor<16x32xf16, " + kRows + ">");
  const compiler::LinearLayout &layout = ttg::toLinearLayout(type);
  CHECK(layout.toString() == "register: [[0, 1], [0, 2]]\n"
                             "lane: [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]\n"
                             "warp: [[4, 0], [8, 0]]\n"
                             "block: []\n"
                             "of dim0:16 dim1:32");
  // Asked again, it is the same object.
  CHECK(&ttg::toLinearLayout(type) == &layout);
  CHECK(ttg::contiguousPerThread(type) == llvm::SmallVector<unsigned>{1, 4});
  CHECK(ttg::elementsPerThread(type) == 4);
  CHECK(ttg::fastestDims(type) == llvm::SmallVector<unsigned>{1, 0});

  RankedTensorType slice = f.type("tensor<32xf16, #ttg.slice<{dim = 0, parent = " + kRows + "}>>");
  CHECK(ttg::toLinearLayout(slice).toString() == "register: [[1], [2]]\n"
                                                 "lane: [[4], [8], [16], [0], [0]]\n"
                                                 "warp: [[0], [0]]\n"
                                                 "block: []\n"
                                                 "of dim0:32");
  CHECK(ttg::fastestDims(slice) == llvm::SmallVector<unsigned>{0});
}

TEST_CASE("views of buffers keep the layout of what was allocated", "[compiler][ttg]") {
  Fixture f;
  Type type = parseType(
      "!ttg.memdesc<8x16xf16, #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = "
      "[1, 0]}>, #ttg.shared_memory, mutable, 2x8x32>",
      &f.context);
  REQUIRE(type);
  auto buffer = cast<ttg::MemDescType>(type);
  const compiler::LinearLayout &layout = ttg::toLinearLayout(buffer);
  CHECK(layout.outSize(compiler::tensorDim(1)) == 32);
  CHECK(layout.outSize(compiler::tensorDim(0)) == 8);
}

TEST_CASE("pieces are dealt out to partitions, which follow one another", "[compiler][ttg]") {
  Fixture f;
  Attribute parts =
      f.encoding("#ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, "
                 "partitionLayout = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "
                 "order = [1, 0]}>}>");
  // Pieces of two rows: rows 0 and 1, then 4 and 5, are in the first partition.
  CHECK(ttg::toLinearLayout({8, 4}, parts).toString() ==
        "offset: [[0, 1], [0, 2], [1, 0], [4, 0], [2, 0]]\n"
        "block: []\n"
        "of dim0:8 dim1:4");
  CHECK(ttg::getEncodingRank(parts) == 2);
  // A buffer with fewer rows than pieces has fewer pieces.
  CHECK(ttg::toLinearLayout({2, 4}, parts).toString() == "offset: [[0, 1], [0, 2], [1, 0]]\n"
                                                         "block: []\n"
                                                         "of dim0:2 dim1:4");
}

TEST_CASE("clusters divide blocks and buffers alike, however they are written", "[compiler][ttg]") {
  Fixture f;
  const std::string rows = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], "
                           "warpsPerCTA = [4, 1], order = [1, 0], ";
  const Attribute now = f.encoding(rows + "CGALayout = [[0, 0], [1, 0]]}>");
  const Attribute before =
      f.encoding(rows + "CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>");
  CHECK(now == before);
  CHECK(ttg::toLinearLayout({32, 32}, now).toString() ==
        "register: [[0, 1], [0, 2]]\n"
        "lane: [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]\n"
        "warp: [[4, 0], [8, 0]]\n"
        "block: [[0, 0], [16, 0]]\n"
        "of dim0:32 dim1:32");
}

TEST_CASE("conversions are told apart by what they move between", "[compiler][ttg]") {
  Fixture f;
  auto classify = [&](const std::string &from, const std::string &to) {
    return ttg::classifyConversion(f.type("tensor<16x32xf16, " + from + ">"),
                                   f.type("tensor<16x32xf16, " + to + ">"));
  };
  CHECK(classify(kRows, kRows) == ConversionKind::None);
  CHECK(classify(kRows, kColumns) == ConversionKind::SharedMemory);
  // The same lanes and warps, registers in another order.
  std::string rows = "#ttg.linear<{register = [[0, 2], [0, 1]], lane = [[0, 4], [0, 8], [0, 16], "
                     "[1, 0], [2, 0]], warp "
                     "= [[4, 0], [8, 0]], block = []}>";
  CHECK(classify(kRows, rows) == ConversionKind::Registers);
  std::string lanes =
      "#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [0, 8], [0, 16], [0, 4], [2, 0]], "
      "warp = [[4, 0], [8, 0]], block = []}>";
  CHECK(classify(kRows, lanes) == ConversionKind::Lanes);
}

TEST_CASE("encodings of results follow from those of operands", "[compiler][ttg]") {
  Fixture f;
  Attribute rows = f.encoding(kRows), mma = f.encoding(kMma);
  const tt::InferLayoutInterface &infer = f.inference(rows);
  llvm::SmallVector<int64_t> shape{16, 32}, flat{512}, tall{16, 32, 2};
  llvm::SmallVector<int32_t> swap{1, 0};

  CHECK(*infer.inferTrans(rows, shape, swap, {}) ==
        f.encoding("#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = "
                   "[1, 4], order = [0, 1]}>"));
  CHECK(isa<ttg::LinearEncodingAttr>(*infer.inferTrans(mma, shape, swap, {})));

  Attribute slice = *infer.inferReduce(rows, 1, {});
  CHECK(f.text(slice) == "#ttg.slice<{dim = 1, parent = " + kRows + "}>");
  CHECK(*infer.inferExpandDims(slice, 1, {}) == rows);
  CHECK(failed(infer.inferExpandDims(slice, 0, {})));
  CHECK(failed(infer.inferExpandDims(rows, 0, {})));

  // 32 elements of a row, then the next row: one dimension says it as well.
  Attribute line = *infer.inferReshape(rows, shape, flat, {});
  CHECK(
      f.text(line) ==
      "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>");
  CHECK(infer.areEquivalent(shape, *infer.inferReshape(line, flat, shape, {}), rows));

  Attribute joined = *infer.inferJoin(rows, shape, {});
  CHECK(f.text(joined) ==
        "#ttg.blocked<{sizePerThread = [1, 4, 2], threadsPerWarp = [4, 8, 1], warpsPerCTA = [4, 1, "
        "1], order = [2, 1, 0]}>");
  CHECK(*infer.inferSplit(joined, tall, {}) == rows);
  Attribute joinedMma = *infer.inferJoin(mma, shape, {});
  CHECK(infer.areEquivalent(shape, *infer.inferSplit(joinedMma, tall, {}), mma));
  CHECK(failed(infer.inferSplit(rows, shape, {})));
}

TEST_CASE("dots check the layouts of their factors", "[compiler][ttg]") {
  Fixture f;
  Attribute mma = f.encoding(kMma);
  const tt::InferLayoutInterface &infer = f.inference(mma);
  Attribute a = f.encoding("#ttg.dot_op<{opIdx = 0, parent = " + kMma + ", kWidth = 2}>");
  CHECK(succeeded(infer.verifyDotOperand(a, 0, mma, {})));
  CHECK(failed(infer.verifyDotOperand(a, 1, mma, {})));
  CHECK(failed(infer.verifyDotOperand(a, 0, f.encoding(kRows), {})));
  CHECK(failed(infer.verifyDotOperand(f.encoding(kRows), 0, mma, {})));
}

TEST_CASE("equivalent encodings may be written differently", "[compiler][ttg]") {
  Fixture f;
  Attribute rows = f.encoding(kRows);
  llvm::SmallVector<int64_t> shape{16, 32}, wide{16, 64};
  Attribute bases = f.encoding(
      "#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, "
      "0]], warp = [[4, 0], [8, 0]], block = []}>");
  CHECK(f.inference(rows).areEquivalent(shape, rows, bases));
  CHECK(f.inference(rows).areEquivalent(wide, rows, bases));
  CHECK_FALSE(f.inference(rows).areEquivalent(shape, rows, f.encoding(kColumns)));
  CHECK(ttg::asBlocked(&f.context, shape, ttg::toLinearLayout(shape, bases),
                       ttg::CgaLayoutAttr::getSingle(&f.context, 2)) == rows);
}
