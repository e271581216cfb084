// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/TritonParse.h"

#include "profiler/formats/TorchNames.h"
#include "tests/unit/profiler/formats/Samples.h"

#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;
using Catch::Matchers::Contains;
using nlohmann::json;

static json compilation(const std::string &hash, const std::string &name) {
  return {{"event_type", "compilation"},
          {"pid", 7},
          {"timestamp", "2026-01-31T12:00:00"},
          {"payload",
           {{"metadata",
             {{"hash", hash},
              {"name", name},
              {"num_warps", 8},
              {"num_stages", 3},
              {"shared", 512},
              {"target", {{"backend", "cuda"}, {"arch", 90}, {"warp_size", 32}}}}},
            {"file_content", {{name + ".ttir", "tt.func @" + name}, {name + ".ptx", ".version"}}},
            {"python_source",
             {{"file_path", "/home/someone/kernels.py"},
              {"start_line", 10},
              {"end_line", 12},
              {"code",
               "@triton.jit\ndef " + name + "(x_ptr, n, BLOCK: tl.constexpr):\n    pass\n"}}}}}};
}

static json launch(const std::string &hash, const std::string &name) {
  return {{"event_type", "launch"},
          {"name", name},
          {"grid", {64, 2}},
          {"compilation_metadata", {{"hash", hash}}},
          {"extracted_args",
           {{"x_ptr",
             {{"type", "tensor"},
              {"shape", {64, 32}},
              {"dtype", "torch.bfloat16"},
              {"is_contiguous", true}}},
            {"n", {{"type", "int"}, {"value", 4096}}},
            {"big", {{"type", "int"}, {"value", int64_t(1) << 40}}},
            {"eps", {{"type", "float"}, {"value", 0.5}}},
            {"flag", {{"type", "bool"}, {"value", true}}},
            {"bias", {{"type", "NoneType"}, {"repr", "None"}}},
            {"BLOCK", {{"type", "int"}, {"value", 1024}}}}}};
}

static std::string lines(const std::vector<json> &events) {
  std::string text;
  for (const json &event : events)
    text += event.dump() + "\n";
  return text;
}

static std::string errorOf(const std::string &text) {
  const auto kernels = readTritonParse(text);
  return kernels ? "" : kernels.error().message;
}

TEST_CASE("a log of tritonparse holds kernels and their launches", "[profiler]") {
  const std::string text = lines({compilation("aa", "copy"),
                                  launch("aa", "copy"),
                                  launch("aa", "copy"),
                                  {{"event_type", "autotune"}},
                                  compilation("bb", "other"),
                                  compilation("aa", "copy")});
  REQUIRE(isTritonParse(text));
  const auto kernels = readTritonParse(text);
  REQUIRE(kernels);
  REQUIRE(kernels->size() == 2);
  const ReportKernel &copy = kernels->at(0);
  CHECK(copy.kernel == "copy");
  CHECK(copy.target == "cuda:90");
  CHECK(copy.path == "kernels.py");
  CHECK(copy.sharedBytes == 512);
  CHECK(copy.options == std::vector<NamedText>{{"num_warps", "8"}, {"num_stages", "3"}});
  // The function alone does not compile.
  CHECK_THAT(copy.source, Catch::StartsWith("import triton\nimport triton.language as tl\n"));
  REQUIRE(copy.stages.size() == 2);
  CHECK(copy.stages[0].id == "ttir");
  CHECK(copy.stages[1].text == ".version");
  REQUIRE(copy.plan);
  CHECK(copy.plan->grid == std::array<int64_t, 3>{64, 2, 1});
  const PlanTensor *tensor = copy.plan->argument("x_ptr")->tensor();
  CHECK(tensor->dtype == Dtype::Bf16);
  CHECK(tensor->shape == std::vector<int64_t>{64, 32});
  CHECK(copy.plan->argument("n")->scalar()->type == "i32");
  CHECK(copy.plan->argument("big")->scalar()->type == "i64");
  CHECK(copy.plan->argument("eps")->scalar()->value == ScalarValue(0.5));
  CHECK(copy.plan->argument("flag")->scalar()->value == ScalarValue(true));
  CHECK(copy.plan->constexprs.at("bias") == "None");
  CHECK_THAT(copy.assumptions.at(0), Contains("the first of 2 launches"));
  CHECK_FALSE(kernels->at(1).plan.has_value());
}

TEST_CASE("without its source a kernel of a log begins at its first stage", "[profiler]") {
  json event = compilation("aa", "copy");
  event["payload"].erase("python_source");
  const auto kernels = readTritonParse(lines({event}));
  REQUIRE(kernels);
  CHECK_FALSE(kernels->at(0).isPython);
  CHECK(kernels->at(0).path == "copy.ttir");
  CHECK(kernels->at(0).source == "tt.func @copy");
}

