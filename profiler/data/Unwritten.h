// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which elements of a tensor nothing has written. A tensor that begins without data holds poison, and
// what still holds it was not written - unless a program has written those very bits, which are a number
// like any other in integers: of int8, -91 is poison. Who knows better says so of each element:
//
//   contents   7   -91   3   -91
//   written    yes  yes  yes  no     flags 0 0 0 1, kept in `out.unwritten.npy` beside `out.npy`
#pragma once

#include "profiler/data/OutputFolder.h"
#include "profiler/data/Tensor.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// Elements of a tensor that nothing has written.
class Unwritten {
public:
  /// `beganEmpty`: all that still hold poison; else none.
  Unwritten(bool beganEmpty = false) : m_beganEmpty(beganEmpty) {}
  /// One byte for each element, 0 for those that were written.
  explicit Unwritten(std::vector<std::byte> flags)
      : m_flags(std::make_shared<const std::vector<std::byte>>(std::move(flags))) {}

  bool isNone() const { return !m_beganEmpty && !m_flags; }
  bool has(const Tensor &tensor, int64_t element) const;
  bool isAny(const Tensor &tensor) const;
  /// Null: poison tells, if the tensor began empty.
  const std::byte *flags() const { return m_flags ? m_flags->data() : nullptr; }

private:
  bool m_beganEmpty;
  std::shared_ptr<const std::vector<std::byte>> m_flags;
};

/// Where the flags of an output are kept: `out.unwritten.npy` beside `out.npy`.
std::string unwrittenPath(const std::string &outputPath);

/// Of an output in a file that began empty: with the flags beside it, if there are any.
Unwritten readUnwritten(const Tensor &tensor, const std::string &outputPath);

/// Keeps the flags of the output `name`, where its poison does not tell; there are none then, nor any
/// that an earlier run has left.
Status writeUnwritten(const OutputFolder &folder, const std::string &name, const Tensor &tensor,
                      const Unwritten &unwritten);

/// Elements that hold poison, whoever has written it.
int64_t countPoison(const Tensor &tensor);

/// Other contents than poison in every byte, for a second run that tells what the first has written.
Tensor otherPoison(const Tensor &poison);

/// What a run has left as it was: poison in `first`, and in `second` what was there before in `other`.
Unwritten unwrittenOfBoth(const Tensor &first, const Tensor &second, const Tensor &other);

/// Nothing where poison tells.
std::optional<Tensor> flagsOf(const Tensor &tensor, const Unwritten &unwritten);

} // namespace tilescope::profiler
