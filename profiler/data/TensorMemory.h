// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Memory of tensors begins with a line of the caches, so that vectors of a kernel's code fill whole lines, and large
// tensors lie in large pages where the system has them: with pages of 4 KiB, reading ahead ends every 4 KiB.
#pragma once

#include <cstddef>
#include <vector>

namespace tilescope::profiler {

/// Throws std::bad_alloc.
void *allocateTensor(size_t bytes);
void freeTensor(void *memory, size_t bytes) noexcept;

template <typename T> struct TensorAllocator {
  using value_type = T;

  TensorAllocator() = default;
  template <typename U> TensorAllocator(const TensorAllocator<U> &) {}

  T *allocate(size_t count) { return static_cast<T *>(allocateTensor(count * sizeof(T))); }
  void deallocate(T *memory, size_t count) noexcept { freeTensor(memory, count * sizeof(T)); }
  bool operator==(const TensorAllocator &) const = default;
};

using TensorBytes = std::vector<std::byte, TensorAllocator<std::byte>>;

} // namespace tilescope::profiler
