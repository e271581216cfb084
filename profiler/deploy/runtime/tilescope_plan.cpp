// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "tilescope_plan.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>

namespace tilescope_deploy {

/// Of a plan that is read.
static constexpr size_t kMostEntries = 1 << 20;
static constexpr uint64_t kMostMemory = uint64_t(1) << 40;
static constexpr size_t kMostRank = 64;

namespace {
/// The words of a line. Each function throws where there is none of its kind.
class Words {
public:
  explicit Words(const std::string &line) : m_line(line) {}

  bool atEnd() const { return m_at >= m_line.size(); }
  std::string word() {
    const size_t end = std::min(m_line.find(' ', m_at), m_line.size());
    std::string word = m_line.substr(m_at, end - m_at);
    m_at = std::min(end + 1, m_line.size());
    if (word.empty())
      throw Failure("something is missing");
    return word;
  }
  uint64_t number(uint64_t most = std::numeric_limits<uint64_t>::max()) {
    const std::string text = word();
    uint64_t value = 0;
    for (const char digit : text) {
      const auto unit = static_cast<uint64_t>(digit - '0');
      if (digit < '0' || digit > '9' || unit > most || value > (most - unit) / 10)
        throw Failure("`" + text + "` is not a number up to " + std::to_string(most));
      value = value * 10 + unit;
    }
    return value;
  }
  unsigned small() { return static_cast<unsigned>(number(std::numeric_limits<int>::max())); }
  /// The rest of the line.
  std::string name() {
    std::string name;
    for (; m_at < m_line.size(); ++m_at) {
      const bool isEscape = m_line[m_at] == '\\' && m_at + 1 < m_line.size();
      m_at += isEscape;
      name += isEscape && m_line[m_at] == 'n' ? '\n' : m_line[m_at];
    }
    return name;
  }

private:
  const std::string &m_line;
  size_t m_at = 0;
};

/// Reads the lines of a plan into it.
class PlanReader {
public:
  PlanReader() { plan.sets.emplace_back(); }

  Plan plan;
  void take(const std::string &line);

private:
  uint64_t place(Words &words, uint64_t bytes) const;
  Port port(Words &words) const;
  void takeConstant(Words &words);
  void takeCode(Words &words);
  void takeStep(Words &words);
  void takeParameter(const std::string &kind, Words &words);
  void takeAfter(Words &words);
  void takeShape();
  static Parameter map(Words &words);
  Step &lastStep();
  ShapeSet &set() { return plan.sets.back(); }

  bool m_hasSets = false;
};
} // namespace

/// Where something of so many bytes lies: inside of the memory.
uint64_t PlanReader::place(Words &words, uint64_t bytes) const {
  const uint64_t at = words.number();
  if (at > plan.memoryBytes || bytes > plan.memoryBytes - at)
    throw Failure("a tensor lies outside of the memory");
  return at;
}

Port PlanReader::port(Words &words) const {
  Port port;
  port.bytes = words.number();
  port.at = place(words, port.bytes);
  port.dtype = words.word();
  port.shape.resize(words.number(kMostRank));
  for (int64_t &extent : port.shape)
    extent = static_cast<int64_t>(words.number(std::numeric_limits<int64_t>::max()));
  port.name = words.name();
  return port;
}

void PlanReader::takeConstant(Words &words) {
  Constant constant;
  const uint64_t at = words.number();
  constant.bytes = words.number();
  if (at > plan.memoryBytes || constant.bytes > plan.memoryBytes - at)
    throw Failure("a constant lies outside of the memory");
  constant.at = at;
  constant.offset = words.number(std::numeric_limits<int64_t>::max());
  constant.size = words.number(std::numeric_limits<int64_t>::max());
  constant.checksum = words.number();
  if (constant.size == 0 || constant.bytes % constant.size != 0)
    throw Failure("a constant does not fill its place");
  plan.constants.push_back(constant);
}

void PlanReader::takeCode(Words &words) {
  if (plan.kernels.empty())
    throw Failure("it belongs to a kernel, and none stands above it");
  Code code;
  if (const std::string capability = words.word(); capability != "ptx") {
    Words text(capability);
    code.capability = static_cast<int>(text.number(999));
  }
  code.bytes = words.number(uint64_t(1) << 30);
  code.checksum = words.number();
  plan.kernels.back().codes.push_back(code);
}

void PlanReader::takeStep(Words &words) {
  Step step;
  step.kernel = words.number();
  if (step.kernel >= plan.kernels.size())
    throw Failure("there is no such kernel");
  for (unsigned &extent : step.grid)
    extent = words.small();
  step.threads = words.small();
  step.cluster = words.small();
  step.sharedBytes = words.small();
  step.scratchBytes = words.number(kMostMemory);
  step.node = words.name();
  set().steps.push_back(std::move(step));
}

Step &PlanReader::lastStep() {
  if (set().steps.empty())
    throw Failure("it belongs to a step, and none stands above it");
  return set().steps.back();
}

Parameter PlanReader::map(Words &words) {
  Parameter parameter;
  parameter.type = static_cast<int>(words.small());
  parameter.swizzle = static_cast<int>(words.small());
  const size_t rank = words.number(5);
  if (rank == 0)
    throw Failure("it has no dimensions");
  for (size_t i = 0; i < rank; ++i)
    parameter.extents.push_back(words.number());
  for (size_t i = 1; i < rank; ++i)
    parameter.strides.push_back(words.number());
  for (size_t i = 0; i < rank; ++i)
    parameter.box.push_back(words.small());
  return parameter;
}

void PlanReader::takeParameter(const std::string &kind, Words &words) {
  Parameter parameter;
  if (kind == "number") {
    const std::string digits = words.word();
    if (digits.size() != 2 * parameter.number.size() ||
        digits.find_first_not_of("0123456789abcdef") != std::string::npos)
      throw Failure("`" + digits + "` is not the bytes of a number");
    for (size_t i = 0; i < parameter.number.size(); ++i)
      parameter.number[i] =
          static_cast<unsigned char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
    parameter.kind = Parameter::Kind::Number;
  } else if (kind == "address" || kind == "map") {
    if (kind == "map")
      parameter = map(words);
    parameter.kind = kind == "map" ? Parameter::Kind::Map : Parameter::Kind::Address;
    parameter.at = place(words, 0);
  } else if (kind == "scratch") {
    parameter.kind = Parameter::Kind::Scratch;
  } else if (kind != "none") {
    throw Failure("`" + kind + "` is not known");
  }
  lastStep().parameters.push_back(std::move(parameter));
}

void PlanReader::takeAfter(Words &words) {
  Step &step = lastStep();
  while (!words.atEnd()) {
    const uint64_t earlier = words.number();
    if (earlier + 1 >= set().steps.size())
      throw Failure("a step waits for one that does not come before it");
    step.after.push_back(earlier);
  }
}

/// The first one begins the set that is there.
void PlanReader::takeShape() {
  const ShapeSet &first = plan.sets.front();
  if (!m_hasSets && !(first.inputs.empty() && first.outputs.empty() && first.steps.empty()))
    throw Failure("a set of shapes begins behind what is of none");
  if (m_hasSets)
    plan.sets.emplace_back();
  m_hasSets = true;
}

void PlanReader::take(const std::string &line) {
  Words words(line);
  const std::string key = words.word();
  if (key == "generator")
    plan.generator = words.name();
  else if (key == "model")
    plan.model = words.name();
  else if (key == "memory")
    plan.memoryBytes = words.number(kMostMemory);
  else if (key == "input" || key == "output")
    (key == "input" ? set().inputs : set().outputs).push_back(port(words));
  else if (key == "shape")
    takeShape();
  else if (key == "constant")
    takeConstant(words);
  else if (key == "kernel")
    plan.kernels.push_back({words.name(), {}});
  else if (key == "code")
    takeCode(words);
  else if (key == "step")
    takeStep(words);
  else if (key == "after")
    takeAfter(words);
  else
    takeParameter(key, words);
}

static bool isAlike(const std::vector<Port> &a, const std::vector<Port> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Port &one, const Port &other) {
    return one.name == other.name && one.dtype == other.dtype &&
           one.shape.size() == other.shape.size();
  });
}

