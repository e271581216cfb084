// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/PickleSteps.h"

#include <cstring>

namespace tilescope::model {

using Kind = PickleValue::Kind;

/// Of values and of places in the memo; a weight takes about twenty.
static constexpr size_t kMostValues = 50'000'000;

namespace {

class PickleMachine {
public:
  explicit PickleMachine(std::string_view bytes) : m_bytes(bytes) {}

  Result<Pickle> run() {
    while (!m_isStopped && m_fault.empty()) {
      m_step = m_at;
      step(uint8_t(take(1).front()));
    }
    if (m_fault.empty() && m_stack.empty())
      fail("it has no value");
    if (!m_fault.empty())
      return Error{ErrorCode::InvalidInput,
                   "the pickle at byte " + std::to_string(m_step) + ": " + m_fault, ""};
    m_pickle.top = m_stack.back();
    return std::move(m_pickle);
  }

private:
  void fail(const std::string &what) {
    if (m_fault.empty())
      m_fault = what;
  }

  /// Zeros behind the end.
  std::string_view take(uint64_t size) {
    static constexpr char kZeros[8] = {};
    if (size > m_bytes.size() - m_at) {
      fail("it ends too soon");
      return {kZeros, size_t(std::min<uint64_t>(size, sizeof kZeros))};
    }
    m_at += size;
    return m_bytes.substr(m_at - size, size);
  }
  uint64_t little(size_t size) {
    uint64_t value = 0;
    const std::string_view bytes = take(size);
    for (size_t i = 0; i < bytes.size(); ++i)
      value |= uint64_t(uint8_t(bytes[i])) << 8 * i;
    return value;
  }
  std::string line() {
    const size_t end = m_bytes.find('\n', m_at);
    if (end == std::string_view::npos)
      return fail("it ends too soon"), "";
    const std::string text(m_bytes.substr(m_at, end - m_at));
    m_at = end + 1;
    return text;
  }

  uint32_t push(PickleValue value) {
    if (m_pickle.values.size() >= kMostValues)
      return fail("it has too many values"), 0;
    m_pickle.values.push_back(std::move(value));
    m_stack.push_back(uint32_t(m_pickle.values.size() - 1));
    return m_stack.back();
  }
  void pushNumber(int64_t number) { push({Kind::Number, number, {}, {}}); }
  void pushText(uint64_t size) {
    const std::string_view text = take(size);
    push({Kind::Text, 0, std::string(text), {}});
  }
  /// The first value where nothing is left: the fault ends all.
  uint32_t pop() {
    if (m_stack.empty() || (!m_marks.empty() && m_stack.size() <= m_marks.back())) {
      fail("a value is missing");
      if (m_pickle.values.empty())
        m_pickle.values.emplace_back();
      return 0;
    }
    const uint32_t top = m_stack.back();
    m_stack.pop_back();
    return top;
  }
  std::vector<uint32_t> popMarked() {
    if (m_marks.empty())
      return fail("a mark is missing"), std::vector<uint32_t>();
    std::vector<uint32_t> items(m_stack.begin() + int64_t(m_marks.back()), m_stack.end());
    m_stack.resize(m_marks.back());
    m_marks.pop_back();
    return items;
  }
  void pushList(size_t count) {
    std::vector<uint32_t> items(count);
    for (size_t i = count; i-- > 0;)
      items[i] = pop();
    push({Kind::List, 0, {}, std::move(items)});
  }

  void remember(uint64_t place) {
    if (place > m_memo.size() + 1024 || place >= kMostValues)
      return fail("a place of its memo is out of range");
    if (place >= m_memo.size())
      m_memo.resize(place + 1, UINT32_MAX);
    if (m_stack.empty())
      return fail("a value is missing");
    m_memo[place] = m_stack.back();
  }
  void recall(uint64_t place) {
    if (place >= m_memo.size() || m_memo[place] == UINT32_MAX)
      return fail("a value of its memo is missing");
    m_stack.push_back(m_memo[place]);
  }

