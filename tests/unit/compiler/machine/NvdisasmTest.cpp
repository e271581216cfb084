// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is read from machine code, against what `nvdisasm` says about the same code.
#include "compiler/machine/SassFlow.h"
#include "compiler/pipeline/Compiler.h"
#include "compiler/support/ChildProcess.h"
#include "compiler/target/TargetSpec.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::machine;

namespace {

std::string read(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// What the machine code of a kernel is; nothing where it does not compile for the target.
struct Compiled {
  std::string sass, cubin;
  int64_t registers = 0;
};

std::optional<Compiled> compile(Compiler &compiler, const std::string &path,
                                const std::string &target) {
  CompileRequest request;
  request.path = path;
  request.text = read(path);
  request.selection.target = target;
  request.stopAfter = StageId::Sass;
  const CompileResult result = compiler.compile(request).result;
  const Stage *sass = result.stage(StageId::Sass), *cubin = result.stage(StageId::Cubin);
  if (!result.ok || !sass || !sass->ok)
    return std::nullopt;
  return Compiled{sass->text, cubin->text, result.resources.registers};
}

/// All examples, and a kernel with two products in its loop.
std::vector<std::string> kernelFiles() {
  std::vector<std::string> paths;
  for (const auto &entry : std::filesystem::directory_iterator(TILESCOPE_EXAMPLES))
    if (entry.path().extension() == ".py")
      paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  paths.push_back(TILESCOPE_KERNELS "/attention/attention_fwd_4_warps.py");
  return paths;
}

/// Every target that there is: a new one is covered by being one.
std::vector<std::string> knownTargets() {
  std::vector<std::string> targets;
  for (int capability = 50; capability < 200; ++capability) {
    const std::string name = TargetSpec{capability}.name();
    if (parseTarget(name))
      targets.push_back(name);
  }
  return targets;
}

/// What `nvdisasm` writes with these options.
std::string disassembled(const Compiler &compiler, const std::string &cubin,
                         std::vector<std::string> options) {
  const MemoryFile file(cubin);
  options.push_back(file.path());
  const Result<ChildOutput> child =
      runChild(compiler.toolkit().nvdisasm, options, std::chrono::seconds(60));
  REQUIRE(child);
  // Live ranges of kernels with all 255 registers are beyond it.
  return child->status == 0 ? child->standardOutput : std::string();
}

std::vector<std::string> lines(const std::string &text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    all.push_back(line);
  return all;
}

/// The words in comments, `/* 0x000e6c0000002500 */`, two for each instruction.
std::vector<uint64_t> wordsIn(const std::string &listing) {
  std::vector<uint64_t> words;
  constexpr std::string_view kMark = "/* 0x";
  for (size_t at = listing.find(kMark); at != std::string::npos; at = listing.find(kMark, at + 1)) {
    uint64_t word = 0;
    std::from_chars(listing.data() + at + kMark.size(), listing.data() + at + kMark.size() + 16,
                    word, 16);
    words.push_back(word);
  }
  return words;
}

/// Registers that are alive during each instruction: the first number behind `// |` of its second
/// line.
std::vector<int> liveIn(const std::string &listing) {
  std::vector<int> counts;
  bool isSecond = false;
  for (const std::string &line : lines(listing)) {
    const size_t bar = line.find("// |");
    if (isSecond && bar != std::string::npos)
      counts.push_back(std::atoi(line.c_str() + bar + 4));
    const size_t first = line.find_first_not_of(' ');
    isSecond = first != std::string::npos && line.compare(first, 2, "/*") == 0 &&
               line.find("*/") < line.find("/* 0x");
  }
  return counts;
}

/// `reuse` of an operand in the text is a bit of the word.
int numReused(const SassInstruction &instruction) {
  return static_cast<int>(std::ranges::count_if(instruction.operands, [](std::string_view each) {
    return each.find(".reuse") != std::string_view::npos;
  }));
}

void checkBits(const SassProgram &program, const std::vector<uint64_t> &words) {
  REQUIRE(program.hasWords);
  REQUIRE(words.size() == 2 * program.instructions.size());
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const SassInstruction &each = program.instructions[i];
    const InstructionWord printed{words[2 * i], words[2 * i + 1]};
    CAPTURE(each.address, each.operation);
    REQUIRE(each.word == printed);
    // From the columns as they are shown back into a word without these fields.
    const auto shown = parseControlColumns(controlColumns(decodeControl(each.word)));
    REQUIRE(shown);
    InstructionWord empty = printed;
    empty.high &= ~(uint64_t{0x1fffff} << 41);
    empty.low &= ~uint64_t{0xf000};
    // The guard comes from the text, which `nvdisasm` made of the bits.
    SassGuard guard;
    guard.isNegated = each.guard.starts_with('!');
    std::string_view name = each.guard.substr(guard.isNegated ? 1 : 0);
    name = name.substr(name.starts_with('U') ? 1 : 0);
    if (name.size() == 2 && name[1] != 'T')
      guard.predicate = static_cast<uint8_t>(name[1] - '0');
    REQUIRE(withControl(withGuard(empty, guard), *shown) == printed);
    REQUIRE(std::popcount(shown->reuse) == numReused(each));
  }
}

/// Who waits for a barrier waits for somebody.
void checkBarriers(const SassProgram &program, const std::vector<LivenessStep> &steps) {
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const SassControl control = decodeControl(program.instructions[i].word);
    CAPTURE(program.instructions[i].address);
    for (uint8_t barrier = 0; barrier < kNumBarriers; ++barrier)
      if (control.waitMask >> barrier & 1) {
        const auto holders = barrierHolders(program, steps, i, barrier);
        for (const uint32_t holder : holders) {
          const auto waits = barrierWaits(program, steps, holder);
          REQUIRE(std::ranges::any_of(waits, [&](const BarrierWaits &each) {
            return each.barrier == barrier &&
                   std::ranges::find(each.waiters, i) != each.waiters.end();
          }));
        }
      }
  }
}

