// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/StepValues.h"

#include "compiler/interpreter/Access.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <set>
#include <tuple>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// More elements are not looked at for a line of text.
static constexpr size_t kMostLookedAt = size_t{1} << 16;
static constexpr size_t kMostListed = 4;
/// No block of a kernel is larger.
static constexpr int64_t kMostElements = int64_t{1} << 20;

static std::string numberText(double number, bool isWhole) {
  if (std::isnan(number))
    return "NaN";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), isWhole ? "%.0f" : "%.5g", number);
  return buffer;
}

static double numberAt(const std::byte *data, Element element, size_t index) {
  const std::byte *at = data + index * storageSize(element);
  if (element == Element::F64) {
    double value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  if (isFloat(element)) {
    float value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  return static_cast<double>(loadInteger(at, element));
}

static const std::byte *elementsOf(Frame &frame, uint32_t id) {
  return frame.info(id).shape.rank == 0 ? frame.value(id).scalar.data() : frame.dense(id);
}

/// An address as an element of its argument.
static double elementOf(const Frame &frame, double address, uint32_t pointeeBytes) {
  const Place place = findPlace(frame.execution(), static_cast<int64_t>(address));
  if (!place.area || pointeeBytes == 0)
    return address;
  return std::floor(static_cast<double>(place.offset) / pointeeBytes);
}

NumberBlock numbersOf(Frame &frame, uint32_t id, const ListedValue &value) {
  const ValueInfo &info = frame.info(id);
  NumberBlock block;
  block.shape.assign(info.shape.extent.begin(), info.shape.extent.begin() + info.shape.rank);
  block.numbers.resize(static_cast<size_t>(info.shape.count));
  const std::byte *data = elementsOf(frame, id);
  for (size_t i = 0; i < block.numbers.size(); ++i) {
    block.numbers[i] = numberAt(data, info.element, i);
    if (info.element == Element::Pointer)
      block.numbers[i] = elementOf(frame, block.numbers[i], value.pointeeBytes);
  }
  return block;
}

StepValues::StepValues(const StepListing &listing) : m_listing(listing) {
  for (uint32_t id = 0; id < listing.values.size(); ++id) {
    const ListedValue &value = listing.values[id];
    for (size_t i = 0; i < value.names.size(); ++i)
      m_byName[value.names[i].name].push_back({id, static_cast<int32_t>(i)});
    if (!value.ssa.empty() && !value.isBinding)
      m_byName[value.ssa].push_back({id, -1});
    if (value.isParameter)
      m_parameters.push_back(id);
  }
}

uint32_t StepValues::stackHere(const SteppedProgram &program) const {
  const auto &code = m_listing.instructions;
  if (code.empty())
    return 0;
  // What only leads on is at no place: the one before it counts.
  auto at = std::min<size_t>(program.frame.next(), code.size() - 1);
  if (m_listing.stacks[code[at].stack].empty() && program.trace.lastStop != kNoValue)
    at = program.trace.lastStop;
  return code[at].stack;
}

const std::vector<ListedParameter> *StepValues::parametersHere(const SteppedProgram &program,
                                                               uint32_t frame) const {
  const auto &parameters = m_listing.parameters[stackHere(program)];
  return frame < parameters.size() ? &parameters[frame] : nullptr;
}

static bool isSameFunction(const StepFrame &a, const StepFrame &b) {
  return a.function == b.function && a.range.file == b.range.file;
}

bool StepValues::isInScope(const ListedValue &value, const ListedName &name, const PlaceStack &here,
                           uint32_t frame) const {
  if (frame >= here.size())
    return value.isArgument || here.empty();
  if (value.isArgument)
    return frame + 1 == here.size();
  const PlaceStack &its = m_listing.stacks[value.stack];
  if (name.frame >= its.size() || !isSameFunction(its[name.frame], here[frame]))
    return false;
  // The same function may have been called elsewhere.
  if (its.size() - name.frame != here.size() - frame)
    return true;
  for (size_t i = 1; name.frame + i < its.size(); ++i)
    if (its[name.frame + i].range != here[frame + i].range)
      return false;
  return true;
}

bool StepValues::isAssigned(const SteppedProgram &program, const ListedValue &value,
                            const ListedName &name) const {
  const PlaceStack &its = m_listing.stacks[value.stack];
  if (name.frame >= its.size())
    return true;
  const size_t depth = its.size() - name.frame;
  const uint32_t line = its[name.frame].range.begin.line;
  bool isWork = false, isBehind = false;
  for (uint32_t at = 0; at < m_listing.instructions.size(); ++at) {
    const PlaceStack &stack = m_listing.stackOf(at);
    if (!m_listing.instructions[at].isStop || stack.size() < depth)
      continue;
    const StepFrame &place = stack[stack.size() - depth];
    if (!isSameFunction(place, its[name.frame]))
      continue;
    const bool wasExecuted = program.trace.hasExecuted(at);
    if (place.range.begin.line == line) {
      isWork = true;
      if (wasExecuted)
        return true;
    } else if (place.range.begin.line > line) {
      isBehind |= wasExecuted || at == program.frame.next();
    }
  }
  // A line of constants only is never stopped at: it is done where a later one begins.
  return !isWork && (isBehind || program.frame.isAtEnd());
}

bool StepValues::isOfThisCall(const SteppedProgram &program, const ListedValue &value,
                              uint64_t writtenAt, const PlaceStack &here, uint32_t frame) const {
  return !value.isBinding || value.isParameter ||
         std::ranges::none_of(m_parameters, [&](uint32_t id) {
           const ListedValue &parameter = m_listing.values[id];
           return program.writtenAt[id] > writtenAt &&
                  isInScope(parameter, parameter.names.front(), here, frame);
         });
}

std::optional<uint32_t> StepValues::find(const SteppedProgram &program, const std::string &name,
                                         uint32_t frame) const {
  const PlaceStack &here = m_listing.stacks[stackHere(program)];
  const auto known = m_byName.find(name);
  static const std::vector<Named> kNone;
  std::optional<uint32_t> newest;
  for (const Named &each : known == m_byName.end() ? kNone : known->second) {
    const ListedValue &value = m_listing.values[each.id];
    if (!value.isArgument && program.writtenAt[each.id] == 0)
      continue;
    if (each.name >= 0 &&
        !isInScope(value, value.names[static_cast<size_t>(each.name)], here, frame))
      continue;
    if (each.name >= 0 && value.isConstant &&
        !isAssigned(program, value, value.names[static_cast<size_t>(each.name)]))
      continue;
    if (!newest || program.writtenAt[each.id] > program.writtenAt[*newest])
      newest = each.id;
  }
  if (newest &&
      isOfThisCall(program, m_listing.values[*newest], program.writtenAt[*newest], here, frame))
    return newest;
  // A parameter that was not assigned is the caller's variable.
  if (const auto *passed = parametersHere(program, frame))
    for (const ListedParameter &each : *passed)
      if (each.name == name && !each.variable.empty())
        return find(program, each.variable, frame + 1);
  return std::nullopt;
}

std::optional<std::string> StepValues::constantOf(const SteppedProgram &program,
                                                  const std::string &name, uint32_t frame) const {
  if (const auto *passed = parametersHere(program, frame))
    for (const ListedParameter &each : *passed)
      if (each.name == name)
        return each.variable.empty() ? std::optional(each.constant)
                                     : constantOf(program, each.variable, frame + 1);
  const auto found =
      std::ranges::find(m_listing.constants, name, &std::pair<std::string, std::string>::first);
  return found == m_listing.constants.end() ? std::nullopt : std::optional(found->second);
}

/// Of a value of compile time; nothing: it is not a number.
static std::optional<double> numberOf(const std::string &text) {
  if (text == "True" || text == "False")
    return text == "True";
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

NameLookup StepValues::lookup(SteppedProgram &program, uint32_t frame) const {
  return [this, &program, frame](const std::string &name) -> Result<NumberBlock> {
    const std::optional<uint32_t> id = find(program, name, frame);
    const std::string fixed = id ? m_listing.values[*id].fixedText : std::string();
    if (id && fixed.empty() && !m_listing.values[*id].isOpaque)
      return numbersOf(program.frame, *id, m_listing.values[*id]);
    if (const std::optional<std::string> text =
            fixed.empty() ? constantOf(program, name, frame) : fixed) {
      if (const std::optional<double> number = numberOf(*text))
        return NumberBlock::scalar(*number);
      return Error{ErrorCode::Usage, "`" + name + "` is not a number, but " + *text, ""};
    }
    const bool isKnown = m_byName.contains(name);
    return Error{ErrorCode::Usage,
                 "`" + name + "` " + (isKnown ? "has no value here" : "is not a value"), ""};
  };
}

/// `[0.1, 0.2, …]`.
static std::string listed(size_t count, const auto &textAt) {
  std::string text = "[";
  for (size_t i = 0; i < std::min(count, kMostListed); ++i)
    text += (i ? ", " : "") + textAt(i);
  return text + (count > kMostListed ? ", …]" : "]");
}

static std::string truthText(const NumberBlock &block) {
  const auto on =
      static_cast<size_t>(std::ranges::count_if(block.numbers, [](double n) { return n != 0; }));
  if (on == block.numbers.size())
    return "all true";
  if (on == 0)
    return "all false";
  return std::to_string(on) + " of " + std::to_string(block.numbers.size()) + " true";
}

/// One line about numbers.
static std::string blockText(const NumberBlock &block, bool isWhole) {
  const auto textAt = [&](size_t i) { return numberText(block.numbers[i], isWhole); };
  if (block.isScalar())
    return textAt(0);
  std::string text = listed(block.numbers.size(), textAt);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  size_t numNan = 0;
  for (const double number : block.numbers) {
    numNan += std::isnan(number);
    least = number < least ? number : least;
    most = number > most ? number : most;
  }
  if (numNan == block.numbers.size())
    return "all NaN";
  if (least == most && numNan == 0)
    return "all " + textAt(0);
  text += "  " + numberText(least, isWhole) + " … " + numberText(most, isWhole);
  return numNan ? text + ", " + std::to_string(numNan) + " NaN" : text;
}

static bool isWholeBlock(const NumberBlock &block) {
  return std::ranges::all_of(block.numbers, [](double n) { return n == std::floor(n); });
}

static std::string addressText(const Frame &frame, const NumberBlock &block, int64_t first) {
  const Place place = findPlace(frame.execution(), first);
  const std::string name = place.area ? place.area->name : std::string("?");
  if (block.isScalar())
    return name + "[" + numberText(block.numbers[0], true) + "]";
  return name + " " + blockText(block, true);
}

static std::string previewOf(Frame &frame, uint32_t id, const ListedValue &value) {
  const ValueInfo &info = frame.info(id);
  if (!value.fixedText.empty())
    return value.fixedText;
  if (value.isOpaque)
    return "in shared memory";
  const auto count = static_cast<size_t>(info.shape.count);
  if (count > kMostLookedAt) {
    const Slot &slot = frame.value(id);
    const bool isWhole = !isFloat(info.element);
    if (slot.form == Form::Uniform)
      return "all " + numberText(numberAt(slot.scalar.data(), info.element, 0), isWhole);
    const std::byte *data = frame.dense(id);
    return listed(count, [&](size_t i) {
      double number = numberAt(data, info.element, i);
      if (info.element == Element::Pointer)
        number = elementOf(frame, number, value.pointeeBytes);
      return numberText(number, isWhole);
    });
  }
  const NumberBlock block = numbersOf(frame, id, value);
  if (info.element == Element::Pointer)
    return addressText(frame, block, loadInteger(elementsOf(frame, id), info.element));
  if (info.element == Element::I1)
    return block.isScalar() ? (block.numbers[0] != 0 ? "true" : "false") : truthText(block);
  return blockText(block, !isFloat(info.element));
}

StepValue StepValues::describe(SteppedProgram &program, uint32_t id, const std::string &name) {
  const ListedValue &value = m_listing.values[id];
  StepValue described;
  described.isNamed = !name.empty();
  described.name = described.isNamed ? name : value.text;
  described.ssa = value.ssa;
  described.type = value.type;
  described.stageLine = value.stageLine;
  described.isBlock = !value.isOpaque && value.fixedText.empty();
  described.isChanged = m_seenProgram == program.frame.programId() && id < m_seen.size() &&
                        m_seen[id] != program.writtenAt[id];
  Preview &preview = m_previews[id];
  const uint64_t time = program.writtenAt[id] + 1;
  if (preview.time != time || preview.program != program.frame.programId())
    preview = {program.frame.programId(), time, previewOf(program.frame, id, value)};
  described.preview = preview.text;
  return described;
}

std::vector<StepValue> StepValues::list(SteppedProgram &program, const StepSight &sight) {
  std::set<std::string> names;
  for (const auto &[name, known] : m_byName)
    if (!name.starts_with('%'))
      names.insert(name);
  if (const auto *passed = parametersHere(program, sight.frame))
    for (const ListedParameter &each : *passed)
      names.insert(each.name);
  std::vector<std::pair<uint32_t, const std::string *>> newest;
  for (const std::string &name : names)
    if (const std::optional<uint32_t> id = find(program, name, sight.frame))
      newest.emplace_back(*id, &name);
  // As the source computes them; what was passed in comes last.
  std::ranges::sort(newest, {}, [&](const auto &each) {
    const ListedValue &value = m_listing.values[each.first];
    // Where a name was bound first: it stays in its row.
    return value.isBinding ? std::tuple(false, 0, m_byName.at(*each.second).front().id)
                           : std::tuple(value.isArgument, value.stageLine, each.first);
  });
  std::vector<StepValue> listed;
  for (const auto &[id, name] : newest)
    listed.push_back(describe(program, id, *name));
  const auto addConstant = [&](const std::string &name) {
    const std::optional<std::string> text = constantOf(program, name, sight.frame);
    if (!text || text->empty() || find(program, name, sight.frame))
      return;
    StepValue &constant = listed.emplace_back();
    constant.name = name;
    constant.isNamed = true;
    constant.type = "constexpr";
    constant.preview = *text;
  };
  if (const auto *passed = parametersHere(program, sight.frame))
    for (const ListedParameter &each : *passed)
      addConstant(each.name);
  if (sight.frame + 1 >= m_listing.stacks[stackHere(program)].size())
    for (const auto &[name, text] : m_listing.constants)
      addConstant(name);
  if (!sight.allValues)
    return listed;
  for (uint32_t id = 0; id < m_listing.values.size(); ++id)
    if (!m_listing.values[id].ssa.empty() && !m_listing.values[id].isBinding &&
        program.writtenAt[id] > 0 &&
        std::ranges::none_of(newest, [&](const auto &each) { return each.first == id; }))
      listed.push_back(describe(program, id, {}));
  return listed;
}

StepWatch StepValues::watch(SteppedProgram &program, const std::string &text,
                            uint32_t frame) const {
  const Result<BlockExpression> expression = BlockExpression::parse(text);
  if (!expression)
    return {text, expression.error().message, true};
  const Result<NumberBlock> value = expression->evaluate(lookup(program, frame));
  if (!value)
    return {text, value.error().message, true};
  return {text, blockText(*value, isWholeBlock(*value)), false};
}

/// The type of elements as they are held.
static const char *dtypeOf(Element element) {
  switch (element) {
  case Element::I1:
    return "i1";
  case Element::I8:
    return "i8";
  case Element::I16:
    return "i16";
  case Element::I32:
    return "i32";
  case Element::I64:
  case Element::Pointer:
    return "i64";
  case Element::F64:
    return "fp64";
  default:
    return "fp32";
  }
}

std::optional<StepBlock> StepValues::block(SteppedProgram &program, const StepSight &sight) const {
  const std::optional<uint32_t> id =
      sight.block.empty() ? std::nullopt : find(program, sight.block, sight.frame);
  if (!id || m_listing.values[*id].isOpaque || !m_listing.values[*id].fixedText.empty())
    return std::nullopt;
  const ListedValue &value = m_listing.values[*id];
  Frame &frame = program.frame;
  const ValueInfo &info = frame.info(*id);
  StepBlock block;
  block.name = sight.block;
  block.type = value.type;
  block.version = (program.writtenAt[*id] << 28) + (m_numReturns % 256 << 20) + *id + 1;
  block.dtype = dtypeOf(info.element);
  block.stageLine = value.stageLine;
  block.shape.assign(info.shape.extent.begin(), info.shape.extent.begin() + info.shape.rank);
  if (block.shape.empty())
    block.shape = {1};
  const std::byte *data = elementsOf(frame, *id);
  if (info.element == Element::Pointer)
    if (const Place place = findPlace(frame.execution(), loadInteger(data, info.element));
        place.area)
      block.argument = place.area->name;
  if (block.version == sight.blockVersion || info.shape.count > kMostElements)
    return block;
  const auto count = static_cast<size_t>(info.shape.count);
  block.data.assign(reinterpret_cast<const char *>(data), count * storageSize(info.element));
  if (info.element == Element::Pointer)
    for (size_t i = 0; i < count; ++i) {
      const auto at = static_cast<int64_t>(
          elementOf(frame, numberAt(data, info.element, i), value.pointeeBytes));
      std::memcpy(block.data.data() + i * sizeof(at), &at, sizeof(at));
    }
  if (Frame *twin = frame.definedness(); twin && program.writtenAt[*id] > 0) {
    const Slot &slot = twin->value(*id);
    if (slot.form != Form::Uniform || !slot.get<uint8_t>())
      block.defined.assign(reinterpret_cast<const char *>(elementsOf(*twin, *id)), count);
  }
  return block;
}

void StepValues::forgetTimes() {
  ++m_numReturns;
  m_previews.clear();
}

void StepValues::noteStop(const SteppedProgram &program) {
  m_seenProgram = program.frame.programId();
  m_seen = program.writtenAt;
}

} // namespace tilescope::compiler::stepping
