// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/fuzz/KernelGrammar.h"

#include <array>
#include <span>
#include <string_view>

namespace tilescope::fuzz {

namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 16> kNames{"x", "y", "z", "i", "m", "n", "p",   "q",
                                                  "a", "b", "B", "F", "t", "s", "acc", "missing"};
constexpr std::array<std::string_view, 20> kLiterals{
    "0",      "1",     "2",      "16",           "32",
    "-1",     "3.5",   "1e30",   "0x7fffffff",   "None",
    "True",   "False", "'s'",    "float('inf')", "()",
    "(1, 2)", "[16]",  "[4, 4]", "1 << 40",      "tl.constexpr(8)"};
constexpr std::array<std::string_view, 12> kTypes{
    "tl.float32", "tl.int32",   "tl.float16",  "tl.bfloat16",
    "tl.int64",   "tl.int1",    "tl.uint8",    "tl.int16",
    "tl.uint32",  "tl.float64", "tl.float8e5", "tl.pointer_type(tl.float32)"};
constexpr std::array<std::string_view, 24> kBinary{
    "+",  "-",  "*",  "/", "//", "%",   "&",  "|",  "^",  "<<",     ">>", "<",
    "<=", "==", "!=", ">", ">=", "and", "or", "**", "is", "is not", "@",  "in"};
/// `?` stands for an expression, `T` for a type.
constexpr std::array<std::string_view, 84> kCalls{
    "tl.load(?)",
    "tl.load(?, mask=?)",
    "tl.load(?, ?, ?)",
    "tl.arange(0, ?)",
    "tl.zeros([16], T)",
    "tl.zeros(?, T)",
    "tl.full([4, 4], ?, T)",
    "tl.where(?, ?, ?)",
    "tl.sum(?)",
    "tl.sum(?, axis=?)",
    "tl.max(?, 0)",
    "tl.max(?, 0, return_indices=True)",
    "tl.argmin(?, ?)",
    "tl.reduce(?, ?, f)",
    "tl.reduce((?, ?), 0, g)",
    "tl.associative_scan(?, 0, f)",
    "tl.cumsum(?, ?)",
    "tl.dot(?, ?)",
    "tl.dot(?, ?, ?, input_precision=?)",
    "tl.exp(?)",
    "tl.sqrt(?)",
    "tl.abs(?)",
    "tl.cast(?, T)",
    "(?).to(T)",
    "(?).to(T, bitcast=True)",
    "(?)[:, None]",
    "(?)[None, :]",
    "(?)[?]",
    "(?).T",
    "(?).shape",
    "(?).dtype",
    "(?).shape[?]",
    "tl.reshape(?, [4, 4])",
    "tl.reshape(?, ?)",
    "tl.trans(?)",
    "tl.permute(?, ?)",
    "tl.broadcast_to(?, [16, 16])",
    "tl.expand_dims(?, ?)",
    "tl.join(?, ?)",
    "tl.split(?)",
    "tl.cat(?, ?, can_reorder=True)",
    "tl.interleave(?, ?)",
    "tl.flip(?)",
    "tl.sort(?)",
    "tl.topk(?, 4)",
    "tl.gather(?, ?, 0)",
    "tl.histogram(?, 16)",
    "tl.atomic_add(?, ?)",
    "tl.atomic_cas(?, ?, ?)",
    "tl.atomic_max(?, ?, mask=?)",
    "tl.program_id(?)",
    "tl.num_programs(0)",
    "tl.cdiv(?, ?)",
    "tl.minimum(?, ?)",
    "tl.maximum(?, ?, propagate_nan=?)",
    "tl.clamp(?, ?, ?)",
    "tl.fma(?, ?, ?)",
    "tl.rand(?, ?)",
    "tl.randint4x(?, ?)",
    "tl.philox(?, ?, ?, ?, ?)",
    "tl.softmax(?)",
    "tl.sigmoid(?)",
    "tl.make_block_ptr(?, (?, ?), (?, ?), (?, ?), (4, 4), (1, 0))",
    "tl.advance(?, (?, ?))",
    "tl.make_tensor_descriptor(?, [?, ?], [?, 1], [4, 16])",
    "(?).load([?, ?])",
    "tl.multiple_of(?, ?)",
    "tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [?], T, True, 1)",
    "tl.map_elementwise(f, ?, ?)",
    "tl.extra.cuda.libdevice.tanh(?)",
    "tl.math.pow(?, ?)",
    "tl.static_range(?)",
    "f(?, ?)",
    "g(?, ?, ?, ?)",
    "h(?)",
    "len(?)",
    "min(?, ?)",
    "int(?)",
    "isinstance(?, tl.tensor)",
    "getattr(?, 'dtype')",
    "tl.max_contiguous(?, ?)",
    "tl.swizzle2d(?, ?, ?, ?, ?)",
    "tl.view(?, (2, 8))",
    "tl.ravel(?)",
};

class Grower {
public:
  Grower(const uint8_t *data, size_t size) : m_bytes(data, size) {}

