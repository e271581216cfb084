// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/OrderCheck.h"

#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/SourceLocations.h"
#include "compiler/interpreter/Tickets.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace mlir;

namespace tilescope::compiler::interpreter {

/// Longer runs are not repeated, nor are those of more memory.
static constexpr std::chrono::seconds kLongestRun(10);
static constexpr size_t kMostBytes = size_t{1} << 30;
/// When other orders have taken as long, no more are tried.
static constexpr std::chrono::milliseconds kUnnoticed(100);
static constexpr uint32_t kMostOrders = 12;
/// Instructions that waiting may take in the second run at least.
static constexpr uint64_t kFewestInstructions = 20'000'000;

OrderCheck::OrderCheck(ModuleOp module, const InterpreterLaunch &launch,
                       const InterpreterOptions &options)
    : m_launch(launch), m_options(options) {
  tt::FuncOp kernel = findKernel(module, options.kernel);
  if (!options.findRaces || !launch.watches.empty() || !kernel || numPrograms(launch.grid) < 2 ||
      kernel.getNumArguments() != launch.arguments.size())
    return;
  Operation *ticket = findTicket(module);
  if (!ticket)
    return;
  const std::vector<ArgumentUse> uses = argumentUses(kernel, module);
  const bool isNoneExpected =
      std::ranges::none_of(launch.arguments, &InterpreterArgument::isExpected);
  // All of them: which ones a kernel may write is not known for every way to do so.
  size_t numBytes = 0;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const InterpreterArgument &argument = launch.arguments[i];
    if (!argument.data)
      continue;
    numBytes += argument.sizeBytes;
    auto pointer = dyn_cast<tt::PointerType>(kernel.getArgumentTypes()[i]);
    m_arguments.push_back({i, pointer ? getElement(pointer.getPointeeType()) : std::nullopt,
                           isNoneExpected || argument.isExpected, uses[i].isRead()});
  }
  if (numBytes > kMostBytes)
    return;
  m_ticket = ticket;
  for (Argument &each : m_arguments) {
    const InterpreterArgument &argument = launch.arguments[each.index];
    each.before.assign(argument.data, argument.data + argument.sizeBytes);
  }
}

bool OrderCheck::isWanted(const Interpretation &result) const {
  return m_ticket && result.completed && result.statistics.runDuration <= kLongestRun &&
         m_numTried < kMostOrders && m_spent < kUnnoticed && !areAllByChance(result);
}

static bool hasRaceOf(const std::string &argument, const Interpretation &result) {
  return std::ranges::any_of(result.findings, [&](const InterpreterFinding &each) {
    return each.kind == InterpreterFindingKind::WriteRace && each.argument == argument;
  });
}

bool OrderCheck::areAllByChance(const Interpretation &result) const {
  return std::ranges::any_of(m_arguments, [&](const Argument &each) {
    return each.isRead && hasRaceOf(m_launch.arguments[each.index].name, result);
  });
}

std::chrono::nanoseconds OrderCheck::longestSecond(const Interpretation &result) {
  return 4 * result.statistics.runDuration + std::chrono::seconds(2);
}

InterpreterOptions OrderCheck::optionsAfter(const Interpretation &result) const {
  InterpreterOptions options = m_options;
  options.findUndefined = false;
  options.maxPrints = 0;
  options.files = result.files;
  options.progress = nullptr;
  options.maxInstructionsPerProgram =
      std::max(kFewestInstructions, 4 * result.statistics.instructions);
  options.maxProgramDuration = 4 * result.statistics.runDuration + std::chrono::seconds(1);
  return options;
}

ProgramSequence OrderCheck::otherOrder() const {
  const uint64_t count = numPrograms(m_launch.grid);
  return {count,
          [count, grid = m_launch.grid](uint64_t i) {
            const uint64_t begin = i / kReversedPrograms * kReversedPrograms;
            const uint64_t end = std::min(begin + kReversedPrograms, count);
            return programAt(begin + (end - 1 - i), grid);
          },
          kReversedPrograms, std::array{Turns::Eager, Turns::Rounds, Turns::Random}[m_numTried % 3],
          m_numTried};
}

void OrderCheck::beginSecond() {
  m_since = std::chrono::steady_clock::now();
  m_processorSince = std::clock();
  // Two arguments may share memory.
  for (Argument &each : m_arguments) {
    const InterpreterArgument &argument = m_launch.arguments[each.index];
    each.first.assign(argument.data, argument.data + argument.sizeBytes);
  }
  for (const Argument &each : m_arguments)
    std::ranges::copy(each.before, m_launch.arguments[each.index].data);
}

/// Whether a race was found before, in another order.
static bool isKnown(const InterpreterFinding &race, const Interpretation &result) {
  return std::ranges::any_of(result.findings, [&](const InterpreterFinding &each) {
    return each.kind == race.kind && each.argument == race.argument && each.range == race.range;
  });
}

