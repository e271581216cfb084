// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/ModelFiles.h"

#include <charconv>

namespace tilescope::model {

namespace fs = std::filesystem;

static Error invalid(const std::string &message) { return {ErrorCode::InvalidInput, message, ""}; }

ModelFiles::ModelFiles(fs::path path, MappedFile file)
    : m_path(std::move(path)), m_file(std::move(file)) {}

Result<ModelFiles> ModelFiles::open(const fs::path &path, MappedFile file) {
  if (file.bytes().empty())
    return invalid("the file is empty");
  ModelFiles files(path, std::move(file));
  Result<ModelSkeleton> skeleton = scanModel(files.m_file.bytes());
  if (!skeleton)
    return skeleton.error();
  files.m_spans = std::move(skeleton->spans);
  if (!files.m_model.ParseFromString(skeleton->bytes))
    return invalid(
        "the file is not a readable ONNX model: a field of its messages has another type");
  if (!files.m_model.has_graph())
    return invalid("the file is not an ONNX model: it has no graph");
  return files;
}

bool ModelFiles::hasBytes(const onnx::TensorProto &tensor) {
  return tensor.has_raw_data() || tensor.data_location() == onnx::TensorProto::EXTERNAL;
}

static std::optional<std::string> entryOf(const onnx::TensorProto &tensor, std::string_view key) {
  std::optional<std::string> found;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data())
    if (entry.key() == key)
      found = entry.value();
  return found;
}

static std::optional<uint64_t> wholeNumber(const std::string &text) {
  uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() && !text.empty()
             ? std::optional(number)
             : std::nullopt;
}

/// `what` begins the message.
static Status checkSize(const std::string &what, uint64_t have, uint64_t need) {
  if (have == need)
    return {};
  return invalid(what + " has " + std::to_string(have) + " bytes, its type and extents take " +
                 std::to_string(need));
}

Result<TensorBytes> ModelFiles::bytesOf(const onnx::TensorProto &tensor, uint64_t size) {
  const std::string what = "tensor `" + tensor.name() + "`";
  TensorBytes result;
  if (tensor.data_location() != onnx::TensorProto::EXTERNAL) {
    result.bytes = tensor.raw_data();
    result.isInline = true;
  } else if (const auto span = entryOf(tensor, kSpanKey)) {
    const std::optional<uint64_t> position = wholeNumber(*span);
    if (!position || *position >= m_spans.size())
      return invalid(what + " has no elements");
    result.offset = m_spans[*position].offset;
    result.bytes = m_file.bytes().substr(result.offset, m_spans[*position].size);
  } else {
    return externalBytes(tensor, size);
  }
  if (Status status = checkSize(what, result.bytes.size(), size); !status)
    return status.error();
  return result;
}

std::optional<std::string_view> ModelFiles::bytesAt(const std::string &file, uint64_t offset,
                                                    uint64_t size) const {
  const auto other = m_external.find(file);
  if (!file.empty() && other == m_external.end())
    return std::nullopt;
  const std::string_view all = file.empty() ? m_file.bytes() : other->second.bytes();
  if (offset > all.size() || size > all.size() - offset)
    return std::nullopt;
  return all.substr(offset, size);
}

/// Whether `path` is below `folder`; both are canonical.
static bool isBelow(const fs::path &path, const fs::path &folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

Result<const MappedFile *> ModelFiles::externalFile(const std::string &location) {
  if (const auto known = m_external.find(location); known != m_external.end())
    return &known->second;
  const fs::path relative(location);
  if (relative.is_absolute())
    return invalid("the external file `" + location + "` has an absolute path");
  for (const fs::path &part : relative)
    if (part == "..")
      return invalid("the external file `" + location + "` is outside the model's folder");
  std::error_code fault;
  const fs::path folder =
      fs::canonical(m_path.parent_path().empty() ? "." : m_path.parent_path(), fault);
  const fs::path path = fs::canonical(folder / relative, fault);
  if (fault)
    return invalid("the external file `" + location + "` does not exist beside the model");
  if (!isBelow(path, folder))
    return invalid("the external file `" + location + "` is a link out of the model's folder");
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.error();
  return &m_external.emplace(location, std::move(*file)).first->second;
}

Result<TensorBytes> ModelFiles::externalBytes(const onnx::TensorProto &tensor, uint64_t size) {
  const std::string what = "tensor `" + tensor.name() + "`";
  const std::string location = entryOf(tensor, "location").value_or("");
  if (location.empty() || location.find('\0') != std::string::npos)
    return invalid(what + " is external and names no file");
  const Result<const MappedFile *> file = externalFile(location);
  if (!file)
    return Error{file.error().code, what + ": " + file.error().message, ""};
  const std::string_view all = (*file)->bytes();
  const std::optional<uint64_t> offset = wholeNumber(entryOf(tensor, "offset").value_or("0"));
  const std::string length = entryOf(tensor, "length").value_or("");
  const std::optional<uint64_t> told = length.empty() ? std::optional(size) : wholeNumber(length);
  if (!offset || !told)
    return invalid(what + ": the place in `" + location + "` is not a number");
  if (*offset > all.size() || *told > all.size() - *offset)
    return invalid(what + " is to be at bytes " + std::to_string(*offset) + " to " +
                   std::to_string(*offset + std::min(*told, UINT64_MAX - *offset)) + " of `" +
                   location + "`, which has " + std::to_string(all.size()));
  if (Status status = checkSize(what, *told, size); !status)
    return status.error();
  return TensorBytes{all.substr(*offset, *told), location, *offset, false};
}

} // namespace tilescope::model