  std::string file() {
    m_text = "import triton\nimport triton.language as tl\nC = tl.constexpr(4)\nV = 5\n\n"
             "@triton.jit\ndef f(a, b):\n";
    body(1, 2, true);
    m_text +=
        "\n@triton.jit\ndef g(a, b, c, d):\n    return a + c, b * d\n\n"
        "@triton.jit\ndef h(a):\n    if a > 0:\n        return a\n    return -a\n\n"
        "@triton.jit\ndef k(p, q, n, s, B: tl.constexpr, F: tl.constexpr):\n"
        "    i = tl.arange(0, 16)\n    x = tl.load(p + i, mask=i < n)\n"
        "    y = tl.load(q + i)\n    a = x\n    b = s\n    m = i < n\n    z = 0\n    t = (x, y)\n"
        "    acc = tl.zeros([16], tl.float32)\n";
    body(1, 8, false);
    return std::move(m_text);
  }

private:
  uint8_t byte() {
    if (m_bytes.empty())
      return 0;
    const uint8_t value = m_bytes.front();
    m_bytes = m_bytes.subspan(1);
    return value;
  }
  size_t choose(size_t count) { return byte() % count; }
  std::string word(Words words) { return std::string(words[choose(words.size())]); }
  std::string name() { return word(kNames); }

  std::string expression(int depth) {
    if (depth <= 0 || m_bytes.empty())
      return choose(4) != 3 ? name() : word(kLiterals);
    switch (choose(9)) {
    case 0:
      return name();
    case 1:
      return word(kLiterals);
    case 2:
    case 3:
      return "(" + expression(depth - 1) + " " + word(kBinary) + " " + expression(depth - 1) + ")";
    case 4:
      return "(" + expression(depth - 1) + " if " + expression(depth - 1) + " else " +
             expression(depth - 1) + ")";
    case 5:
      return std::string(choose(2) ? "-" : choose(2) ? "not " : "~") + expression(depth - 1);
    default:
      return call(depth);
    }
  }

  std::string call(int depth) {
    std::string text;
    for (const char c : word(kCalls)) {
      if (c == '?')
        text += expression(depth - 1);
      else if (c == 'T' && (text.ends_with(' ') || text.ends_with('(')))
        text += word(kTypes);
      else
        text += c;
    }
    return text;
  }

  void line(int level, const std::string &text) {
    m_text += std::string(4 * static_cast<size_t>(level), ' ') + text + "\n";
  }

  void body(int level, int limit, bool returns) {
    const size_t count = 1 + choose(static_cast<size_t>(limit));
    for (size_t i = 0; i < count && m_text.size() < 20000; ++i)
      statement(level);
    if (returns)
      line(level, "return " + expression(2));
  }

  void statement(int level) {
    const bool isDeep = level > 4;
    switch (choose(isDeep ? 6 : 14)) {
    case 0:
      return line(level, name() + " = " + expression(3));
    case 1:
      return line(level, "tl.store(" + expression(2) + ", " + expression(2) + ")");
    case 2:
      return line(level, name() + " " + word(kBinary.begin(), 5) + "= " + expression(2));
    case 3:
      return line(level, name() + ": tl.constexpr = " + expression(2));
    case 4:
      return line(level, name() + ", " + name() + " = " + expression(2));
    case 5:
      return line(level, "tl.static_assert(" + expression(2) + ")");
    case 6:
    case 7:
      line(level, "if " + expression(2) + ":");
      body(level + 1, 3, false);
      if (choose(2)) {
        line(level, "else:");
        body(level + 1, 3, false);
      }
      return;
    case 8:
      line(level, "for " + name() + " in range(" + expression(1) + "):");
      return body(level + 1, 3, false);
    case 9:
      line(level, "for " + name() + " in tl.static_range(" + std::to_string(choose(5)) + "):");
      return body(level + 1, 3, false);
    case 10:
      line(level, "while " + expression(2) + ":");
      return body(level + 1, 3, false);
    case 11:
      return line(level, "return" + std::string(choose(2) ? " " + expression(1) : ""));
    case 12:
      return line(level, "tl.device_print('v', " + expression(1) + ")");
    default:
      return line(level, expression(3));
    }
  }

  template <typename Iterator> std::string word(Iterator begin, size_t count) {
    return std::string(begin[choose(count)]);
  }

  std::span<const uint8_t> m_bytes;
  std::string m_text;
};

} // namespace

std::string kernelFromBytes(const uint8_t *data, size_t size) { return Grower(data, size).file(); }

} // namespace tilescope::fuzz
