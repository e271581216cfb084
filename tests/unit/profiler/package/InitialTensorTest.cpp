// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/InitialTensor.h"

#include "profiler/data/Npy.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::profiler;

namespace {
struct Folder {
  std::string path = std::filesystem::temp_directory_path() /
                     ("tilescope-initial-tensor-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

PlanArgument ones(std::vector<int64_t> shape) {
  PlanTensor tensor{Dtype::Fp32, std::move(shape), {}};
  tensor.init.kind = TensorInit::Kind::Ones;
  return {"x", tensor};
}
} // namespace

TEST_CASE("a file takes the place of the launch block's data", "[package]") {
  const Folder folder;
  Tensor given = makeTensor(Dtype::Fp32, {2}, {});
  given.set(0, 5);
  given.set(1, -3);
  REQUIRE(writeNpy(folder.path + "/x.npy", given));

  CHECK(initialTensor(ones({2}), folder.path)->at(1) == -3);
  CHECK(initialTensor(ones({2}), "")->at(1) == 1);
  CHECK(initialTensor(ones({2}), folder.path + "/elsewhere")->at(1) == 1);
}

TEST_CASE("a file of another shape or type is refused", "[package]") {
  const Folder folder;
  REQUIRE(writeNpy(folder.path + "/x.npy", makeTensor(Dtype::Fp32, {2}, {})));
  const Result<Tensor> wrong = initialTensor(ones({3}), folder.path);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("fp32[2], but the launch block says fp32[3]") !=
        std::string::npos);

  REQUIRE(writeNpy(folder.path + "/x.npy", makeTensor(Dtype::Int32, {3}, {})));
  CHECK_FALSE(initialTensor(ones({3}), folder.path));
}
