// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/IntegerRange.h"

#include "app/launch/ArrayShapes.h"

#include <cmath>
#include <cstdio>

namespace tilescope::app {

IntegerRange::IntegerRange(profiler::Dtype dtype)
    : m_dtype(dtype), m_isInteger(!profiler::isFloat(dtype) && dtype != profiler::Dtype::Int1) {
  const int bits = compiler::scalarInfo(dtype).bits - (profiler::isSigned(dtype) ? 1 : 0);
  m_end = std::ldexp(1.0, bits);
  m_least = profiler::isSigned(dtype) ? -m_end : 0;
}

bool IntegerRange::holds(const compiler::constant::Int &value) const {
  return (m_dtype == profiler::Dtype::Int64 && value.toInt64()) ||
         (m_dtype == profiler::Dtype::Uint64 && value.toUint64());
}

void IntegerRange::look(const std::vector<int64_t> &coordinates, double value) {
  // Fractions are cut off toward zero.
  if (!m_isInteger || (std::trunc(value) >= m_least && std::trunc(value) < m_end))
    return;
  if (m_numMisfits++ > 0)
    return;
  m_first = value;
  m_firstAt = coordinates;
}

std::string IntegerRange::misfits() const {
  if (m_numMisfits == 0)
    return "";
  char value[32];
  std::snprintf(value, sizeof(value), "%.7g", m_first);
  const std::string type = "`" + std::string(profiler::dtypeName(m_dtype)) + "`";
  return std::to_string(m_numMisfits) +
         (m_numMisfits == 1 ? " expected value does" : " expected values do") + " not fit " + type +
         ", the first at " + shapeText(m_firstAt) + ": " + value;
}

} // namespace tilescope::app