/// But for extents.
static bool isAlike(const ShapeSet &a, const ShapeSet &b) {
  return isAlike(a.inputs, b.inputs) && isAlike(a.outputs, b.outputs);
}

Plan readPlan(const std::string &folder) {
  const std::string path = folder + "/model.plan";
  errno = 0;
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line))
    throw Failure("cannot read `" + path + "`: " + (errno ? std::strerror(errno) : "it is empty") +
                  "; `tilescope model export` writes such a folder");
  constexpr char kMark[] = "tilescope-model ";
  if (line.compare(0, sizeof(kMark) - 1, kMark) != 0)
    throw Failure("`" + path + "` is not a plan of `tilescope model export`");
  if (line != kMark + std::to_string(1) && line != kMark + std::to_string(kPlanVersion))
    throw Failure("`" + path + "` has the form " + line.substr(sizeof(kMark) - 1) +
                  ", and this program reads those up to " + std::to_string(kPlanVersion) +
                  ": use the sources that were exported with it");
  PlanReader reader;
  bool isComplete = false;
  for (size_t number = 2; std::getline(file, line); ++number) {
    try {
      if (number > kMostEntries || isComplete)
        throw Failure("it goes on behind its end");
      isComplete = line == "end";
      if (!isComplete)
        reader.take(line);
    } catch (const std::exception &failure) {
      throw Failure("`" + path + "`, line " + std::to_string(number) + ": " + failure.what());
    }
  }
  if (!isComplete)
    throw Failure("`" + path + "` is cut off");
  for (const ShapeSet &set : reader.plan.sets)
    if (!isAlike(set, reader.plan.sets.front()))
      throw Failure("`" + path + "`: the sets of shapes do not have the same inputs and outputs");
  return std::move(reader.plan);
}

static uint64_t fnv1a(const std::string &bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string readPart(const std::string &folder, const std::string &file, uint64_t offset,
                     uint64_t bytes, uint64_t checksum) {
  const std::string path = folder + "/" + file;
  errno = 0;
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream)
    throw Failure("cannot read `" + path + "`: " + std::strerror(errno));
  const auto size = static_cast<uint64_t>(stream.tellg());
  if (offset > size || bytes > size - offset)
    throw Failure("`" + path + "` is cut off");
  std::string part(bytes, '\0');
  stream.seekg(static_cast<std::streamoff>(offset));
  stream.read(part.data(), static_cast<std::streamsize>(bytes));
  if (!stream || fnv1a(part) != checksum)
    throw Failure("`" + path + "` is damaged, or of another export than the plan");
  return part;
}

std::string codeFile(size_t kernel, const Code &code) {
  const std::string name = "kernels/" + std::to_string(kernel);
  return code.capability == 0 ? name + ".ptx"
                              : name + "." + std::to_string(code.capability) + ".cubin";
}

} // namespace tilescope_deploy
