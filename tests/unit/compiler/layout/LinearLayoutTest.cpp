// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/Encodings.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <unordered_set>

using namespace tilescope::compiler;

namespace {
const Dim kRow = tensorDim(0), kColumn = tensorDim(1);

/// Deterministic random layouts; what is drawn need be neither surjective nor injective.
class RandomLayouts {
public:
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_engine); }

  DimList dims(std::initializer_list<Dim> names, int mostBits) {
    DimList result;
    for (Dim name : names)
      result.push_back({name, static_cast<uint8_t>(number(0, mostBits))});
    return result;
  }

  LinearLayout any(const DimList &ins, const DimList &outs) {
    int inBits = 0, outBits = 0;
    for (const DimBits &in : ins)
      inBits += in.bits;
    for (const DimBits &out : outs)
      outBits += out.bits;
    LinearLayout::Columns columns;
    for (int i = 0; i < inBits; ++i)
      columns.push_back(m_engine() & ((uint64_t(1) << outBits) - 1));
    return {ins, outs, columns};
  }

  LinearLayout invertible() {
    for (;;) {
      DimList ins = dims({Dim::Register, Dim::Lane, Dim::Warp}, 4);
      int total = ins[0].bits + ins[1].bits + ins[2].bits, row = number(0, total);
      DimList outs{{kColumn, static_cast<uint8_t>(total - row)}, {kRow, static_cast<uint8_t>(row)}};
      LinearLayout layout = any(ins, outs);
      if (layout.isInvertible())
        return layout;
    }
  }

private:
  std::mt19937_64 m_engine{20240607};
};

LinearLayout headerExample() {
  return LinearLayout::identity(2, Dim::Register, kColumn) *
         LinearLayout::identity(2, Dim::Lane, kColumn) * LinearLayout::identity(4, Dim::Lane, kRow);
}
} // namespace

TEST_CASE("the worked example of the header", "[compiler][layout]") {
  LinearLayout layout = headerExample();
  CHECK(layout.toString() == "register: [[0, 1]]\n"
                             "lane: [[0, 2], [1, 0], [2, 0]]\n"
                             "of dim0:4 dim1:4");
  CHECK(layout.apply({{Dim::Register, 1}, {Dim::Lane, 5}}) == Coordinates{{kColumn, 3}, {kRow, 2}});
  // The packed image is the row-major index.
  CHECK(layout.applyPacked(layout.packIn(Coordinates{{Dim::Register, 1}, {Dim::Lane, 5}})) ==
        2 * 4 + 3);
  CHECK(layout.isInvertible());
}

TEST_CASE("a layout is linear", "[compiler][layout]") {
  RandomLayouts random;
  for (int round = 0; round < 200; ++round) {
    LinearLayout layout = random.any(random.dims({Dim::Register, Dim::Lane, Dim::Block}, 5),
                                     random.dims({kColumn, kRow}, 6));
    uint64_t a = random.number(0, 1 << 15), b = random.number(0, 1 << 15);
    CHECK(layout.applyPacked(a ^ b) == (layout.applyPacked(a) ^ layout.applyPacked(b)));
  }
}

TEST_CASE("packed and named coordinates agree", "[compiler][layout]") {
  RandomLayouts random;
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = random.any(random.dims({Dim::Register, Dim::Lane, Dim::Warp}, 4),
                                     random.dims({kColumn, kRow}, 5));
    for (int64_t in = 0; in < (int64_t(1) << layout.totalInBits()); in += 7) {
      Coordinates place = layout.unpackIn(in);
      CHECK(layout.packIn({place.data(), place.size()}) == static_cast<uint64_t>(in));
      Coordinates expected = layout.unpackOut(layout.applyPacked(in));
      CHECK(layout.apply({place.data(), place.size()}) == expected);
      // By definition: the XOR of the bases at the set bits.
      int64_t row = 0;
      for (const DimValue &value : place)
        for (int bit = 0; bit < layout.inBits(value.dim); ++bit)
          if (value.value >> bit & 1)
            row ^= layout.basis(value.dim, bit, kRow);
      CHECK(expected[1].value == row);
    }
  }
}

