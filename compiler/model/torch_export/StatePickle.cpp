// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/StatePickle.h"

#include "compiler/model/torch_export/PickleSteps.h"

#include <optional>

namespace tilescope::model {

using Kind = PickleValue::Kind;

/// Weights by name need some hundred bytes each.
static constexpr uint64_t kMostPickle = uint64_t{1} << 28;

static Error invalid(const std::string &message) { return {ErrorCode::InvalidInput, message, ""}; }

/// Of `torch FloatStorage` or `torch float32`, as PyTorch's `ScalarType`.
static std::optional<int64_t> elementTypeOf(std::string_view name) {
  static constexpr std::pair<std::string_view, int64_t> kTypes[] = {
      {"torch ByteStorage", 1},      {"torch CharStorage", 2},   {"torch ShortStorage", 3},
      {"torch IntStorage", 4},       {"torch LongStorage", 5},   {"torch HalfStorage", 6},
      {"torch FloatStorage", 7},     {"torch DoubleStorage", 8}, {"torch BoolStorage", 12},
      {"torch BFloat16Storage", 13}, {"torch uint16", 28},       {"torch float8_e4m3fn", 29},
      {"torch float8_e5m2", 30},     {"torch uint32", 34},       {"torch uint64", 35}};
  for (const auto &[each, type] : kTypes)
    if (each == name)
      return type;
  return std::nullopt;
}

namespace {

/// A file of `torch.save` inside of another file.
class SavedFile {
public:
  static Result<SavedFile> open(std::string_view file, ExportArchive::Place place) {
    if (place.offset > file.size() || place.bytes > file.size() - place.offset)
      return invalid("it ends too soon");
    const std::string_view bytes = file.substr(place.offset, place.bytes);
    if (!bytes.starts_with("PK"))
      return invalid("it is not a zip, as `torch.save` writes it since PyTorch 1.6");
    Result<ExportArchive> archive = ExportArchive::open(bytes);
    if (!archive)
      return archive.error();
    const Result<std::string> text = archive->text("data.pkl", kMostPickle);
    if (!text)
      return text.error();
    Result<Pickle> pickle = followPickle(*text);
    if (!pickle)
      return pickle.error();
    return SavedFile(std::move(*archive), std::move(*pickle), place.offset);
  }

  const PickleValue &top() const { return m_pickle.at(m_pickle.top); }
  const PickleValue &at(uint32_t index) const { return m_pickle.at(index); }

  /// `_rebuild_tensor_v2(storage, offset, extents, strides, …)`, in `_rebuild_parameter` or by itself.
  Result<StoredWeight> tensor(const PickleValue &value) const {
    const PickleValue *call = &value;
    if (isCall(*call, "torch._utils _rebuild_parameter", 1))
      call = &at(at(call->items[1]).items[0]);
    const bool hasType = isCall(*call, "torch._utils _rebuild_tensor_v3", 7);
    if (!hasType && !isCall(*call, "torch._utils _rebuild_tensor_v2", 4))
      return invalid("it is not a plain tensor");
    const std::vector<uint32_t> &arguments = at(call->items[1]).items;
    StoredWeight weight;
    weight.tensor.storageOffset.value = at(arguments[1]).number;
    const PickleValue &extents = at(arguments[2]), &strides = at(arguments[3]);
    if (at(arguments[1]).kind != Kind::Number || !take(extents, weight.tensor.extents) ||
        !take(strides, weight.tensor.strides))
      return invalid("its extents are not numbers");
    return withStorage(std::move(weight), at(arguments[0]),
                       hasType ? at(arguments[6]).text : std::string());
  }

private:
  SavedFile(ExportArchive archive, Pickle pickle, uint64_t begin)
      : m_archive(std::move(archive)), m_pickle(std::move(pickle)), m_begin(begin) {}

  bool isCall(const PickleValue &value, std::string_view function, size_t least) const {
    return value.kind == Kind::Call && value.items.size() == 2 &&
           at(value.items[0]).text == function && at(value.items[1]).kind == Kind::List &&
           at(value.items[1]).items.size() >= least;
  }

  bool take(const PickleValue &list, std::vector<ExportedSize> &into) const {
    for (const uint32_t item : list.items) {
      if (at(item).kind != Kind::Number)
        return false;
      into.push_back({at(item).number, ""});
    }
    return list.kind == Kind::List;
  }

  /// `("storage", its type, its file, its device, its length)`
  Result<StoredWeight> withStorage(StoredWeight weight, const PickleValue &storage,
                                   const std::string &typeName) const {
    const PickleValue *facts = storage.kind == Kind::Outside && storage.items.size() == 1
                                   ? &at(storage.items[0])
                                   : nullptr;
    if (!facts || facts->kind != Kind::List || facts->items.size() < 5)
      return invalid("its storage is not described");
    const auto type = elementTypeOf(typeName.empty() ? at(facts->items[1]).text : typeName);
    if (!type)
      return invalid("elements of `" + at(facts->items[1]).text + "` are not supported");
    weight.tensor.elementType = *type;
    const Result<ExportArchive::Place> place = m_archive.place("data/" + at(facts->items[2]).text);
    if (!place)
      return place.error();
    weight.offset = m_begin + place->offset;
    weight.bytes = place->bytes;
    return weight;
  }

  ExportArchive m_archive;
  Pickle m_pickle;
  uint64_t m_begin;
};

} // namespace

Result<std::map<std::string, StoredWeight>> pickledTensors(std::string_view file,
                                                           ExportArchive::Place place) {
  const Result<SavedFile> saved = SavedFile::open(file, place);
  if (!saved)
    return saved.error();
  const PickleValue &top = saved->top();
  std::map<std::string, StoredWeight> result;
  // An empty `OrderedDict()` stays a call.
  if (top.kind == Kind::Call && saved->at(top.items[0]).text == "collections OrderedDict")
    return result;
  if (top.kind != Kind::Dictionary)
    return invalid("it is not a dictionary of tensors");
  for (size_t i = 0; i + 1 < top.items.size(); i += 2) {
    const PickleValue &name = saved->at(top.items[i]);
    Result<StoredWeight> weight = saved->tensor(saved->at(top.items[i + 1]));
    if (!weight)
      return invalid("weight `" + name.text + "`: " + weight.error().message);
    result.insert_or_assign(name.text, std::move(*weight));
  }
  return result;
}

Result<StoredWeight> pickledTensor(std::string_view file, ExportArchive::Place place) {
  const Result<SavedFile> saved = SavedFile::open(file, place);
  return saved ? saved->tensor(saved->top()) : Result<StoredWeight>(saved.error());
}

} // namespace tilescope::model
