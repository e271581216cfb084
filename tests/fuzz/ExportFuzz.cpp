// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any text as the program of a file of torch.export, any bytes as the pickle of its weights, and any
// bytes as the file: it is read, or diagnostics say why not. The first byte says which.
#include "compiler/model/CheckModel.h"
#include "tests/fuzz/Check.h"

#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <zip.h>

using tilescope::fuzz::require;

namespace {

constexpr std::string_view kProgram =
    R"({"schema_version": {"major": 8, "minor": 8}, "graph_module": {
  "graph": {"tensor_values": {"w": {"dtype": 7, "sizes": [{"as_int": 4}], "strides": [{"as_int": 1}]}},
    "nodes": [{"target": "torch.ops.aten.relu.default", "outputs": [{"as_tensor": {"name": "y"}}],
      "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "w"}}}]}]},
  "signature": {"input_specs": [{"parameter": {"arg": {"name": "w"}, "parameter_name": "w"}}],
    "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "y"}}}}]}}})";

struct Part {
  const char *name;
  std::string_view bytes;
};

/// A zip with these entries, so that its sums of bytes are right.
std::string zipped(std::initializer_list<Part> parts) {
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  zip_source_keep(target);
  zip_t *archive = zip_open_from_source(target, ZIP_TRUNCATE, nullptr);
  for (const auto &[name, bytes] : parts) {
    zip_source_t *source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8);
    zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE, 0);
  }
  require(zip_close(archive) == 0, "the input is packed");
  zip_stat_t facts;
  zip_stat_init(&facts);
  require(zip_source_stat(target, &facts) == 0 && zip_source_open(target) == 0, "it is there");
  std::string result(facts.size, '\0');
  zip_source_read(target, result.data(), result.size());
  zip_source_close(target);
  zip_source_free(target);
  return result;
}

std::string fileOf(std::string_view input) {
  if (input.empty())
    return {};
  const std::string_view rest = input.substr(1);
  if (input.front() == 'p')
    return zipped({{"m/models/model.json", rest}});
  if (input.front() == 's')
    return zipped({{"serialized_exported_program.json", kProgram},
                   {"serialized_state_dict.pt",
                    zipped({{"s/data.pkl", rest}, {"s/data/0", "sixteen bytes ok"}})}});
  return std::string(rest);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string bytes = fileOf({reinterpret_cast<const char *>(data), size});
  const int file = memfd_create("model", 0);
  require(file >= 0 && write(file, bytes.data(), bytes.size()) == ssize_t(bytes.size()),
          "the input is written");
  // Everything up to the kernels, where extents are numbers.
  const auto result = tilescope::model::checkModel({"/proc/self/fd/" + std::to_string(file),
                                                    {},
                                                    tilescope::compiler::ModelText::Ir,
                                                    tilescope::compiler::ModelForm::Canonical});
  close(file);
  require(result.ok || !result.diagnostics.empty(), "a refusal has a reason");
  require(!result.ok || !result.text.empty(), "a model that was read has its IR");
  for (const auto &diagnostic : result.diagnostics)
    require(!diagnostic.message.empty(), "a diagnostic has a message");
  return 0;
}
