// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Frame.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tilescope::compiler::interpreter {

static constexpr size_t kAlignment = 64;
/// Looking at the clock takes longer than a short loop's body.
static constexpr uint64_t kJumpsPerLook = 64;

void Frame::FreeMemory::operator()(std::byte *memory) const { std::free(memory); }

Frame::Frame(const Execution &execution, const Program &program, size_t lanes)
    : m_execution(&execution), m_program(&program), m_maxLanes(lanes),
      m_values(program.values.size()), m_sharedMemory(program.sharedBytes) {
  // Pages that no program touches are never given out by the system.
  size_t size = (program.memorySize * lanes + kAlignment - 1) / kAlignment * kAlignment;
  m_memory.reset(
      static_cast<std::byte *>(std::aligned_alloc(kAlignment, std::max(size, kAlignment))));
  if (!m_memory)
    throw std::bad_alloc();
  for (size_t i = 0; i < m_values.size(); ++i)
    m_values[i].data = m_memory.get() + program.values[i].offset * lanes;
  if (&program == execution.program && execution.definedness) {
    m_definedness = std::make_unique<Frame>(execution, *execution.definedness, 1);
    m_definedness->m_tracked = this;
    // Arguments, which no instruction writes.
    for (uint32_t id : program.arguments)
      m_definedness->makeUniform(id).set<uint8_t>(1);
  }
}

uint32_t Frame::programNumber() const {
  const std::array<int32_t, 3> &grid = m_execution->grid;
  uint64_t index = static_cast<uint64_t>(m_programId[2]) * static_cast<uint64_t>(grid[1]) +
                   static_cast<uint64_t>(m_programId[1]);
  return static_cast<uint32_t>(index * static_cast<uint64_t>(grid[0]) +
                               static_cast<uint64_t>(m_programId[0]) + 1);
}

void Frame::begin(std::array<int32_t, 3> programId) {
  m_programId = programId;
  m_identity = m_execution->numBegun.fetch_add(1, std::memory_order_relaxed) + 1;
  m_startOfProgram = executed;
  m_startTime = std::chrono::steady_clock::now();
  hasSynchronized = false;
  order = {};
  waitsSince.reset();
  m_isParked = m_hasChanged = m_hasTurn = false;
  m_numPolls = m_numLooks = 0;
  m_turnsLeft = mostTurns;
  numTurns = lookedAt = 0;
  m_iterations.clear();
  m_lanes = 1;
  m_next = 0;
}

void Frame::runProgram(std::array<int32_t, 3> programId) {
  begin(programId);
  run(1);
}

void Frame::step() {
  const Instruction &instruction = m_program->code[m_next];
  // Before the instruction itself, which may change what it reads.
  if (m_definedness) {
    const Instruction &tracker = m_definedness->m_program->code[m_next];
    tracker.run(tracker, *m_definedness);
  }
  ++m_next;
  ++executed;
  instruction.run(instruction, *this);
}

FrameState Frame::state() const {
  return {m_next, hasSynchronized, allCompleted, numFindings, findings, prints.size()};
}

void Frame::setState(FrameState state) {
  m_next = state.next;
  forgetLooks();
  hasSynchronized = state.hasSynchronized;
  allCompleted = state.allCompleted;
  numFindings = state.numFindings;
  findings = std::move(state.findings);
  prints.resize(std::min(prints.size(), state.numPrints));
}

uint64_t Frame::nextIteration(uint32_t operation) {
  if (operation >= m_iterations.size())
    m_iterations.resize(operation + 1);
  return m_iterations[operation]++;
}

void Frame::execute() {
  while (!isAtEnd())
    step();
}

void Frame::run(size_t lanes) {
  m_lanes = lanes;
  m_next = 0;
  execute();
}

void Frame::stopAsEndless(const Instruction &instruction, const std::string &reason,
                          uint64_t numPrograms, const std::string &why) {
  InterpreterFinding finding;
  finding.numPrograms = numPrograms;
  finding.kind = InterpreterFindingKind::StepLimit;
  finding.message = "the program was stopped " + reason + ": " + why;
  report(instruction, std::move(finding));
  Frame *outermost = this;
  while (outermost->m_outer)
    outermost = outermost->m_outer;
  outermost->allCompleted = false;
  stop();
}

/// Of a program that is not set aside while it waits: what is awaited is most likely written by one
/// that has not begun.
static constexpr uint32_t kLooksAside = 1 << 18;

