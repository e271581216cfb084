// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Npy.h"

#include "profiler/data/FileIo.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace tilescope::profiler;

TEST_CASE("every type and shape survives writing and reading", "[profiler]") {
  TensorInit init;
  init.kind = TensorInit::Kind::Randint;
  for (const auto &info : allDtypes())
    for (std::vector<int64_t> shape : {std::vector<int64_t>{}, {7}, {2, 3, 5}, {0, 4}}) {
      Tensor tensor = makeTensor(info.kind, shape, init);
      auto read = decodeNpy(encodeNpy(tensor));
      REQUIRE(read);
      CHECK(*read == tensor);
    }
}

TEST_CASE("the data begin at a multiple of 64 bytes", "[profiler]") {
  Tensor tensor = makeTensor(Dtype::Fp32, {3}, {});
  CHECK((encodeNpy(tensor).size() - 12) % 64 == 0);
}

TEST_CASE("broken files are refused with a reason", "[profiler]") {
  std::string good = encodeNpy(makeTensor(Dtype::Fp32, {10}, {}));
  for (size_t size = 0; size < good.size(); ++size)
    REQUIRE_FALSE(decodeNpy(std::string_view(good).substr(0, size)));
  auto check = [&](std::string from, std::string to, std::string message) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    auto read = decodeNpy(bad);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find(message) != std::string::npos);
  };
  check("<f4", ">f4", "element type");
  check("(10,)", "(99,)", "data cut off");
  check("(10,)", "(-1,)", "bad shape");
  check("(10,), }             ", "(9999999999,9999999999,)}", "");
}

TEST_CASE("NumPy reads what is written here", "[profiler]") {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("tilescope_npy_" + std::to_string(getpid()));
  fs::create_directories(folder);
  TensorInit arange;
  arange.kind = TensorInit::Kind::Arange;
  REQUIRE(writeNpy(folder / "a.npy", makeTensor(Dtype::Fp16, {2, 3}, arange)));
  REQUIRE(writeNpy(folder / "b.npy", makeTensor(Dtype::Bf16, {4}, arange)));
  std::string script = "import numpy as np; a = np.load('a.npy'); b = np.load('b.npy')['bf16']; "
                       "assert a.dtype == np.float16 and a.tolist() == [[0, 1, 2], [3, 4, 5]]; "
                       "f = (b.astype(np.uint32) << 16).view(np.float32); "
                       "assert f.tolist() == [0, 1, 2, 3], f; "
                       "np.save('c.npy', np.array([[1, -2], [3, 4]], dtype=np.int64)); "
                       "np.save('d.npy', np.arange(24, dtype=np.int16).reshape(2, 3, 4).copy('F'))";
  std::string command =
      "cd '" + folder.string() + "' && " TILESCOPE_PYTHON " -c \"" + script + "\"";
  REQUIRE(std::system(command.c_str()) == 0);
  auto read = readNpy(folder / "c.npy");
  REQUIRE(read);
  CHECK(read->dtype == Dtype::Int64);
  CHECK(read->shape == std::vector<int64_t>{2, 2});
  CHECK(read->at(1) == -2);
  auto fortran = readNpy(folder / "d.npy");
  REQUIRE(fortran);
  CHECK(fortran->shape == std::vector<int64_t>{2, 3, 4});
  CHECK(*fortran == makeTensor(Dtype::Int16, {2, 3, 4}, arange));
  fs::remove_all(folder);
}

TEST_CASE("files that are not there are named", "[profiler]") {
  auto read = readNpy("/no/such/file.npy");
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find("/no/such/file.npy") != std::string::npos);
  CHECK_FALSE(readFile("/"));
  CHECK_FALSE(writeFile("/no/such/folder/file", "x"));
}
