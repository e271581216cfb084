// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What programs touch, against the loops that the kernels stand for.
#include "compiler/pipeline/TraceTouches.h"

#include "compiler/access/arrays/PastEnd.h"
#include "compiler/access/arrays/TouchCounts.h"
#include "compiler/pipeline/TouchRecorder.h"
#include "tests/unit/compiler/pipeline/CompileKernel.h"

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

struct Kernel {
  std::string parameters, body;
  std::map<std::string, std::string> signature;
  std::map<std::string, uint64_t> scalars = {};
  /// Of the pointers, in the order of the parameters.
  std::map<std::string, std::vector<int64_t>> shapes = {};
  std::array<int32_t, 3> grid{1, 1, 1};
  /// Of pointers whose data matter.
  std::map<std::string, std::vector<int32_t>> data = {};
};

TouchedArrays trace(const Kernel &kernel, const ProgramSample &programs = {},
                    size_t mostBytes = size_t{24} << 20) {
  const CompileOutcome compiled =
      tests::compileKernel(kernel.parameters, kernel.body, kernel.signature, StageId::Ttir);
  const CompileResult &result = compiled.result;
  TouchInput input;
  input.grid = kernel.grid;
  input.programs = programs;
  input.mostBytes = mostBytes;
  input.numThreads = 2;
  std::map<std::string, std::vector<int32_t>> data = kernel.data;
  for (const auto &[name, shape] : kernel.shapes)
    data[name].resize(4096);
  input.argument = [&](const KernelParameter &parameter, bool withData) {
    InterpreterArgument argument;
    argument.name = parameter.name;
    if (const auto scalar = kernel.scalars.find(parameter.name); scalar != kernel.scalars.end())
      argument.bits = scalar->second;
    if (const auto found = data.find(parameter.name); withData && found != data.end()) {
      argument.data = reinterpret_cast<std::byte *>(found->second.data());
      argument.sizeBytes = found->second.size() * sizeof(int32_t);
    }
    return std::optional(argument);
  };
  TouchOutcome outcome = traceTouches(result, input);
  for (const Diagnostic &diagnostic : outcome.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(outcome.trace);
  for (RecordedArgument &argument : outcome.trace->arguments)
    if (const auto shape = kernel.shapes.find(argument.name); shape != kernel.shapes.end()) {
      argument.shape = shape->second;
      argument.elementBytes = 4;
    }
  return TouchedArrays(std::move(*outcome.trace));
}

/// The elements by number.
using Elements = std::set<int64_t>;

Elements touched(const TouchedArrays &arrays, size_t array, uint64_t program, TouchKind kind,
                 const StepRange &steps = {}) {
  const ArrayShape &shape = arrays.shape(array);
  Elements elements;
  for (const TouchedBox &each : arrays.boxes(array, program, steps)) {
    const TouchAccess &by = arrays.access(each.access);
    if (kind == TouchKind::Read ? !by.reads : !by.writes)
      continue;
    for (int64_t i = 0; i < each.box.count[1]; ++i)
      for (int64_t j = 0; j < each.box.count[2]; ++j)
        elements.insert(
            numberOf(shape, {each.box.first[0], each.box.first[1] + i * each.box.step[1],
                             each.box.first[2] + j * each.box.step[2]}));
  }
  return elements;
}

/// All (row, column) of a rectangle of a matrix with so many columns.
Elements rectangle(int64_t columns, int64_t row, int64_t column, int64_t height, int64_t width) {
  Elements elements;
  for (int64_t i = row; i < row + height; ++i)
    for (int64_t j = column; j < column + width; ++j)
      elements.insert(i * columns + j);
  return elements;
}

const Kernel kVectorAdd = {
    "x, y, out, n, BLOCK: tl.constexpr = 256",
    R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)
)",
    {{"x", "*fp32:16"}, {"y", "*fp32:16"}, {"out", "*fp32:16"}, {"n", "i32"}},
    {{"n", 1000}},
    {{"x", {1000}}, {"y", {1000}}, {"out", {1000}}},
    {4, 1, 1}};

const Kernel kTranspose = {"x, out, N: tl.constexpr = 32",
                           R"(    i = tl.program_id(0) * N + tl.arange(0, N)
    j = tl.program_id(1) * N + tl.arange(0, N)
    mask = (i[:, None] < 100) & (j[None, :] < 60)
    tile = tl.load(x + i[:, None] * 60 + j[None, :], mask=mask)
    tl.store(out + j[None, :] * 100 + i[:, None], tile, mask=mask)
)",
                           {{"x", "*fp32:16"}, {"out", "*fp32:16"}},
                           {},
                           {{"x", {100, 60}}, {"out", {60, 100}}},
                           {4, 2, 1}};

