// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace tilescope::tests {

/// Protobuf's wire format, as far as a small model needs it.
inline std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7)
    bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
inline std::string number(uint64_t field, uint64_t value) {
  return varint(field << 3) + varint(value);
}
inline std::string bytes(uint64_t field, const std::string &value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}

inline std::string modelNode(const char *kind, const char *name,
                             std::initializer_list<const char *> inputs, const char *output) {
  std::string node;
  for (const char *input : inputs)
    node += bytes(1, input);
  return bytes(1, node + bytes(2, output) + bytes(3, name) + bytes(4, kind));
}

/// `x`: float [N, 64] or, for an output, of no stated type.
inline std::string modelInput() {
  const std::string shape = bytes(1, bytes(2, "N")) + bytes(1, number(1, 64));
  return bytes(11, bytes(1, "x") + bytes(2, bytes(1, number(1, 1) + bytes(2, shape))));
}

/// An ONNX file: `scores` and `positive`, which become one kernel, and `shares`, a softmax of rows:
/// y = softmax(relu(x · w)), with the batch N left open. `kind`: the operator of `positive`.
inline std::string smallModel(const char *kind = "Relu") {
  const std::string weights =
      bytes(5, number(1, 64) + number(1, 16) + number(2, 1) + bytes(8, "w") +
                   bytes(9, std::string(size_t{64} * 16 * 4, '\0')));
  const std::string graph = modelNode("MatMul", "scores", {"x", "w"}, "a") +
                            modelNode(kind, "positive", {"a"}, "b") +
                            modelNode("Softmax", "shares", {"b"}, "y") + bytes(2, "small") +
                            weights + modelInput() + bytes(12, bytes(1, "y"));
  return number(1, 8) + bytes(7, graph) + bytes(8, bytes(1, "") + number(2, 17));
}

} // namespace tilescope::tests
