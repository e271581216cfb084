// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// fuzz_NAME PATH… [--random N] [--seed S]: passes every file (of every folder) to the fuzz target
// once, then N inputs made of them by random changes, and of random bytes. For builds without
// libFuzzer, which does the same with an eye on what each input reaches.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const std::string &text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

static std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

namespace {

class Mutator {
public:
  Mutator(const std::vector<std::string> &seeds, unsigned seed) : m_seeds(seeds), m_random(seed) {}

  std::string next() {
    if (below(2) == 0)
      return randomBytes(below(600));
    std::string text = m_seeds[below(m_seeds.size())];
    for (size_t i = 0, count = 1 + below(8); i < count; ++i)
      change(text);
    return text;
  }

private:
  size_t below(size_t limit) { return limit == 0 ? 0 : m_random() % limit; }

  std::string randomBytes(size_t size) {
    std::string bytes(size, '\0');
    for (char &byte : bytes)
      byte = static_cast<char>(below(256));
    return bytes;
  }

  void change(std::string &text) {
    const size_t at = below(text.size() + 1);
    const size_t size = std::min(below(40), text.size() - at);
    const std::string &other = m_seeds[below(m_seeds.size())];
    switch (below(5)) {
    case 0:
      text.erase(at, size);
      return;
    case 1:
      text.insert(at, text.substr(below(text.size() + 1), below(60)));
      return;
    case 2:
      text.insert(at, other.substr(below(other.size() + 1), below(60)));
      return;
    case 3:
      text.replace(at, size, randomBytes(below(4)));
      return;
    default:
      text.replace(at, std::min<size_t>(size, 1), 1, static_cast<char>(32 + below(95)));
    }
  }

  const std::vector<std::string> &m_seeds;
  std::mt19937 m_random;
};

} // namespace

int main(int argc, char **argv) {
  std::vector<fs::path> paths;
  int numRandom = 0;
  unsigned seed = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--random" && i + 1 < argc)
      numRandom = std::atoi(argv[++i]);
    else if (argument == "--seed" && i + 1 < argc)
      seed = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (fs::is_directory(argument))
      std::copy(fs::directory_iterator(argument), {}, std::back_inserter(paths));
    else
      paths.emplace_back(argument);
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const fs::path &path : paths) {
    seeds.push_back(readFile(path));
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    run(seeds.back());
  }
  if (seeds.empty())
    return 1;
  // The input that is about to run, for developers who look at the remains of a crash.
  const char *keep = std::getenv("TILESCOPE_FUZZ_KEEP");
  Mutator mutator(seeds, seed);
  for (int i = 0; i < numRandom; ++i) {
    const std::string text = mutator.next();
    if (keep != nullptr)
      std::ofstream(keep, std::ios::binary) << text;
    run(text);
  }
  std::printf("%zu inputs\n", seeds.size() + static_cast<size_t>(numRandom));
  return 0;
}
