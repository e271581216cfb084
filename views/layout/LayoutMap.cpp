// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutMap.h"

#include <algorithm>
#include <bit>

namespace tilescope::views {

LayoutMap::LayoutMap(const compiler::LayoutFacts &facts) : m_shape(facts.shape) {
  std::vector<uint64_t> strides(m_shape.size(), 1);
  for (size_t dim = m_shape.size(); dim-- > 0;) {
    strides[dim] = static_cast<uint64_t>(m_numElements);
    m_numElements *= m_shape[dim];
  }
  for (const compiler::LayoutBases &bases : facts.layout) {
    m_inputs.push_back(
        {bases.input, static_cast<int>(m_bases.size()), static_cast<int>(bases.bases.size())});
    for (const std::vector<int32_t> &basis : bases.bases) {
      uint64_t element = 0;
      for (size_t dim = 0; dim < basis.size() && dim < strides.size(); ++dim)
        element += static_cast<uint64_t>(basis[dim]) * strides[dim];
      m_bases.push_back(element);
    }
  }
  for (size_t bit = 0; bit < m_bases.size(); ++bit) {
    uint64_t element = m_bases[bit];
    uint32_t places = 1u << bit;
    for (const auto &[image, combination] : m_echelon)
      if (element & std::bit_floor(image)) {
        element ^= image;
        places ^= combination;
      }
    if (element == 0) {
      m_kernel.push_back(places);
      continue;
    }
    // Keep the rows reduced among each other, so that one sweep solves.
    for (auto &[image, combination] : m_echelon)
      if (image & std::bit_floor(element)) {
        image ^= element;
        combination ^= places;
      }
    m_echelon.emplace_back(element, places);
    std::sort(m_echelon.begin(), m_echelon.end(), std::greater<>());
  }
  m_covers = (uint64_t{1} << m_echelon.size()) == static_cast<uint64_t>(m_numElements);
}

const LayoutMap::Input *LayoutMap::input(std::string_view name) const {
  for (const Input &entry : m_inputs)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

int32_t LayoutMap::size(std::string_view name) const {
  const Input *entry = input(name);
  return entry ? 1 << entry->bits : 1;
}

int32_t LayoutMap::component(uint32_t place, std::string_view name) const {
  const Input *entry = input(name);
  return entry ? static_cast<int32_t>((place >> entry->shift) & ((1u << entry->bits) - 1)) : 0;
}

uint32_t LayoutMap::place(int32_t reg, int32_t lane, int32_t warp, int32_t block) const {
  uint32_t result = 0;
  const std::pair<std::string_view, int32_t> parts[] = {
      {"register", reg}, {"lane", lane}, {"warp", warp}, {"block", block}};
  for (const auto &[name, value] : parts)
    if (const Input *entry = input(name))
      result |= static_cast<uint32_t>(value) << entry->shift;
  return result;
}

int64_t LayoutMap::elementOf(uint32_t place) const {
  uint64_t element = 0;
  for (size_t bit = 0; bit < m_bases.size(); ++bit)
    if (place >> bit & 1)
      element ^= m_bases[bit];
  return static_cast<int64_t>(element);
}

std::vector<uint32_t> LayoutMap::ownersOf(int64_t element, size_t limit) const {
  auto rest = static_cast<uint64_t>(element);
  uint32_t solution = 0;
  for (const auto &[image, combination] : m_echelon)
    if (rest & std::bit_floor(image)) {
      rest ^= image;
      solution ^= combination;
    }
  if (rest != 0)
    return {};
  std::vector<uint32_t> owners;
  const uint64_t combinations = uint64_t{1} << m_kernel.size();
  for (uint64_t choice = 0; choice < combinations && owners.size() < limit; ++choice) {
    uint32_t place = solution;
    for (size_t bit = 0; bit < m_kernel.size(); ++bit)
      if (choice >> bit & 1)
        place ^= m_kernel[bit];
    owners.push_back(place);
  }
  std::sort(owners.begin(), owners.end());
  return owners;
}

std::vector<int64_t> LayoutMap::coordinates(int64_t element) const {
  std::vector<int64_t> result(m_shape.size());
  for (size_t dim = m_shape.size(); dim-- > 0;) {
    result[dim] = element % m_shape[dim];
    element /= m_shape[dim];
  }
  return result;
}

int64_t LayoutMap::elementAt(const std::vector<int64_t> &coordinates) const {
  int64_t element = 0;
  for (size_t dim = 0; dim < m_shape.size(); ++dim)
    element = element * m_shape[dim] + (dim < coordinates.size() ? coordinates[dim] : 0);
  return element;
}

int32_t LayoutMap::contiguousElements() const {
  const Input *registers = input("register");
  if (!registers)
    return 1;
  int32_t count = 1;
  for (int bit = 0; bit < registers->bits; ++bit) {
    if (m_bases[registers->shift + bit] != static_cast<uint64_t>(count))
      break;
    count *= 2;
  }
  return count;
}

} // namespace tilescope::views
