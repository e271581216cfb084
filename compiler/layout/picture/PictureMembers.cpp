// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/layout/picture/PictureMembers.h"

#include <algorithm>
#include <bit>

namespace tilescope::compiler {

/// log2 of the bits that a bank holds.
static constexpr int kWordBits = 5;
static constexpr int kBankBits = 5;
static_assert(1 << kBankBits == kNumBanks);

int memoryBits(const LayoutFacts &facts) {
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(8, facts.elementBits))));
}

int64_t bankOf(uint64_t offset, int elementBits) {
  return static_cast<int64_t>((offset * static_cast<uint64_t>(elementBits) >> kWordBits) %
                              kNumBanks);
}

namespace {
/// Where bits of a dimension go: moved up by `shift` (down, if negative), those below `bits` kept.
struct Field {
  Dim in;
  int shift;
  int bits;
};
} // namespace

static Members fieldsOf(const LayoutMap &map, Family family, std::initializer_list<Field> fields) {
  Members members{family, 0, {}};
  for (const Field &field : fields)
    members.bits = std::max(members.bits, field.bits);
  LinearLayout::Columns columns;
  uint8_t numMissing = 0;
  for (const DimBits &dim : map.owners().outs())
    for (int bit = 0; bit < dim.bits; ++bit) {
      uint64_t image = dim.dim == Dim::Segment ? uint64_t(1) << (members.bits + numMissing++) : 0;
      for (const Field &field : fields)
        if (dim.dim == field.in && bit + field.shift >= 0 && bit + field.shift < field.bits)
          image |= uint64_t(1) << (bit + field.shift);
      columns.push_back(image);
    }
  members.layout = LinearLayout(
      map.owners().outs(),
      {{Dim::Vector, static_cast<uint8_t>(members.bits)}, {Dim::Segment, numMissing}}, columns);
  return members;
}

Members membersOf(const LayoutMap &map, Family family, int elementBits) {
  const auto bits = [&](Dim dim) { return map.elements().inBits(dim); };
  const int toWord = log2Exact(elementBits) - kWordBits;
  switch (family) {
  case Family::Warp:
    return fieldsOf(map, family, {{Dim::Warp, 0, bits(Dim::Warp)}});
  case Family::Lane:
    return fieldsOf(map, family, {{Dim::Lane, 0, bits(Dim::Lane)}});
  case Family::Register:
    return fieldsOf(map, family, {{Dim::Register, 0, bits(Dim::Register)}});
  case Family::Thread:
    return fieldsOf(map, family,
                    {{Dim::Lane, 0, bits(Dim::Lane)},
                     {Dim::Warp, bits(Dim::Lane), bits(Dim::Lane) + bits(Dim::Warp)}});
  case Family::Bank:
    return fieldsOf(map, family, {{Dim::Offset, toWord, kBankBits}});
  case Family::Block:
    return fieldsOf(map, family, {{Dim::Block, 0, bits(Dim::Block)}});
  case Family::Word:
    return fieldsOf(map, family, {{Dim::Offset, toWord, std::max(0, bits(Dim::Offset) + toWord)}});
  }
  return {};
}

std::string memberLabel(Family family, uint64_t member) {
  static constexpr char kLetters[] = {'w', 'L', 'r', 't', 'b', 'o', 'B'};
  return kLetters[static_cast<int>(family)] + std::to_string(member);
}

std::string placeLabel(const LayoutMap &map, uint64_t place, bool isShared) {
  if (place >= map.numPlaces())
    return {};
  if (isShared)
    return std::to_string(place);
  const auto label = [&](Family family, Dim dim) {
    return memberLabel(family, static_cast<uint64_t>(map.component(place, dim)));
  };
  const std::string warp = label(Family::Warp, Dim::Warp), lane = label(Family::Lane, Dim::Lane),
                    registers = label(Family::Register, Dim::Register);
  return map.size(Dim::Block) > 1
             ? label(Family::Block, Dim::Block) + " " + warp + "\n" + lane + " " + registers
             : warp + " " + lane + "\n" + registers;
}

} // namespace tilescope::compiler