struct Peaks {
  int ours = 0, theirs = 0;
};

/// For each step how many registers have behind it, as their first write, a guarded one or one that
/// reads the register, too (`PRMT R23, R26, 0x7632, R23` keeps a half that has no value yet).
/// `nvdisasm` takes such a register for alive from the beginning; before it is written, it needs no
/// place.
std::vector<int> notYetWritten(const std::vector<LivenessStep> &steps) {
  std::vector<int> first(kFirstUniform, -1);
  for (size_t i = 0; i < steps.size(); ++i)
    for (const ValueIndex value : steps[i].writes)
      if (value < kFirstUniform && first[value] < 0)
        first[value] = static_cast<int>(i);
  std::vector<int> counts(steps.size(), 0);
  for (ValueIndex value = 0; value < kFirstUniform; ++value) {
    if (first[value] < 0)
      continue;
    const LivenessStep &writer = steps[static_cast<size_t>(first[value])];
    if (writer.isGuarded || std::ranges::find(writer.reads, value) != writer.reads.end())
      for (int i = 0; i < first[value]; ++i)
        ++counts[static_cast<size_t>(i)];
  }
  return counts;
}

/// What `nvdisasm` takes for alive, we do, once it is written; we also follow code that is jumped to
/// by `CALL`, and take a guarded write for one that may not happen.
Peaks checkLive(const LiveSets &live, const std::vector<LivenessStep> &steps,
                const std::vector<int> &theirs) {
  REQUIRE(theirs.size() >= 1);
  Peaks peaks;
  const std::vector<int> unwritten = notYetWritten(steps);
  for (size_t i = 0; i < theirs.size(); ++i) {
    const int ours = live.count(i, 0, kFirstUniform);
    CAPTURE(i);
    // The loop behind the end is never reached.
    if (steps[i].next == std::vector<uint32_t>{static_cast<uint32_t>(i)})
      continue;
    REQUIRE(ours >= theirs[i] - unwritten[i]);
    peaks.ours = std::max(peaks.ours, ours);
    peaks.theirs = std::max(peaks.theirs, theirs[i]);
  }
  return peaks;
}

} // namespace