  /// Into the dictionary or list below them.
  void add(const std::vector<uint32_t> &items, Kind kind) {
    if (m_stack.empty())
      return fail("a value is missing");
    PickleValue &into = m_pickle.values[m_stack.back()];
    // `OrderedDict()`, before anything is in it.
    if (kind == Kind::Dictionary && into.kind == Kind::Call && into.items.size() == 2 &&
        m_pickle.at(into.items[0]).text == "collections OrderedDict")
      into = {Kind::Dictionary, 0, {}, {}};
    if (into.kind != kind || (kind == Kind::Dictionary && items.size() % 2 != 0))
      return fail("it adds to a value that takes none");
    into.items.insert(into.items.end(), items.begin(), items.end());
  }

  void step(uint8_t code);
  bool makeValue(uint8_t code);
  bool makeCollection(uint8_t code);

  std::string_view m_bytes;
  size_t m_at = 0, m_step = 0;
  bool m_isStopped = false;
  std::string m_fault;
  Pickle m_pickle;
  std::vector<uint32_t> m_stack, m_memo;
  std::vector<size_t> m_marks;
};

} // namespace

/// Numbers, texts and names.
bool PickleMachine::makeValue(uint8_t code) {
  switch (code) {
  case 'N':
    push({});
    return true;
  case 0x88: // True
  case 0x89: // False
    pushNumber(code == 0x88);
    return true;
  case 'K':
    pushNumber(int64_t(little(1)));
    return true;
  case 'M':
    pushNumber(int64_t(little(2)));
    return true;
  case 'J':
    pushNumber(int32_t(uint32_t(little(4))));
    return true;
  case 0x8a: { // a number of so many bytes
    const uint64_t size = little(1);
    if (size > 8)
      return fail("a number is too large"), true;
    const uint64_t bits = little(size);
    const bool isNegative = size > 0 && (bits >> (8 * size - 1) & 1) != 0;
    pushNumber(int64_t(isNegative && size < 8 ? bits | ~uint64_t{0} << 8 * size : bits));
    return true;
  }
  case 'G': // a real number
    take(8);
    push({Kind::Other, 0, {}, {}});
    return true;
  case 'X':
    pushText(little(4));
    return true;
  case 0x8c: // a short text
    pushText(little(1));
    return true;
  case 'c': {
    const std::string module = line();
    push({Kind::Global, 0, module + " " + line(), {}});
    return true;
  }
  default:
    return false;
  }
}

bool PickleMachine::makeCollection(uint8_t code) {
  switch (code) {
  case '(':
    m_marks.push_back(m_stack.size());
    return true;
  case ')':
  case ']':
    push({Kind::List, 0, {}, {}});
    return true;
  case '}':
    push({Kind::Dictionary, 0, {}, {}});
    return true;
  case 't': {
    std::vector<uint32_t> items = popMarked();
    push({Kind::List, 0, {}, std::move(items)});
    return true;
  }
  case 0x85: // tuples of one to three
  case 0x86:
  case 0x87:
    pushList(code - 0x84);
    return true;
  case 'e':
    add(popMarked(), Kind::List);
    return true;
  case 'a':
    add({pop()}, Kind::List);
    return true;
  case 'u':
    add(popMarked(), Kind::Dictionary);
    return true;
  case 's': {
    const uint32_t value = pop();
    add({pop(), value}, Kind::Dictionary);
    return true;
  }
  default:
    return false;
  }
}

void PickleMachine::step(uint8_t code) {
  if (!m_fault.empty() || makeValue(code) || makeCollection(code))
    return;
  switch (code) {
  case 0x80: // the version of the format
    take(1);
    return;
  case 'q':
    return remember(little(1));
  case 'r':
    return remember(little(4));
  case 'h':
    return recall(little(1));
  case 'j':
    return recall(little(4));
  case 'R': { // a call, which is written down alone
    const uint32_t arguments = pop();
    push({Kind::Call, 0, {}, {pop(), arguments}});
    return;
  }
  case 'Q': {
    const uint32_t name = pop();
    push({Kind::Outside, 0, {}, {name}});
    return;
  }
  case 'b': // attributes of the value below
    pop();
    return;
  case '0':
    pop();
    return;
  case '.':
    m_isStopped = true;
    return;
  default:
    return fail("a step of kind " + std::to_string(code) + " is not one that tensors need");
  }
}

Result<Pickle> followPickle(std::string_view bytes) { return PickleMachine(bytes).run(); }

} // namespace tilescope::model
