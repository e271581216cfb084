// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a user asks of the values of a program: watch expressions, and conditions of breakpoints.
//
//   any(isnan(x))        not any(mask)        max(offs) >= n        acc[3, 0] / sum(acc, axis=1)
//   tl.where(mask, x, 0.0).to(tl.float16)     x_ptr[3]     tl.load(x_ptr + offs)
//
// Names are those of the source, or, with `%`, those of the IR: `any(isnan(%acc_12))`, where `%` is
// the remainder only behind a value. Blocks are broadcast as in NumPy; `and`, `or` and `not` take blocks
// element by element. `<<`, `>>`, `&`, `|`, `^` and `~` take integers. All numbers are doubles. What comes
// from undefined elements is undefined, unless a defined one decides, as in `mask & (x > 0)`.
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilescope::compiler::stepping {

/// The array that addresses lead into, as it is now.
class PointedArray {
public:
  virtual ~PointedArray() = default;

  virtual std::string name() const = 0;
  virtual int64_t numElements() const = 0;
  /// Of the argument's tensor, the last axis running fastest; empty: it is not known, or its
  /// elements are not these.
  virtual std::vector<int64_t> shape() const { return {}; }
  /// 0 <= index < numElements().
  virtual double at(int64_t index) const = 0;
  /// Its elements are not integers.
  virtual bool isReal() const = 0;
};

/// Numbers in the order of a shape, the last axis running fastest; one for a scalar.
struct NumberBlock {
  std::vector<int64_t> shape;
  std::vector<double> numbers;
  /// Of elements that are unsigned integers in the source; 0: they are not, or were computed here.
  int unsignedBits = 0;
  /// For each number whether it is defined: a masked-off load may leave it undefined. Empty: all are.
  std::vector<uint8_t> defined = {};
  /// They are not integers, or were computed as such: casts of these saturate.
  bool isReal = false;
  /// Of addresses, which are numbers of its elements; null: they are no addresses of one array.
  std::shared_ptr<const PointedArray> pointed = nullptr;

  static NumberBlock scalar(double number) { return {{}, {number}, 0}; }
  bool isScalar() const { return shape.empty(); }
  bool isDefined(size_t i) const { return defined.empty() || defined[i] != 0; }
};

/// That something is wrong with what a user asks of values.
Error blockError(std::string message);

/// The value of a name; an error says why there is none.
using NameLookup = std::function<Result<NumberBlock>(const std::string &name)>;

/// A text that was read once, to be evaluated often.
class BlockExpression {
public:
  /// The error says what is wrong with the text.
  static Result<BlockExpression> parse(const std::string &text);

  /// The name of a function in it that there is none of; empty: all are known.
  std::string unknownFunction() const;
  /// The names of values in it, each once, those of the IR with `%`.
  std::vector<std::string> names() const;
  Result<NumberBlock> evaluate(const NameLookup &lookup) const;
  /// Whether any element of it is defined and other than 0.
  Result<bool> holds(const NameLookup &lookup) const;

private:
  std::shared_ptr<const struct ParsedBlockExpression> m_parsed;
};

} // namespace tilescope::compiler::stepping