const Kernel kProduct = {
    "a, b, c, K, N: tl.constexpr = 128, T: tl.constexpr = 32, B: tl.constexpr = 16, "
    "GROUP: tl.constexpr = 2",
    R"(    pid = tl.program_id(0)
    m, n = tl.swizzle2d(pid // (N // T), pid % (N // T), N // T, N // T, GROUP)
    i = m * T + tl.arange(0, T)
    j = n * T + tl.arange(0, T)
    k = tl.arange(0, B)
    total = tl.zeros((T, T), dtype=tl.float32)
    for at in range(0, K, B):
        x = tl.load(a + (i % N)[:, None] * K + (at + k)[None, :], mask=(at + k)[None, :] < K)
        y = tl.load(b + (at + k)[:, None] * N + j[None, :], mask=(at + k)[:, None] < K)
        total = tl.dot(x, y, total)
    tl.store(c + i[:, None] * N + j[None, :], total)
)",
    {{"a", "*fp32:16"}, {"b", "*fp32:16"}, {"c", "*fp32:16"}, {"K", "i32"}},
    {{"K", 72}},
    {{"a", {128, 72}}, {"b", {72, 128}}, {"c", {128, 128}}},
    {16, 1, 1}};

} // namespace

TEST_CASE("a vector's programs touch their blocks, the last one what is left", "[compiler]") {
  const TouchedArrays arrays = trace(kVectorAdd);
  REQUIRE(arrays.numArrays() == 3);
  CHECK(arrays.isRead(0));
  CHECK_FALSE(arrays.isWritten(0));
  CHECK(arrays.isWritten(2));
  for (uint64_t program = 0; program < 4; ++program) {
    Elements expected;
    for (int64_t i = 0; i < 256; ++i)
      if (const int64_t element = static_cast<int64_t>(program) * 256 + i; element < 1000)
        expected.insert(element);
    CHECK(arrays.numSteps(program) == 1);
    CHECK(touched(arrays, 0, program, TouchKind::Read) == expected);
    CHECK(touched(arrays, 1, program, TouchKind::Read) == expected);
    CHECK(touched(arrays, 2, program, TouchKind::Written) == expected);
    CHECK(touched(arrays, 2, program, TouchKind::Read).empty());
  }
  // One run for each access of each program.
  CHECK(arrays.trace().runs.size() == 12);
  CHECK(arrays.access(0).operation == "tt.load");
  CHECK_FALSE(arrays.access(0).range.empty());
}

TEST_CASE("a transpose's programs touch a tile and its mirror image", "[compiler]") {
  const TouchedArrays arrays = trace(kTranspose);
  for (int64_t x = 0; x < 4; ++x)
    for (int64_t y = 0; y < 2; ++y) {
      const auto program = static_cast<uint64_t>(x + 4 * y);
      const int64_t height = std::min<int64_t>(32, 100 - 32 * x);
      const int64_t width = std::min<int64_t>(32, 60 - 32 * y);
      CHECK(touched(arrays, 0, program, TouchKind::Read) ==
            rectangle(60, 32 * x, 32 * y, height, width));
      CHECK(touched(arrays, 1, program, TouchKind::Written) ==
            rectangle(100, 32 * y, 32 * x, width, height));
    }
  CHECK(arrays.trace().runs.size() == 16);
}

TEST_CASE("a product's programs walk along a band of each factor", "[compiler]") {
  const TouchedArrays arrays = trace(kProduct);
  for (int64_t program = 0; program < 16; ++program) {
    // Bands of two rows of tiles, column by column.
    const int64_t row = program / 8 * 2 + program % 2, column = program % 8 / 2;
    const auto number = static_cast<uint64_t>(program);
    CHECK(arrays.numSteps(number) == 5);
    for (int64_t step = 0; step < 5; ++step) {
      INFO("program " << program << ", step " << step);
      const int64_t depth = std::min<int64_t>(16, 72 - 16 * step);
      const auto at = static_cast<uint32_t>(step);
      const StepRange now{at, at + 1};
      CHECK(touched(arrays, 0, number, TouchKind::Read, now) ==
            rectangle(72, 32 * row, 16 * step, 32, depth));
      CHECK(touched(arrays, 1, number, TouchKind::Read, now) ==
            rectangle(128, 16 * step, 32 * column, depth, 32));
      CHECK(touched(arrays, 2, number, TouchKind::Written, now).size() == (step == 4 ? 1024u : 0u));
    }
    CHECK(touched(arrays, 2, number, TouchKind::Written) ==
          rectangle(128, 32 * row, 32 * column, 32, 32));
  }
  // Four whole steps are one run, the last one, which is cut off, another; and the store.
  CHECK(arrays.trace().runs.size() == 16 * 5);
  const auto counts = countTouches(arrays, 0, {0, 16}, TouchKind::Read);
  CHECK(counts->least() == 4);
  CHECK(counts->most() == 4);
}

