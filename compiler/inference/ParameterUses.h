// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/inference/ImportedFunctions.h"
#include "compiler/syntax/ModuleIndex.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::inference {

/// What a kernel's body does with one parameter.
struct ParameterUse {
  bool isLoaded = false;
  bool isStored = false;
  /// Atomics take ints or floats; compare-and-swap only locks and counters.
  bool isLock = false;
  /// Its loaded values take part in addresses.
  bool yieldsIndices = false;
  /// Its loaded values stand beside numbers with a fraction: `other=0.0`, `tl.where(m, x, -1e30)`; or
  /// beside such as only floats can be: `float("-inf")`.
  bool isReal = false;
  bool isUnbounded = false;
  /// Its loaded values are conditions: masks, operands of `&` beside comparisons.
  bool yieldsBools = false;
  /// Its loaded values are operands of bit operations.
  bool yieldsBits = false;
  /// Its loaded values are operands of `tl.dot`.
  bool feedsDot = false;
  /// Of one that sums up in `int32`.
  bool feedsIntDot = false;
  /// Its loaded values are operands or scales of `tl.dot_scaled`.
  bool feedsScaledDot = false;
  /// Element type that stored values are cast to, e.g. `fp16`; empty when unknown.
  std::string storedAs;

  /// Combined with offsets, program ids, loop counters; a bound of `range`.
  bool inIndexMath = false;
  /// It is an operand of bit operations.
  bool isBits = false;
  /// Combined with loaded or computed data.
  bool inDataMath = false;
  /// Parameters of the same function that it is combined with: only a caller knows what they are.
  std::vector<std::string> partners;
  /// Blocks are loaded from it or stored to it as from a tensor descriptor.
  bool isDescriptor = false;
  /// Of those blocks, the names of the parameters that say the extents; empty where none is found.
  std::vector<std::string> blockExtents;
  /// It is the last stride of a tensor descriptor, which must be 1.
  bool isUnitStride = false;
  /// It is the stride of an address in which consecutive offsets have none:
  /// `row * stride + tl.arange(0, N)`, `row * stride + tl.program_id(1)`. Were it 1, rows would overlap.
  bool isOuterStride = false;
  /// Dimensions that the body takes it to have; 0 for scalars.
  int rank = 0;
  /// It is indexed like an array on the host: `x[row, cols]`, `x[offsets]`, `x[0] = y`.
  bool isIndexed = false;
  /// A launched kernel takes it for an array itself: `tl.sum(x)`, `x.T`, `np.mean(x)`. No launch
  /// passes blocks, so that it is a pointer whose elements were not loaded.
  bool isArray = false;
  /// Its loaded values themselves are added to what begins as the integer 0.
  bool isSummedUp = false;
  /// Items that the body takes it to have as a tuple: `x[0]`, `a, b = x`; 0 when it is none.
  int numItems = 0;
  /// It is taken apart as only tuples are: `a, b = x`, `x[i]` in an expanded loop.
  bool isTakenApart = false;
  /// It is a term of an address itself: `tl.load(x + i)`, other than `tl.load(x[0])`.
  bool isAddressed = false;
  /// A part of it is taken: `x[0:4]`.
  bool isSliced = false;
  /// A loop goes through it: `for v in x`.
  bool isIterated = false;
  /// It decides which lanes take part in an access.
  bool isMask = false;
  /// It is the whole mask of an access: `mask=n`.
  bool isWholeMask = false;
  /// A loop that is expanded while compiling runs that often; or it is an exponent.
  bool isUnrolled = false;
  /// Extent of a block: `tl.arange`, `tl.zeros`, …
  bool isShape = false;
  /// Another constexpr is divided by it.
  bool isFactor = false;
  /// Indices are moved by it, as by a padding: `o - P`.
  bool isMovedBy = false;
  /// It is a factor of indices, or a divisor, or where they end: more than a distance by which they move.
  bool isExtentOrFactor = false;
  /// A loop that is not expanded counts up to it by one, and uses the counter.
  bool isCountedTo = false;
  bool isDType = false;
  bool isCondition = false;
  bool isCalled = false;
  bool isComparedWithNone = false;
  /// Combined in any arithmetic, or an argument of a call.
  bool isNumber = false;
  /// A string it is compared with; empty when none.
  std::string comparedString;
  /// An integer it is compared with by `==`.
  std::optional<int64_t> comparedNumber;
  /// The value that a parameter of the language takes it to have, as an expression; empty when
  /// none.
  std::string keyword;

  bool isPointer() const { return isLoaded || isStored; }
};

/// By parameter name; every parameter has an entry. Follows local variables and calls of
/// `@triton.jit` functions: the file's own and those of `imports`, which may be null.
std::map<std::string, ParameterUse, std::less<>>
analyzeUses(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
            const ImportedFunctions *imports = nullptr);

} // namespace tilescope::compiler::inference
