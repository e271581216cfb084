// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Runs the model of this folder once for its outputs, then more times for how long it takes:
//
//     example [--folder DIR] [--device NUMBER] [--runs NUMBER] [--set NUMBER] [--out DIR] [INPUT.npy ...]
//
// An .npy file for each input, in the model's order; without files all inputs are zeros. The outputs are written to
// output_0.npy, output_1.npy and so on. A model that was exported for several shapes runs with those of the files; without
// files, --set NUMBER says with which.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tilescope_model.h"

static int fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 1;
}

static std::string shapeText(const tilescope_tensor &tensor, const char *end) {
  std::string text;
  for (size_t i = 0; i < tensor.rank; ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + (tensor.rank == 1 ? end : "");
}

static void print(const char *what, const tilescope_tensor &tensor) {
  std::printf("%s %s: %s [%s]\n", what, tensor.name, tensor.dtype, shapeText(tensor, "").c_str());
}

/// The extents in the header of an .npy file; empty where it has none.
static std::vector<int64_t> npyShape(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(512, '\0');
  file.read(&head[0], static_cast<std::streamsize>(head.size()));
  std::vector<int64_t> shape;
  size_t at = head.find("'shape': (");
  if (at == std::string::npos)
    return shape;
  for (at += 10; at < head.size() && head[at] != ')'; ++at)
    if (std::isdigit(static_cast<unsigned char>(head[at]))) {
      char *end = nullptr;
      shape.push_back(std::strtoll(&head[at], &end, 10));
      at = static_cast<size_t>(end - head.data()) - 1;
    }
  return shape;
}

/// Takes the set with the files' shapes into use.
static bool useShapesOf(const std::vector<std::string> &files, tilescope_model *model) {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<const int64_t *> extents;
  std::vector<size_t> ranks;
  for (const std::string &file : files)
    shapes.push_back(npyShape(file));
  for (const std::vector<int64_t> &shape : shapes) {
    extents.push_back(shape.data());
    ranks.push_back(shape.size());
  }
  char error[1024] = "";
  if (tilescope_model_use_shapes(model, extents.data(), ranks.data(), error, sizeof(error)) != 0)
    return fail(error), false;
  return true;
}

/// The elements of an .npy file, which must be as many bytes as the tensor takes; false: they are not.
static bool readNpy(const std::string &path, const tilescope_tensor &tensor,
                    std::vector<char> &data) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < 12 || bytes.compare(0, 6, "\x93NUMPY") != 0)
    return fail("`" + path + "` is not an .npy file"), false;
  const auto byte = [&](size_t at) {
    return static_cast<size_t>(static_cast<unsigned char>(bytes[at]));
  };
  const size_t begin = bytes[6] == 1 ? 10 + byte(8) + 256 * byte(9)
                                     : 12 + byte(8) + 256 * byte(9) + 65536 * byte(10);
  if (begin > bytes.size() || bytes.size() - begin != tensor.bytes)
    return fail("`" + path + "` does not have the " + std::to_string(tensor.bytes) + " bytes of `" +
                tensor.name + "`: " + tensor.dtype + " [" + shapeText(tensor, "") + "]"),
           false;
  if (bytes.substr(0, begin).find("'fortran_order': True") != std::string::npos)
    return fail("`" + path + "` is in Fortran's order: write it from `numpy.ascontiguousarray`"),
           false;
  data.assign(bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.end());
  return true;
}

