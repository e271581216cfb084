// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/WireScan.h"

#include <optional>

namespace tilescope::model {

namespace {

/// The messages on the way from a model to its tensors.
enum class Message { Model, Graph, Node, Attribute, Function, Tensor, Other };

struct Child {
  Message parent;
  /// The number in `onnx.proto`.
  uint64_t field;
  Message message;
};
constexpr Child kChildren[] = {
    {Message::Model, 7, Message::Graph},       {Message::Model, 25, Message::Function},
    {Message::Graph, 1, Message::Node},        {Message::Graph, 5, Message::Tensor},
    {Message::Function, 7, Message::Node},     {Message::Node, 5, Message::Attribute},
    {Message::Attribute, 5, Message::Tensor},  {Message::Attribute, 6, Message::Graph},
    {Message::Attribute, 10, Message::Tensor}, {Message::Attribute, 11, Message::Graph}};
constexpr uint64_t kFloatData = 4, kRawData = 9, kDoubleData = 10, kExternalData = 13,
                   kDataLocation = 14;

constexpr uint64_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;
constexpr uint64_t kMostMessageBytes = uint64_t{1} << 31;
/// As protobuf itself bounds it.
constexpr int kMostDepth = 100;

Message childOf(Message parent, uint64_t field) {
  for (const Child &child : kChildren)
    if (child.parent == parent && child.field == field)
      return child.message;
  return Message::Other;
}

void writeVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

void writeBytes(std::string &out, uint64_t field, std::string_view bytes) {
  writeVarint(out, field << 3 | kBytes);
  writeVarint(out, bytes.size());
  out.append(bytes);
}

class Scanner {
public:
  Scanner(std::string_view file, ModelSkeleton &skeleton) : m_file(file), m_skeleton(skeleton) {}

  /// Copies the message at [at, end) to `out`; false after a fault.
  bool copy(Message message, uint64_t at, uint64_t end, int depth, std::string &out) {
    if (depth > kMostDepth)
      return fail(at, "its messages nest too deeply");
    std::optional<DataSpan> elements;
    while (at < end) {
      const uint64_t begin = at;
      uint64_t tag = 0, size = 0;
      if (!readVarint(at, end, tag) || !skip(at, end, tag & 7, size))
        return fail(begin, "it is damaged or cut off");
      const uint64_t field = tag >> 3;
      const uint64_t content = at - size;
      const bool isBytes = (tag & 7) == kBytes;
      if (isBytes && isData(message, field) && size > kMostInlineBytes) {
        elements = DataSpan{content, size};
        continue;
      }
      const Message child = isBytes ? childOf(message, field) : Message::Other;
      if (child == Message::Other) {
        out.append(m_file.substr(begin, at - begin));
      } else {
        std::string inner;
        if (!copy(child, content, at, depth + 1, inner))
          return false;
        writeBytes(out, field, inner);
      }
      if (out.size() > kMostMessageBytes)
        return fail(begin, "it takes more than 2 GB without its weights");
    }
    if (elements)
      writeSpan(*elements, out);
    return true;
  }

  const Error &error() const { return m_error; }

private:
  static bool isData(Message message, uint64_t field) {
    return message == Message::Tensor &&
           (field == kRawData || field == kFloatData || field == kDoubleData);
  }

  void writeSpan(const DataSpan &span, std::string &out) {
    std::string entry;
    writeBytes(entry, 1, kSpanKey);
    writeBytes(entry, 2, std::to_string(m_skeleton.spans.size()));
    writeBytes(out, kExternalData, entry);
    writeVarint(out, kDataLocation << 3 | kVarint);
    writeVarint(out, 1);
    m_skeleton.spans.push_back(span);
  }

  bool readVarint(uint64_t &at, uint64_t end, uint64_t &value) const {
    value = 0;
    for (int shift = 0; shift < 64 && at < end; shift += 7) {
      const auto byte = static_cast<unsigned char>(m_file[at++]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return true;
    }
    return false;
  }

  /// Moves behind the field's value, whose bytes (without their length) are the last `size`.
  bool skip(uint64_t &at, uint64_t end, uint64_t wireType, uint64_t &size) const {
    uint64_t value = 0;
    switch (wireType) {
    case kVarint:
      return readVarint(at, end, value);
    case kFixed64:
      size = 8;
      break;
    case kFixed32:
      size = 4;
      break;
    case kBytes:
      if (!readVarint(at, end, size))
        return false;
      break;
    default:
      return false;
    }
    if (size > end - at)
      return false;
    at += size;
    return true;
  }

  bool fail(uint64_t at, const std::string &what) {
    m_error = {ErrorCode::InvalidInput,
               "the file is not a readable ONNX model: " + what + " (byte " + std::to_string(at) +
                   ")",
               ""};
    return false;
  }

  std::string_view m_file;
  ModelSkeleton &m_skeleton;
  Error m_error;
};

} // namespace

Result<ModelSkeleton> scanModel(std::string_view file) {
  ModelSkeleton skeleton;
  Scanner scanner(file, skeleton);
  if (!scanner.copy(Message::Model, 0, file.size(), 0, skeleton.bytes))
    return scanner.error();
  return skeleton;
}

} // namespace tilescope::model
