// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/EvaluateLaunch.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

/// Sums and products of numbers, names and `cdiv(a, b)`: enough to test what surrounds the real
/// evaluator, which belongs to the compiler.
namespace tilescope::profiler::test {

class TinyEvaluator {
public:
  TinyEvaluator(const std::string &text, const LaunchNames &names) : m_text(text), m_names(names) {}

  Evaluated run() {
    if (m_text == "None")
      return LaunchValue{std::monostate(), "None"};
    if (m_text == "True" || m_text == "False")
      return LaunchValue{m_text == "True", m_text};
    if (m_text.starts_with("tl."))
      return LaunchValue{LaunchValue::Opaque(), m_text};
    if (m_text.starts_with("'"))
      return LaunchValue{m_text.substr(1, m_text.size() - 2), m_text};
    double value = sum();
    if (!m_unknown.empty())
      return ExpressionFault{.kind = ExpressionFault::Kind::UndefinedName, .name = m_unknown};
    if (m_real)
      return LaunchValue{value, m_text};
    return LaunchValue{int64_t(value), std::to_string(int64_t(value))};
  }

private:
  void blanks() {
    while (m_at < m_text.size() && m_text[m_at] == ' ')
      ++m_at;
  }
  bool take(char c) {
    blanks();
    bool found = m_at < m_text.size() && m_text[m_at] == c;
    m_at += found;
    return found;
  }
  double sum() {
    double value = product();
    while (take('+'))
      value += product();
    return value;
  }
  double product() {
    double value = atom();
    while (true) {
      if (take('*'))
        value *= atom();
      else if (m_text.substr(m_at).starts_with("//") && (m_at += 2) > 0)
        value = std::floor(value / atom());
      else
        return value;
    }
  }
  double atom() {
    blanks();
    if (std::isdigit(m_text[m_at]) || m_text[m_at] == '-') {
      char *end = nullptr;
      double value = std::strtod(m_text.c_str() + m_at, &end);
      std::string digits = m_text.substr(m_at, size_t(end - m_text.c_str()) - m_at);
      m_real |= digits.find_first_of(".e") != std::string::npos;
      m_at = size_t(end - m_text.c_str());
      return value;
    }
    std::string name;
    while (m_at < m_text.size() && (std::isalnum(m_text[m_at]) || m_text[m_at] == '_'))
      name += m_text[m_at++];
    if (name == "cdiv" && take('(')) {
      int64_t a = int64_t(sum());
      take(',');
      int64_t b = int64_t(sum());
      take(')');
      return double((a + b - 1) / b);
    }
    auto found = m_names.find(name);
    if (found == m_names.end()) {
      m_unknown = name;
      return 1;
    }
    if (auto *number = std::get_if<int64_t>(&found->second.value))
      return double(*number);
    if (auto *number = std::get_if<double>(&found->second.value))
      return m_real = true, *number;
    m_unknown = name;
    return 1;
  }

  std::string m_text;
  const LaunchNames &m_names;
  size_t m_at = 0;
  bool m_real = false;
  std::string m_unknown;
};

inline Evaluated evaluateTiny(const std::string &text, const LaunchNames &names) {
  return TinyEvaluator(text, names).run();
}

/// A file with one block that uses everything.
inline const std::string kFile = R"py(import triton
# /// tilescope
# kernel = "scale"  # which
# name = "small"
# grid = ["cdiv(n, BLOCK)"]
# [sizes]
# n = 1000
# m = "n * 2"
# [args]
# x_ptr = { dtype = "fp16", shape = ["n", 3], init = "randn", seed = 7 }
# y_ptr = { dtype = "fp32", shape = "m" }
# n     = "n"
# eps   = 1e-5
# big   = { value = "2.5", type = "fp64" }
# flag  = true
# bias  = "None"
#
# [constexprs]
# BLOCK = "256"
# T     = "tl.float16"
# [options]
# num_warps = 8
# [work]
# bytes = "2 * n + 4 * m"
# flops = "n"
# [sweep]
# n = [64, "1024"]
# ///
def scale(): pass
)py";

} // namespace tilescope::profiler::test