void Frame::jump(uint32_t target) {
  bool isBackward = target < m_next;
  m_next = target;
  if (!isBackward)
    return;
  Frame *outermost = this;
  while (outermost->m_outer)
    outermost = outermost->m_outer;
  uint64_t limit = m_execution->maxInstructionsPerProgram;
  auto reject = [&](const std::string &after) {
    stopAsEndless(m_program->code[target], "after " + after);
  };
  if (limit != 0 && executed - m_startOfProgram > limit) {
    reject(std::to_string(limit) + " instructions");
  } else if (++m_jumps % kJumpsPerLook == 0 && outermost->isOverTime()) {
    auto seconds = std::chrono::duration<double>(m_execution->maxProgramDuration).count();
    reject(std::to_string(static_cast<int64_t>(seconds)) + " seconds");
  } else if (m_execution->stop.stop_requested()) {
    outermost->allCompleted = false;
    stop();
  } else if (patience != 0 && !isStepped &&
             (m_numPolls >= patience || (mostTurns != 0 && m_numLooks != 0))) {
    park(target);
  } else if (patience == 0 && m_numPolls >= kLooksAside) {
    stopAsEndless(m_program->code[target], "while it waits for another program", 1,
                  "programs that wait for each other cannot be followed one by one");
  }
}

bool Frame::isOverTime() const {
  auto limit = m_execution->maxProgramDuration;
  return limit.count() != 0 && std::chrono::steady_clock::now() - m_startTime > limit;
}

Slot &Frame::makeUniform(uint32_t id) {
  Slot &value = m_values[id];
  value.form = Form::Uniform;
  value.isMaterialized = false;
  return value;
}

std::byte *Frame::makeDense(uint32_t id) {
  Slot &value = m_values[id];
  value.form = Form::Dense;
  return value.data;
}

const std::byte *Frame::dense(uint32_t id) {
  Slot &value = m_values[id];
  if (value.form != Form::Dense && !value.isMaterialized) {
    materialize(value, info(id));
    value.isMaterialized = true;
  }
  return value.data;
}

template <typename T> static void fill(std::byte *data, const Slot &value, size_t count) {
  std::fill_n(reinterpret_cast<T *>(data), count, value.get<T>());
}

static void fillUniform(Slot &value, size_t size, size_t count) {
  switch (size) {
  case 1:
    return fill<uint8_t>(value.data, value, count);
  case 2:
    return fill<uint16_t>(value.data, value, count);
  case 4:
    return fill<uint32_t>(value.data, value, count);
  default:
    return fill<uint64_t>(value.data, value, count);
  }
}

template <typename T>
static void fillAffine(T *&data, const Slot &value, const Shape &shape, int dimension,
                       int64_t base) {
  int64_t extent = shape.extent[dimension], step = value.step[dimension];
  if (dimension == shape.rank - 1) {
    for (int64_t i = 0; i < extent; ++i)
      data[i] = static_cast<T>(base + step * i);
    data += extent;
    return;
  }
  for (int64_t i = 0; i < extent; ++i)
    fillAffine(data, value, shape, dimension + 1, base + step * i);
}

template <typename T> static void fillAffine(const Slot &value, const Shape &shape) {
  T *data = reinterpret_cast<T *>(value.data);
  fillAffine(data, value, shape, 0, value.base());
}

static void fillBox(uint8_t *&data, const Slot &value, const Shape &shape, int dimension,
                    bool inside) {
  int64_t extent = shape.extent[dimension], lower = value.lower()[dimension],
          upper = value.upper[dimension];
  if (dimension == shape.rank - 1) {
    std::fill_n(data, extent, uint8_t(0));
    if (inside)
      std::fill(data + lower, data + upper, uint8_t(1));
    data += extent;
    return;
  }
  for (int64_t i = 0; i < extent; ++i)
    fillBox(data, value, shape, dimension + 1, inside && i >= lower && i < upper);
}

void Frame::materialize(Slot &value, const ValueInfo &info) {
  switch (value.form) {
  case Form::Dense:
    return;
  case Form::Uniform:
    return fillUniform(value, storageSize(info.element),
                       static_cast<size_t>(info.shape.count) * m_lanes);
  case Form::Affine:
    switch (storageSize(info.element)) {
    case 1:
      return fillAffine<int8_t>(value, info.shape);
    case 2:
      return fillAffine<int16_t>(value, info.shape);
    case 4:
      return fillAffine<int32_t>(value, info.shape);
    default:
      return fillAffine<int64_t>(value, info.shape);
    }
  case Form::Box: {
    uint8_t *data = reinterpret_cast<uint8_t *>(value.data);
    return fillBox(data, value, info.shape, 0, true);
  }
  }
}