TEST_CASE("what a launch block cannot hold is said", "[profiler]") {
  json event = launch("aa", "copy");
  event["extracted_args"]["x_ptr"]["is_contiguous"] = false;
  event["extracted_args"]["desc"] = {{"type", "TensorDescriptor"}};
  const auto kernels = readTritonParse(lines({compilation("aa", "copy"), event}));
  REQUIRE(kernels);
  CHECK_THAT(kernels->at(0).assumptions.at(0), Contains("`desc` of type TensorDescriptor"));
  CHECK_THAT(kernels->at(0).assumptions.at(1), Contains("the strides of `x_ptr`"));
}

TEST_CASE("what is wrong with a log of tritonparse is said with its line", "[profiler]") {
  const json first = compilation("aa", "copy");
  CHECK_THAT(errorOf(lines({first}) + "{\"event_type\": \"lau"), Contains("line 2: not JSON"));
  json bad = launch("aa", "copy");
  bad["grid"] = {1, 2, 3, 4};
  CHECK_THAT(errorOf("\n" + lines({first, bad})), Contains("line 3: the grid has 4 extents"));
  bad["grid"] = {-1};
  CHECK_THAT(errorOf(lines({first, bad})), Contains("line 2: grid extent -1"));
  bad = launch("aa", "copy");
  bad["extracted_args"]["x_ptr"]["shape"] = {int64_t(1) << 40, int64_t(1) << 40};
  CHECK_THAT(errorOf(lines({first, bad})), Contains("tensor `x_ptr` is too large"));
  bad["extracted_args"]["x_ptr"]["dtype"] = "torch.complex64";
  CHECK_THAT(errorOf(lines({first, bad})), Contains("the element type `torch.complex64`"));
  bad = first;
  bad["payload"]["metadata"].erase("name");
  CHECK_THAT(errorOf(lines({bad})), Contains("line 1: the compilation names no kernel"));
  CHECK_THAT(errorOf(lines({launch("aa", "copy")})), Contains("has no compilation"));
  CHECK_FALSE(isTritonParse("{}\n"));
  CHECK_FALSE(isTritonParse("{\"event_type\": 5}\n"));
  CHECK_FALSE(isTritonParse(""));
}

TEST_CASE("a compile and its launch come back from the log that was written", "[profiler]") {
  ReportData data;
  data.created = "2026-01-31 12:00 UTC";
  data.kernels = {compiledKernel()};
  const std::string text = tritonParse(data);
  CHECK_THAT(text, Contains("\"timestamp\":\"2026-01-31T12:00:00+00:00\""));
  CHECK_THAT(text, !Contains(".ast\""));
  const auto kernels = readTritonParse(text);
  REQUIRE(kernels);
  const ReportKernel &written = data.kernels[0], &read = kernels->at(0);
  CHECK(read.kernel == written.kernel);
  CHECK(read.source == written.source);
  CHECK(read.target == written.target);
  CHECK(read.options == written.options);
  CHECK(read.stages.size() == 3);
  CHECK(read.plan->grid == written.plan->grid);
  CHECK(read.plan->argument("x_ptr")->tensor()->dtype == Dtype::Fp16);
  CHECK(read.plan->argument("eps")->scalar()->value == ScalarValue(1e-5));
  CHECK(read.plan->constexprs.at("ACT") == "\"relu\"");
  // The log does not tell constants from arguments.
  CHECK(read.plan->argument("BLOCK")->scalar()->value == ScalarValue(int64_t(1024)));
}

TEST_CASE("events hold what tritonparse asks of tensors", "[profiler]") {
  ReportData data;
  data.kernels = {compiledKernel()};
  const std::string text = tritonParse(data);
  const json event = json::parse(text.substr(text.find('\n') + 1));
  const json &tensor = event.at("extracted_args").at("x_ptr");
  CHECK(tensor.at("dtype") == "torch.float16");
  CHECK(tensor.at("stride") == json({32, 1}));
  CHECK(tensor.at("numel") == 2048);
  CHECK(tensor.at("memory_usage") == 4096);
}

TEST_CASE("element types have PyTorch's names", "[profiler]") {
  CHECK(torchName(Dtype::Fp32) == "torch.float32");
  CHECK(torchName(Dtype::Int1) == "torch.bool");
  CHECK(torchName(Dtype::Fp8e4nv) == "torch.float8_e4m3fn");
  CHECK_FALSE(dtypeOfTorch("torch.complex64").has_value());
  for (const Dtype dtype : {Dtype::Fp32, Dtype::Bf16, Dtype::Int1, Dtype::Int8, Dtype::Uint8,
                            Dtype::Int64, Dtype::Fp8e4nv, Dtype::Fp8e5})
    CHECK(dtypeOfTorch(torchName(dtype)) == dtype);
}