TEST_CASE("composition applies one layout after the other", "[compiler][layout]") {
  RandomLayouts random;
  for (int round = 0; round < 100; ++round) {
    LinearLayout inner =
        random.any(random.dims({Dim::Register, Dim::Lane}, 4), random.dims({kColumn, kRow}, 4));
    DimList middle{inner.outs()[1], inner.outs()[0]};
    LinearLayout outer = random.any(middle, random.dims({Dim::Offset}, 8));
    LinearLayout both = inner.compose(outer);
    for (int i = 0; i < (1 << inner.totalInBits()); i += 3) {
      Coordinates between = inner.unpackOut(inner.applyPacked(i));
      CHECK(both.applyPacked(i) ==
            outer.applyPacked(outer.packIn({between.data(), between.size()})));
    }
  }
}

TEST_CASE("direct sums stack bits and divide again", "[compiler][layout]") {
  LinearLayout left = LinearLayout::identity(4, Dim::Register, kRow);
  LinearLayout right = LinearLayout::identity(2, Dim::Register, kRow) *
                       LinearLayout::identity(8, Dim::Lane, kColumn);
  LinearLayout sum = left * right;
  CHECK(sum.basis(Dim::Register, 2, kRow) == 4);
  CHECK(sum.basis(Dim::Lane, 1, kColumn) == 2);
  CHECK(LinearLayout() * sum == sum);
  CHECK(sum * LinearLayout() == sum);

  RandomLayouts random;
  for (int round = 0; round < 200; ++round) {
    LinearLayout a =
        random.any(random.dims({Dim::Register, Dim::Lane}, 3), random.dims({kColumn, kRow}, 3));
    LinearLayout b =
        random.any(random.dims({Dim::Register, Dim::Lane}, 3), random.dims({kColumn, kRow}, 3));
    LinearLayout c =
        random.any(random.dims({Dim::Register, Dim::Lane}, 2), random.dims({kColumn, kRow}, 2));
    CHECK((a * b) * c == a * (b * c));
    std::optional<LinearLayout> quotient = (a * b).divideLeft(a);
    REQUIRE(quotient);
    CHECK(*quotient == b);
    CHECK((a * b).inSize(Dim::Lane) == a.inSize(Dim::Lane) * b.inSize(Dim::Lane));
  }
  CHECK_FALSE(left.divideLeft(LinearLayout::strided(2, 2, Dim::Register, kRow)));
  CHECK_FALSE(left.divideLeft(LinearLayout::identity(8, Dim::Register, kRow)));
}

TEST_CASE("inverses undo invertible layouts", "[compiler][layout]") {
  RandomLayouts random;
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = random.invertible();
    LinearLayout inverse = layout.invert();
    for (uint64_t i = 0; i < (uint64_t(1) << layout.totalInBits()); i += 5)
      CHECK(inverse.applyPacked(layout.applyPacked(i)) == i);
    CHECK(inverse.invert() == layout);
  }
}

TEST_CASE("pseudoinverses of surjective layouts find a place of every element",
          "[compiler][layout]") {
  RandomLayouts random;
  int tried = 0;
  while (tried < 50) {
    LinearLayout layout = random.any(random.dims({Dim::Register, Dim::Lane, Dim::Warp}, 4),
                                     random.dims({kColumn, kRow}, 3));
    if (!layout.isSurjective())
      continue;
    ++tried;
    LinearLayout places = layout.pseudoinvert();
    for (uint64_t element = 0; element < (uint64_t(1) << layout.totalOutBits()); ++element)
      CHECK(layout.applyPacked(places.applyPacked(element)) == element);
  }
}