Frame &Frame::regionFrame(const Program &region, size_t lanes) {
  std::unique_ptr<Frame> &frame = m_regions[&region];
  if (!frame || frame->m_maxLanes < lanes) {
    frame = std::make_unique<Frame>(*m_execution, region, lanes);
    frame->m_outer = this;
  }
  frame->m_programId = m_programId;
  frame->m_startOfProgram = frame->executed;
  return *frame;
}

void Frame::add(RawFinding raw) {
  ++numFindings;
  if (findings.size() < m_execution->maxFindings)
    findings.push_back(std::move(raw));
}

void Frame::report(const Instruction &instruction, InterpreterFinding finding) {
  if (m_outer)
    return m_outer->report(instruction, std::move(finding));
  finding.programId = m_programId;
  add({instruction.location, std::move(finding), m_programId});
}

void Frame::reportOnce(const Instruction &instruction, InterpreterFinding finding) {
  if (m_outer)
    return m_outer->reportOnce(instruction, std::move(finding));
  finding.programId = m_programId;
  addOnce({instruction.location, std::move(finding), m_programId});
}

InterpreterFinding *Frame::findingHere(const Instruction &instruction,
                                       InterpreterFindingKind kind) {
  if (m_outer)
    return m_outer->findingHere(instruction, kind);
  const auto known = std::find_if(findings.begin(), findings.end(), [&](const RawFinding &each) {
    return each.location == instruction.location && each.finding.kind == kind &&
           each.finding.programId == m_programId;
  });
  return known != findings.end() ? &known->finding : nullptr;
}

void Frame::addOnce(RawFinding raw) {
  if (m_outer)
    return m_outer->addOnce(std::move(raw));
  const auto known =
      std::find_if(findings.begin(), findings.end(), [&](const RawFinding &candidate) {
        return candidate.location == raw.location && candidate.finding.kind == raw.finding.kind &&
               candidate.other == raw.other &&
               candidate.finding.isInFront() == raw.finding.isInFront();
      });
  const auto &[x, y, z] = raw.finding.programId;
  const std::array<int32_t, 3> &grid = m_execution->grid;
  const uint64_t program = (uint64_t(z) * grid[1] + y) * grid[0] + x;
  if (known == findings.end()) {
    raw.programs = {program};
    return add(std::move(raw));
  }
  const bool isNew = known->programs.size() < kMostNamedPrograms
                         ? known->programs.insert(program).second
                         : known->lastProgram != raw.lastProgram;
  known->finding.numPrograms += isNew;
  known->lastProgram = raw.lastProgram;
}

void Frame::print(const Instruction &instruction, std::string text) {
  if (m_outer)
    return m_outer->print(instruction, std::move(text));
  if (prints.size() < m_execution->maxPrints)
    prints.push_back({instruction.location, {m_programId, {}, std::move(text)}});
}

/// Whether one of `count` elements of `size` bytes, `stride` bytes apart from `start` on, touches
/// [begin, end).
static bool touches(int64_t start, int64_t stride, size_t count, int64_t size, int64_t begin,
                    int64_t end) {
  if (stride < 0) {
    start += stride * static_cast<int64_t>(count - 1);
    stride = -stride;
  }
  const int64_t last = start + stride * static_cast<int64_t>(count - 1);
  if (last + size <= begin || end <= start)
    return false;
  if (stride <= size)
    return true;
  // The first element that ends behind `begin`.
  const int64_t behind = begin - size - start;
  const int64_t index = behind < 0 ? 0 : behind / stride + 1;
  return start + index * stride < end;
}

void Frame::noteWatched(const Instruction &instruction, const MemoryArea &area, int64_t offsetBytes,
                        int64_t strideBytes, size_t count, size_t sizeBytes) {
  const std::vector<Watch> &watches = m_execution->watches;
  if (watches.empty() || count == 0)
    return;
  watchHits.resize(watches.size());
  for (size_t i = 0; i < watches.size(); ++i)
    if (watches[i].area == &area &&
        touches(offsetBytes, strideBytes, count, static_cast<int64_t>(sizeBytes),
                watches[i].beginBytes, watches[i].endBytes))
      watchHits[i] = {++m_execution->watchedWrites, m_programId, instruction.location};
}

int64_t loadInteger(const std::byte *data, Element element) {
  auto read = [data]<typename T>(T value) {
    std::memcpy(&value, data, sizeof(T));
    return static_cast<int64_t>(value);
  };
  switch (storageSize(element)) {
  case 1:
    return element == Element::I1 ? read(uint8_t()) : read(int8_t());
  case 2:
    return read(int16_t());
  case 4:
    return read(int32_t());
  default:
    return read(int64_t());
  }
}

void storeInteger(std::byte *data, Element element, int64_t value) {
  std::memcpy(data, &value, storageSize(element));
}

} // namespace tilescope::compiler::interpreter
