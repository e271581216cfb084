// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/StepValues.h"

#include "compiler/interpreter/Access.h"
#include "compiler/stepping/ValueContents.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// No block of a kernel is larger.
static constexpr int64_t kMostElements = int64_t{1} << 20;

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
    if (id && fixed.empty())
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

uint64_t StepValues::changedAt(const SteppedProgram &program, uint32_t id) const {
  const std::optional<ListedBuffer> &buffer = m_listing.values[id].buffer;
  if (!buffer || program.writtenAt[id] == 0)
    return program.writtenAt[id];
  const int64_t begin = program.frame.scalar<int64_t>(id);
  return std::max(program.writtenAt[id],
                  program.sharedWrittenAt(begin, begin + buffer->extentBytes()));
}

/// Whether a name in the IR was made of this one: `%m`, `%m_12`.
static bool isMadeOf(std::string_view ssa, std::string_view name) {
  if (!ssa.starts_with(name))
    return false;
  const std::string_view rest = ssa.substr(name.size());
  return (rest.empty() || (rest.front() == '_' &&
                           rest.find_first_not_of("0123456789", 1) == std::string_view::npos));
}

/// Once the value that a name is bound to is computed anew, in the next iteration, the name still
/// means the one before, which the loop has handed on under a name of its own.
std::string StepValues::ssaOf(const SteppedProgram &program, uint32_t id,
                              const std::string &name) const {
  const ListedValue &value = m_listing.values[id];
  const auto bound = value.isBinding ? m_byName.find(value.ssa) : m_byName.end();
  const auto isNewer = [&](const std::vector<Named> &known) {
    return program.writtenAt[known.front().id] > program.writtenAt[id];
  };
  if (bound == m_byName.end() || !isNewer(bound->second))
    return value.ssa;
  const std::string stem = "%" + name;
  for (auto at = m_byName.lower_bound(stem); at != m_byName.end() && at->first.starts_with(stem);
       ++at)
    if (at != bound && isMadeOf(at->first, stem) && isNewer(at->second) &&
        m_listing.values[at->second.front().id].type == value.type)
      return at->first;
  return {};
}

StepValue StepValues::describe(SteppedProgram &program, uint32_t id, const std::string &name) {
  const ListedValue &value = m_listing.values[id];
  StepValue described;
  described.isNamed = !name.empty();
  described.name = described.isNamed ? name : value.text;
  described.ssa = ssaOf(program, id, name);
  described.type = value.type;
  described.stageLine = value.stageLine;
  described.isBlock = value.fixedText.empty();
  described.isChanged = m_seenProgram == program.frame.programId() && id < m_seen.size() &&
                        m_seen[id] != changedAt(program, id);
  Preview &preview = m_previews[id];
  const uint64_t time = changedAt(program, id) + 1;
  if (preview.time != time || preview.program != program.frame.programId())
    preview = {program.frame.programId(), time,
               value.fixedText.empty() ? previewOf(program.frame, id, value) : value.fixedText};
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
  // Buffers have a name in the IR only, and are what TTGIR is stepped for.
  for (uint32_t id = 0; id < m_listing.values.size(); ++id)
    if (const ListedValue &value = m_listing.values[id];
        (sight.allValues || (value.buffer && value.buffer->isAllocation)) && !value.ssa.empty() &&
        !value.isBinding && program.writtenAt[id] > 0 &&
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
  return {text, value->pointed ? addressedText(*value) : blockText(*value, isWholeBlock(*value)),
          false};
}

/// The type of elements as they are held.
static const char *dtypeOf(Element element, bool isUnsigned) {
  switch (element) {
  case Element::I1:
    return "i1";
  case Element::I8:
    return isUnsigned ? "u8" : "i8";
  case Element::I16:
    return isUnsigned ? "u16" : "i16";
  case Element::I32:
    return isUnsigned ? "u32" : "i32";
  case Element::I64:
    return isUnsigned ? "u64" : "i64";
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
  if (!id || !m_listing.values[*id].fixedText.empty())
    return std::nullopt;
  const ListedValue &value = m_listing.values[*id];
  Frame &frame = program.frame;
  const ValueInfo &info = frame.info(*id);
  StepBlock block;
  block.name = sight.block;
  block.type = value.type;
  block.version = (changedAt(program, *id) << 28) + (m_numReturns % 256 << 20) + *id + 1;
  block.dtype = dtypeOf(value.buffer ? value.buffer->element : info.element, value.isUnsigned);
  block.stageLine = value.stageLine;
  if (value.buffer) {
    block.shape = value.buffer->shape;
    if (block.version != sight.blockVersion && value.buffer->numElements() <= kMostElements)
      block.data = bytesOf(frame, *id, *value.buffer);
    return block;
  }
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
          elementOf(frame, numberAt(data, info.element, i, false), value.pointeeBytes));
      std::memcpy(block.data.data() + i * sizeof(at), &at, sizeof(at));
    }
  if (program.writtenAt[*id] > 0)
    block.defined = definedOf(frame, *id);
  return block;
}

void StepValues::forgetTimes() {
  ++m_numReturns;
  m_previews.clear();
}

void StepValues::noteStop(const SteppedProgram &program) {
  m_seenProgram = program.frame.programId();
  m_seen = program.writtenAt;
  for (uint32_t id = 0; id < m_seen.size(); ++id)
    m_seen[id] = changedAt(program, id);
}

} // namespace tilescope::compiler::stepping