TEST_CASE("rank counts the elements that are reached", "[compiler][layout]") {
  RandomLayouts random;
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout =
        random.any(random.dims({Dim::Register, Dim::Lane}, 4), random.dims({kColumn, kRow}, 4));
    std::set<uint64_t> reached;
    for (uint64_t i = 0; i < (uint64_t(1) << layout.totalInBits()); ++i)
      reached.insert(layout.applyPacked(i));
    CHECK(reached.size() == size_t(1) << layout.rank());
    CHECK(layout.isSurjective() == (reached.size() == size_t(1) << layout.totalOutBits()));
    CHECK(layout.isInjective() == (reached.size() == size_t(1) << layout.totalInBits()));
  }
}

TEST_CASE("a conversion finds the place of the same element", "[compiler][layout]") {
  RandomLayouts random;
  int solved = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    DimList outs = random.dims({kColumn, kRow}, 4);
    LinearLayout to = random.any(random.dims({Dim::Register, Dim::Lane, Dim::Warp}, 3), outs);
    LinearLayout from = random.any(random.dims({Dim::Register, Dim::Lane, Dim::Warp}, 4), outs);
    std::optional<LinearLayout> conversion = to.invertAndCompose(from);
    std::optional<LinearLayout> plain = leastSquares(from, to);
    CHECK(conversion.has_value() == plain.has_value());
    if (!conversion) {
      ++refused;
      continue;
    }
    ++solved;
    for (uint64_t i = 0; i < (uint64_t(1) << to.totalInBits()); ++i) {
      CHECK(from.applyPacked(conversion->applyPacked(i)) == to.applyPacked(i));
      CHECK(from.applyPacked(plain->applyPacked(i)) == to.applyPacked(i));
    }
  }
  CHECK(solved > 20);
  CHECK(refused > 20);
}

TEST_CASE("warps that hold copies on both sides stay where they are", "[compiler][layout]") {
  LinearLayout copies = LinearLayout::zeros(4, Dim::Warp, kColumn);
  LinearLayout to = LinearLayout::identity(8, Dim::Register, kColumn) * copies;
  LinearLayout from = LinearLayout::identity(8, Dim::Lane, kColumn) * copies;
  LinearLayout conversion = to.invertAndCompose(from).value();
  CHECK(conversion.basis(Dim::Warp, 0, Dim::Warp) == 1);
  CHECK(conversion.basis(Dim::Warp, 1, Dim::Warp) == 2);
  CHECK(conversion.basis(Dim::Register, 2, Dim::Lane) == 4);

  std::vector<Dim> warps{Dim::Warp};
  LinearLayout within = conversion.quotient(warps).value();
  CHECK_FALSE(within.hasIn(Dim::Warp));
  CHECK(within.isTrivialOver({Dim::Block}));
  std::vector<Dim> registers{Dim::Register};
  CHECK_FALSE(within.quotient(registers));
}

TEST_CASE("free bits never change which elements are reached", "[compiler][layout]") {
  RandomLayouts random;
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = random.any(random.dims({Dim::Register, Dim::Lane, Dim::Warp}, 3),
                                     random.dims({kColumn, kRow}, 3));
    Coordinates masks = layout.freeVariableMasks();
    uint64_t free = layout.packIn({masks.data(), masks.size()});
    std::set<uint64_t> all, once;
    size_t visits = 0;
    for (uint64_t i = 0; i < (uint64_t(1) << layout.totalInBits()); ++i) {
      all.insert(layout.applyPacked(i));
      if ((i & free) == 0) {
        once.insert(layout.applyPacked(i));
        ++visits;
      }
    }
    CHECK(once == all);
    CHECK(visits == all.size());
  }
}

TEST_CASE("consecutive registers give the vector width", "[compiler][layout]") {
  auto width = [](LinearLayout layout) { return layout.canonicalOuts().numConsecutiveInOut(); };
  CHECK(width(headerExample()) == 2);
  CHECK(width(LinearLayout::identity(8, Dim::Register, kColumn)) == 8);
  CHECK(width(LinearLayout::strided(8, 2, Dim::Register, kColumn)) == 1);
  // Lanes that start inside the run forbid it.
  LinearLayout overlapping({{Dim::Register, 2}, {Dim::Lane, 1}}, {{kColumn, 3}}, {1, 2, 6});
  CHECK(overlapping.numConsecutiveInOut() == 2);
}