void OrderCheck::endSecond(Interpretation second, Interpretation &result) {
  ++m_numTried;
  // What other processes take of a loaded machine does not count, nor do several threads.
  m_spent +=
      std::min<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - m_since,
                                         std::chrono::nanoseconds(std::chrono::seconds(1)) *
                                             (std::clock() - m_processorSince) / CLOCKS_PER_SEC);
  // Places of findings refer to them.
  result.files = std::move(second.files);
  for (InterpreterFinding &each : second.findings)
    if (each.kind == InterpreterFindingKind::WriteRace && !isKnown(each, result))
      add(std::move(each), result);
  for (const Argument &each : m_arguments) {
    if (!second.completed || areAllByChance(result))
      break;
    // Of what races it is known that it differs, or may.
    if (!each.isResult || hasRaceOf(m_launch.arguments[each.index].name, result))
      continue;
    if (const std::optional<size_t> element = firstDifference(each))
      report(each, *element, result);
  }
  for (const Argument &each : m_arguments)
    std::ranges::copy(each.first, m_launch.arguments[each.index].data);
}

/// The distance between 1 and the next number.
static double epsilonOf(Element element) {
  switch (element) {
  case Element::F64:
    return 0x1p-52;
  case Element::F32:
    return 0x1p-23;
  case Element::F16:
    return 0x1p-10;
  case Element::BF16:
    return 0x1p-7;
  default:
    return 0x1p-2;
  }
}

static std::vector<double> decode(Element element, const std::byte *memory, size_t count) {
  const size_t size = storageSize(element);
  std::vector<std::byte> held(count * size);
  findRead(element)(held.data(), memory, static_cast<int64_t>(memorySize(element)), count);
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    if (element == Element::F64) {
      std::memcpy(&values[i], held.data() + i * size, size);
    } else {
      float value = 0;
      std::memcpy(&value, held.data() + i * size, size);
      values[i] = value;
    }
  return values;
}

static double largestOf(const std::vector<double> &values) {
  double largest = 0;
  for (const double value : values)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return largest;
}

std::optional<size_t> OrderCheck::firstDifference(const Argument &argument) const {
  const std::byte *second = m_launch.arguments[argument.index].data;
  const size_t size = argument.element ? memorySize(*argument.element) : 1;
  const size_t count = argument.first.size() / size;
  if (std::memcmp(argument.first.data(), second, argument.first.size()) == 0)
    return std::nullopt;
  if (!argument.element || !isFloat(*argument.element)) {
    const auto at = std::ranges::mismatch(argument.first,
                                          std::span<const std::byte>(second, argument.first.size()))
                        .in1;
    return static_cast<size_t>(at - argument.first.begin()) / size;
  }
  const std::vector<double> a = decode(*argument.element, argument.first.data(), count);
  const std::vector<double> b = decode(*argument.element, second, count);
  // Sums of as many terms as there are programs, which are rounded in each order otherwise. What
  // cancels in one element is about as large as others are: most may be 0.
  const double terms = static_cast<double>(numPrograms(m_launch.grid));
  const double relative = epsilonOf(*argument.element) * (16 + 4 * std::sqrt(terms));
  const double most = relative * largestOf(a);
  for (size_t i = 0; i < count; ++i) {
    const bool isSame = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    if (!isSame && !(std::abs(a[i] - b[i]) <= most))
      return i;
  }
  return std::nullopt;
}

/// An element as messages have it.
static std::string elementText(std::optional<Element> element, const std::byte *memory) {
  char text[32];
  if (element && isFloat(*element)) {
    std::snprintf(text, sizeof(text), "%.6g", decode(*element, memory, 1).front());
    return text;
  }
  int64_t value = 0;
  std::memcpy(&value, memory, element ? memorySize(*element) : 1);
  const int unused = element ? 64 - static_cast<int>(8 * memorySize(*element)) : 56;
  return std::to_string(static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused);
}

void OrderCheck::add(InterpreterFinding finding, Interpretation &result) const {
  ++result.numFindings;
  if (result.findings.size() < m_options.maxFindings)
    result.findings.push_back(std::move(finding));
}

void OrderCheck::report(const Argument &argument, size_t element, Interpretation &result) const {
  const InterpreterArgument &memory = m_launch.arguments[argument.index];
  const size_t size = argument.element ? memorySize(*argument.element) : 1;
  InterpreterFinding finding;
  finding.kind = InterpreterFindingKind::WriteRace;
  finding.range = getSourceRange(m_ticket->getLoc(), result.files);
  finding.argument = memory.name;
  finding.offset = finding.lastOffset = static_cast<int64_t>(element);
  finding.extent = static_cast<int64_t>(memory.sizeBytes / size);
  // `tl.atomic_xchg` leaves what the last program writes.
  const std::string depends =
      m_ticket->use_empty()
          ? "what this atomic operation leaves depends on the order in which programs run: `"
          : "what this atomic operation returns depends on the order in which programs run, and `" +
                memory.name + "` with it: `";
  finding.message =
      depends +
      elementName({.name = memory.name, .shape = memory.shape}, finding.offset, finding.extent) +
      "` is " + elementText(argument.element, argument.first.data() + element * size) + ", and " +
      elementText(argument.element, memory.data + element * size) +
      " when they run in another order; on a GPU the order is chance";
  add(std::move(finding), result);
}

} // namespace tilescope::compiler::interpreter
