// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/SavedCode.h"

#include <cstring>
#include <type_traits>

namespace tilescope::native {

using compiler::interpreter::Element;
using compiler::interpreter::PrintedValue;
using compiler::interpreter::SourcePlace;

// Archives write the fields of items, or read them.
template <typename Archive> static bool fields(Archive &archive, CodePlace &v);
template <typename Archive> static bool fields(Archive &archive, std::vector<CodePlace> &v);
template <typename Archive> static bool fields(Archive &archive, SourcePlace &v);
template <typename Archive> static bool fields(Archive &archive, CheckedAccess &v);
template <typename Archive> static bool fields(Archive &archive, KernelAssertion &v);
template <typename Archive> static bool fields(Archive &archive, Element &v);
template <typename Archive> static bool fields(Archive &archive, PrintedValue &v);
template <typename Archive> static bool fields(Archive &archive, KernelPrint &v);
template <typename Archive> static bool fields(Archive &archive, KernelAssembly &v);

namespace {

class Writer {
public:
  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  bool operator()(T &number) {
    bytes.append(reinterpret_cast<const char *>(&number), sizeof(number));
    return true;
  }
  bool operator()(std::string &text) {
    size_t size = text.size();
    (*this)(size);
    bytes.append(text);
    return true;
  }
  template <typename T> bool list(std::vector<T> &items) {
    size_t size = items.size();
    (*this)(size);
    for (T &item : items)
      fields(*this, item);
    return true;
  }

  std::string bytes;
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : m_rest(bytes) {}

  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  bool operator()(T &number) {
    if (m_rest.size() < sizeof(number))
      return false;
    std::memcpy(&number, m_rest.data(), sizeof(number));
    m_rest.remove_prefix(sizeof(number));
    return true;
  }
  bool operator()(std::string &text) {
    size_t size = 0;
    if (!(*this)(size) || size > m_rest.size())
      return false;
    text = m_rest.substr(0, size);
    m_rest.remove_prefix(size);
    return true;
  }
  template <typename T> bool list(std::vector<T> &items) {
    size_t size = 0;
    // Each item takes a byte at least.
    if (!(*this)(size) || size > m_rest.size())
      return false;
    items.resize(size);
    for (T &item : items)
      if (!fields(*this, item))
        return false;
    return true;
  }
  bool isAtEnd() const { return m_rest.empty(); }

private:
  std::string_view m_rest;
};

} // namespace

template <typename Archive> static bool fields(Archive &archive, CodePlace &v) {
  return archive(v.path) && archive(v.line) && archive(v.column);
}
template <typename Archive> static bool fields(Archive &archive, std::vector<CodePlace> &v) {
  return archive.list(v);
}
template <typename Archive> static bool fields(Archive &archive, Position &v) {
  return archive(v.line) && archive(v.column);
}
template <typename Archive> static bool fields(Archive &archive, SourcePlace &v) {
  return archive(v.path) && fields(archive, v.range.begin) && fields(archive, v.range.end) &&
         archive(v.range.file);
}
template <typename Archive> static bool fields(Archive &archive, CheckedAccess &v) {
  return archive(v.element.kind) && archive(v.element.sizeBytes) && archive.list(v.places);
}
template <typename Archive> static bool fields(Archive &archive, KernelAssertion &v) {
  return archive(v.text) && archive(v.numElements) && archive.list(v.places);
}
template <typename Archive> static bool fields(Archive &archive, Element &v) { return archive(v); }
template <typename Archive> static bool fields(Archive &archive, PrintedValue &v) {
  if (!archive(v.element) || !archive(v.isSigned) || !archive(v.shape.rank) || v.shape.rank < 0 ||
      v.shape.rank > compiler::interpreter::kMaxRank)
    return false;
  v.shape.count = 1;
  for (int dim = 0; dim < v.shape.rank; ++dim) {
    if (!archive(v.shape.extent[dim]))
      return false;
    v.shape.count *= v.shape.extent[dim];
  }
  return true;
}
template <typename Archive> static bool fields(Archive &archive, KernelPrint &v) {
  return archive(v.prefix) && archive(v.isHex) && archive.list(v.values) && archive.list(v.places);
}
template <typename Archive> static bool fields(Archive &archive, KernelAssembly &v) {
  if (!archive(v.source.text) || !archive(v.source.constraints) || !archive(v.source.pack) ||
      !archive.list(v.source.results) || !archive.list(v.source.arguments) ||
      !archive(v.numElements))
    return false;
  v.parsed = parseInlineAssembly(v.source);
  return true;
}
template <typename Archive> static bool fields(Archive &archive, SavedCode &v) {
  return archive(v.symbol) && archive(v.object) && archive.list(v.places) &&
         archive.list(v.accesses) && archive.list(v.assertions) && archive.list(v.prints) &&
         archive.list(v.assemblies) && archive(v.scratchBytes) && archive(v.checksBounds) &&
         archive(v.notesDoubts);
}

std::string writeSavedCode(const SavedCode &code) {
  Writer writer;
  SavedCode copy = code;
  fields(writer, copy);
  return std::move(writer.bytes);
}

std::optional<SavedCode> readSavedCode(std::string_view bytes) {
  Reader reader(bytes);
  SavedCode code;
  if (!fields(reader, code) || !reader.isAtEnd())
    return std::nullopt;
  return code;
}

} // namespace tilescope::native