TEST_CASE("reshaping keeps row-major order", "[compiler][layout]") {
  LinearLayout layout = headerExample();
  LinearLayout flat = layout.reshapeOuts({{kRow, 4}});
  LinearLayout tall = layout.reshapeOuts({{kColumn, 1}, {kRow, 3}});
  for (uint64_t i = 0; i < 16; ++i) {
    Coordinates at = layout.unpackOut(layout.applyPacked(i));
    int64_t index = at[1].value * 4 + at[0].value;
    CHECK(flat.unpackOut(flat.applyPacked(i))[0].value == index);
    CHECK(tall.unpackOut(tall.applyPacked(i))[1].value == index / 2);
    CHECK(tall.unpackOut(tall.applyPacked(i))[0].value == index % 2);
  }
}

TEST_CASE("dimensions can be reordered, renamed, taken apart and put together",
          "[compiler][layout]") {
  RandomLayouts random;
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = random.any({{Dim::Register, 2}, {Dim::Lane, 3}, {Dim::Warp, 1}},
                                     random.dims({kColumn, kRow}, 4));
    std::vector<Dim> ins{Dim::Warp, Dim::Register, Dim::Lane}, outs{kRow, kColumn};
    LinearLayout moved = layout.transposeIns(ins).transposeOuts(outs);
    for (int bit = 0; bit < layout.inBits(Dim::Lane); ++bit)
      CHECK(moved.basis(Dim::Lane, bit, kRow) == layout.basis(Dim::Lane, bit, kRow));
    std::vector<Dim> back{Dim::Register, Dim::Lane, Dim::Warp};
    CHECK(moved.transposeIns(back).canonicalOuts() == layout);

    std::vector<int32_t> swap{1, 0};
    LinearLayout transposed = layout.permuteTensorDims(swap);
    CHECK(transposed.outSize(kRow) == layout.outSize(kColumn));
    CHECK(transposed.permuteTensorDims(swap) == layout);

    LinearLayout one = layout.sublayout({Dim::Register}, {kColumn, kRow});
    LinearLayout rest = layout.sublayout({Dim::Lane, Dim::Warp}, {kColumn, kRow});
    CHECK(one.concatIns(rest) == layout);
    CHECK(layout.dropIn(Dim::Register) == rest);
    CHECK(layout.dropOut(kRow).concatOuts(layout.dropOut(kColumn)) == layout);
    LinearLayout renamed = layout.renameOut(kRow, Dim::Offset);
    CHECK(renamed.outSize(Dim::Offset) == layout.outSize(kRow));
    CHECK(renamed.columns().back() == layout.columns().back());
    CHECK(layout.sublayoutIsZero({Dim::Lane}, {}));
  }
}

TEST_CASE("zero bases can be removed", "[compiler][layout]") {
  LinearLayout layout = LinearLayout::zeros(2, Dim::Register, kRow) *
                        LinearLayout::identity(4, Dim::Register, kRow) *
                        LinearLayout::zeros(8, Dim::Lane, kRow);
  LinearLayout slim = layout.removeZeroBases(Dim::Register);
  CHECK(slim.inSize(Dim::Register) == 4);
  CHECK(slim.inSize(Dim::Lane) == 8);
  CHECK(slim.numConsecutiveInOut() == 4);
  CHECK(slim.truncateIn(Dim::Register, 1).inSize(Dim::Register) == 2);
}

TEST_CASE("equal layouts hash alike, others rarely", "[compiler][layout]") {
  RandomLayouts random;
  std::unordered_set<LinearLayout> seen;
  std::set<size_t> hashes;
  for (int round = 0; round < 500; ++round) {
    LinearLayout layout =
        random.any(random.dims({Dim::Register, Dim::Lane}, 4), random.dims({kColumn, kRow}, 4));
    LinearLayout copy = layout;
    CHECK(copy == layout);
    CHECK(copy.hash() == layout.hash());
    seen.insert(layout);
    hashes.insert(layout.hash());
  }
  CHECK(hashes.size() == seen.size());
}