TEST_CASE("control fields and live registers agree with nvdisasm for every target", "[compiler]") {
  Compiler compiler{findCudaToolkit()};
  if (!compiler.toolkit().hasAssembler() || compiler.toolkit().nvdisasm.empty()) {
    WARN("skipped: this machine has no ptxas or no nvdisasm; scripts/setup gets them");
    return;
  }
  const std::vector<std::string> paths = kernelFiles();
  REQUIRE(paths.size() >= 10);
  int numInstructions = 0, numAlike = 0, numCompared = 0;
  for (const std::string &target : knownTargets())
    for (const std::string &path : paths) {
      CAPTURE(path, target);
      const std::optional<Compiled> code = compile(compiler, path, target);
      REQUIRE(code);
      const SassProgram program = parseSass(code->sass, code->cubin);
      numInstructions += static_cast<int>(program.instructions.size());
      checkBits(program, wordsIn(disassembled(compiler, code->cubin, {"-c", "-hex"})));
      const std::vector<LivenessStep> steps = sassSteps(program);
      checkBarriers(program, steps);
      const LiveSets live = aliveDuring(steps, kNumMachineRegisters);
      int peak = 0;
      for (size_t i = 0; i < steps.size(); ++i)
        peak = std::max(peak, live.count(i, 0, kFirstUniform));
      // ptxas reserves up to the highest register that it uses; what is not alive at the peak are
      // gaps between aligned operands, and up to two for barriers and calls.
      CAPTURE(peak, code->registers);
      CHECK(peak <= code->registers);
      CHECK(code->registers - peak <= std::max<int64_t>(12, code->registers / 4));
      // It takes `CALL`, with which loops of capability 8 end, for one that returns.
      if (std::ranges::any_of(program.instructions,
                              [](const SassInstruction &each) { return each.operation == "CALL"; }))
        continue;
      const std::string listing =
          disassembled(compiler, code->cubin, {"-c", "-hex", "-plr", "-lrm", "count"});
      if (listing.empty())
        continue;
      const std::vector<int> theirs = liveIn(listing);
      // It leaves the padding behind the code out.
      REQUIRE(theirs.size() <= steps.size());
      for (size_t i = theirs.size(); i < steps.size(); ++i)
        REQUIRE(program.instructions[i].operation == "NOP");
      const Peaks peaks = checkLive(live, steps, theirs);
      ++numCompared;
      numAlike += peaks.ours == peaks.theirs;
    }
  CHECK(numInstructions >= 10000);
  CHECK(numCompared >= 12);
  CAPTURE(numCompared, numAlike);
  CHECK(numAlike >= numCompared * 9 / 10);
}

TEST_CASE("products of the machine code belong to products of the source", "[compiler]") {
  Compiler compiler{findCudaToolkit()};
  if (!compiler.toolkit().hasAssembler() || compiler.toolkit().nvdisasm.empty()) {
    WARN("skipped: this machine has no ptxas or no nvdisasm; scripts/setup gets them");
    return;
  }
  size_t numProducts = 0;
  for (const char *path :
       {TILESCOPE_EXAMPLES "/matmul.py", TILESCOPE_KERNELS "/attention/attention_fwd_4_warps.py"}) {
    CompileRequest request;
    request.path = path;
    request.text = read(path);
    request.selection.target = "cuda:90";
    request.stopAfter = StageId::Sass;
    const CompileResult result = compiler.compile(request).result;
    const Stage *sass = result.stage(StageId::Sass);
    REQUIRE(sass);
    const std::vector<std::string> source = lines(request.text), code = lines(sass->text);
    for (size_t line = 0; line < code.size(); ++line) {
      if (code[line].find("GMMA.") == std::string::npos)
        continue;
      ++numProducts;
      const auto mapping = std::ranges::find(sass->sourceMap.lines, line, &LineMapping::line);
      REQUIRE(mapping != sass->sourceMap.lines.end());
      const std::string &place = source[mapping->sources.front().begin.line];
      INFO(path << ": " << code[line] << " at " << place);
      CHECK(place.find("tl.dot(") != std::string::npos);
    }
  }
  // Two in matmul, at least four for each of the two in attention.
  CHECK(numProducts >= 10);
}