TEST_CASE("what is read through indices from memory is traced with the data", "[compiler]") {
  Kernel kernel = {"index, x, out, BLOCK: tl.constexpr = 64",
                   R"(    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    rows = tl.load(index + i)
    tl.store(out + i, tl.load(x + rows, mask=rows % 3 != 0))
)",
                   {{"index", "*i32:16"}, {"x", "*fp32:16"}, {"out", "*fp32:16"}},
                   {},
                   {{"index", {128}}, {"x", {4096}}, {"out", {128}}},
                   {2, 1, 1}};
  for (int32_t i = 0; i < 128; ++i)
    kernel.data["index"].push_back(i * i % 4093);
  const TouchedArrays arrays = trace(kernel);
  CHECK(arrays.trace().dependsOnData);
  for (int32_t program = 0; program < 2; ++program) {
    Elements expected;
    for (int32_t i = 64 * program; i < 64 * program + 64; ++i)
      if (i * i % 4093 % 3 != 0)
        expected.insert(i * i % 4093);
    CHECK(touched(arrays, 1, static_cast<uint64_t>(program), TouchKind::Read) == expected);
  }
}

TEST_CASE("loops are steps one after another, and atomics read and write", "[compiler]") {
  const TouchedArrays arrays = trace({"x, out, BLOCK: tl.constexpr = 16",
                                      R"(    i = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(3):
        total += tl.load(x + k * BLOCK + i)
    for k in range(2):
        total += tl.load(x + (k * BLOCK + i) * 2)
    tl.atomic_add(out + tl.program_id(0), tl.sum(total, axis=0))
)",
                                      {{"x", "*fp32:16"}, {"out", "*fp32:16"}},
                                      {},
                                      {{"x", {64}}, {"out", {2}}},
                                      {2, 1, 1}});
  CHECK(arrays.numSteps(1) == 5);
  CHECK(touched(arrays, 0, 1, TouchKind::Read, {1, 2}) == rectangle(1, 16, 0, 16, 1));
  Elements even;
  for (int64_t i = 0; i < 16; ++i)
    even.insert(32 + 2 * i);
  CHECK(touched(arrays, 0, 1, TouchKind::Read, {4, 5}) == even);
  CHECK(touched(arrays, 1, 1, TouchKind::Read, {4, 5}) == Elements{1});
  CHECK(touched(arrays, 1, 1, TouchKind::Written, {4, 5}) == Elements{1});
}

TEST_CASE("blocks of which a mask turns a part off are traced, too", "[compiler]") {
  const TouchedArrays arrays = trace(kVectorAdd);
  for (size_t array = 0; array < 3; ++array) {
    CHECK(countOutside(arrays, array, 2, {}) == OutsideCounts{});
    CHECK(countOutside(arrays, array, 3, {}) == OutsideCounts{24, 0, 0});
  }
  // The fifth turn reads 8 of 16 columns.
  const TouchedArrays product = trace(kProduct);
  CHECK(countOutside(product, 0, 3, {3, 4}) == OutsideCounts{});
  CHECK(countOutside(product, 0, 3, {4, 5}) == OutsideCounts{32 * 8, 0, 0});
  CHECK(maskedBlocks(product, 0, 0, {4, 5}) ==
        std::vector{ElementBox{{0, 0, 64}, {1, 32, 16}, {1, 1, 1}}});
  Kernel bare = kVectorAdd;
  bare.body.replace(bare.body.find("i < n"), 5, "i < 2000");
  CHECK(countOutside(trace(bare), 2, 3, {}) == OutsideCounts{0, 0, 24});
}

TEST_CASE("some programs are traced alone", "[compiler]") {
  const TouchedArrays every = trace(kProduct, {1, UINT64_MAX, 6});
  CHECK(every.trace().programs == ProgramSample{1, 3, 6});
  CHECK(every.has(13));
  CHECK(touched(every, 2, 7, TouchKind::Written).size() == 1024);
  CHECK(touched(every, 2, 8, TouchKind::Written).empty());
  CHECK(trace(kProduct, {}, 1000).trace().isCut);
  CHECK_FALSE(every.trace().isCut);
}

TEST_CASE("addresses without order are kept as few pieces", "[compiler]") {
  CHECK(latticesOf({}, 4).empty());
  CHECK(latticesOf({108, 100, 104, 104}, 4) == std::vector{Lattice{100, {{3, 4}}}});
  // Rows of two, then a single one.
  CHECK(latticesOf({0, 4, 100, 104, 200, 204, 300}, 4) ==
        std::vector{Lattice{0, {{3, 100}, {2, 4}}}, Lattice{300, {}}});
}