static bool writeNpy(const std::string &path, const tilescope_tensor &tensor,
                     const std::vector<char> &data) {
  const std::map<std::string, const char *> types = {
      {"fp16", "<f2"}, {"fp32", "<f4"}, {"fp64", "<f8"}, {"i8", "|i1"},
      {"i16", "<i2"},  {"i32", "<i4"},  {"i64", "<i8"},  {"u8", "|u1"},
      {"u16", "<u2"},  {"u32", "<u4"},  {"u64", "<u8"},  {"i1", "|b1"}};
  const auto type = types.find(tensor.dtype);
  // What NumPy has no type for is written as its bytes.
  std::string shape = shapeText(tensor, ",");
  size_t elements = 1;
  for (size_t i = 0; i < tensor.rank; ++i)
    elements *= static_cast<size_t>(tensor.shape[i]);
  const std::string descr =
      type != types.end() ? std::string("'") + type->second + "'"
                          : "[('" + std::string(tensor.dtype) + "', '|V" +
                                std::to_string(elements ? tensor.bytes / elements : 1) + "')]";
  std::string header =
      "{'descr': " + descr + ", 'fortran_order': False, 'shape': (" + shape + "), }";
  header.append(63 - (header.size() + 10) % 64, ' ').append("\n");
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  file.put(static_cast<char>(header.size() % 256)).put(static_cast<char>(header.size() / 256));
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(data.data(), static_cast<std::streamsize>(data.size()));
  return static_cast<bool>(file.flush());
}

int main(int argc, char **argv) {
  std::string folder = ".", out = ".";
  std::vector<std::string> files;
  int device = 0, runs = 100, set = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.compare(0, 2, "--") != 0)
      files.push_back(argument);
    else if (i + 1 == argc)
      return fail("`" + argument + "` needs a value");
    else if (argument == "--folder")
      folder = argv[++i];
    else if (argument == "--out")
      out = argv[++i];
    else if (argument == "--device")
      device = std::atoi(argv[++i]);
    else if (argument == "--set")
      set = std::atoi(argv[++i]);
    else if (argument == "--runs")
      runs = std::atoi(argv[++i]);
    else
      return fail("`" + argument + "` is not an option");
  }

  char error[1024] = "";
  tilescope_model *model = tilescope_model_open(folder.c_str(), error, sizeof(error));
  if (!model)
    return fail(error);
  if (tilescope_model_use_set(model, static_cast<size_t>(set), error, sizeof(error)) != 0)
    return fail(error);
  const size_t numInputs = tilescope_model_num_inputs(model),
               numOutputs = tilescope_model_num_outputs(model);
  std::vector<std::vector<char>> inputs(numInputs), outputs(numOutputs);
  std::vector<const void *> from;
  std::vector<void *> to;
  if (!files.empty() && files.size() != numInputs)
    return fail("the model has " + std::to_string(numInputs) + " inputs, and there are " +
                std::to_string(files.size()) + " files");
  if (!files.empty() && tilescope_model_num_sets(model) > 1 && !useShapesOf(files, model))
    return 1;
  for (size_t i = 0; i < numInputs; ++i) {
    const tilescope_tensor &tensor = *tilescope_model_input(model, i);
    print("input", tensor);
    // One byte more than nothing, so that each has an address.
    inputs[i].resize(tensor.bytes + 1);
    if (!files.empty() && !readNpy(files[i], tensor, inputs[i]))
      return 1;
    from.push_back(inputs[i].data());
  }
  for (size_t i = 0; i < numOutputs; ++i) {
    const tilescope_tensor &tensor = *tilescope_model_output(model, i);
    print("output", tensor);
    outputs[i].resize(tensor.bytes + 1);
    to.push_back(outputs[i].data());
  }

  if (tilescope_model_load(model, device, error, sizeof(error)) != 0)
    return fail(error);
  std::printf("%s runs on %s\n", tilescope_model_name(model), tilescope_model_device(model));
  std::vector<double> times;
  for (int run = 0; run <= runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    if (tilescope_model_run(model, from.data(), to.data(), error, sizeof(error)) != 0)
      return fail(error);
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  for (size_t i = 0; i < numOutputs; ++i) {
    const std::string path = out + "/output_" + std::to_string(i) + ".npy";
    outputs[i].resize(tilescope_model_output(model, i)->bytes);
    if (!writeNpy(path, *tilescope_model_output(model, i), outputs[i]))
      return fail("cannot write `" + path + "`");
    std::printf("wrote %s\n", path.c_str());
  }
  std::printf("the first run took %.1f us", times[0]);
  times.erase(times.begin());
  std::sort(times.begin(), times.end());
  if (!times.empty())
    std::printf(", later ones %.1f us with their copies (median of %zu)", times[times.size() / 2],
                times.size());
  std::printf("\n");
  tilescope_model_close(model);
  return 0;
}
