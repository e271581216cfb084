// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Element.h"
#include "profiler/data/Tensor.h"

#include <cstring>

namespace tilescope::profiler {

/// The elements of a tensor as doubles, for loops over many of them in any order: as `Tensor::at`,
/// but without a call for an element of fp32 or fp64. The tensor must outlive it.
class TensorNumbers {
public:
  explicit TensorNumbers(const Tensor &tensor)
      : m_data(tensor.data.data()), m_size(dtypeSize(tensor.dtype)), m_dtype(tensor.dtype) {}

  double operator[](int64_t i) const {
    const std::byte *element = m_data + static_cast<size_t>(i) * m_size;
    if (m_dtype == Dtype::Fp64) {
      double value = 0;
      std::memcpy(&value, element, sizeof(value));
      return value;
    }
    if (m_dtype == Dtype::Fp32) {
      float value = 0;
      std::memcpy(&value, element, sizeof(value));
      return value;
    }
    return readElement(m_dtype, element);
  }

private:
  const std::byte *m_data;
  size_t m_size;
  Dtype m_dtype;
};

} // namespace tilescope::profiler
