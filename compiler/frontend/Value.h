// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an expression of a kernel can be while the kernel is being specialized: known now (a
// constexpr), known when the kernel runs (a tensor, which also means scalars and pointers), or made
// of both.
#pragma once

#include "compiler/constant/Value.h"
#include "compiler/frontend/Types.h"

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Value.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tilescope::compiler::frontend {

/// A run-time value of the IR together with what the IR does not say: its sign.
struct Tensor {
  mlir::Value handle;
  Type type;

  bool isBlock() const { return type.isBlock(); }
  DType dtype() const { return type.dtype(); }
};

class Value;

/// A tuple or list; `fields` names the items of a named tuple or aggregate, else it is empty.
struct TupleValue {
  std::vector<Value> items;
  std::vector<std::string> fields;
  /// The class of an aggregate or named tuple, else null.
  std::shared_ptr<const constant::Extension> type;
};

/// `tl.make_block_ptr`: a window into a strided array. Extents, strides and offsets are int64
/// scalars.
struct BlockPointer {
  Tensor base;
  std::vector<Tensor> shape;
  std::vector<Tensor> strides;
  std::vector<Tensor> offsets;
  Shape blockShape;
};

/// `tl.make_tensor_descriptor`. `handle` is the descriptor of the IR.
struct TensorDescriptor {
  mlir::Value handle;
  std::vector<Tensor> shape;
  std::vector<Tensor> strides;
  Type blockType;
};

/// Any value. Cheap to copy; what is shared is immutable.
class Value {
public:
  /// What an erroneous expression evaluates to: using it is silently erroneous too.
  struct Poison {};

  /// The constexpr None.
  Value() : m_data(constant::Value()) {}
  Value(Tensor tensor) : m_data(std::move(tensor)) {}
  /// A constexpr. Tuples and lists become tuples of constexprs.
  Value(constant::Value value);
  Value(TupleValue tuple) : m_data(std::make_shared<const TupleValue>(std::move(tuple))) {}
  Value(BlockPointer pointer) : m_data(std::make_shared<const BlockPointer>(std::move(pointer))) {}
  Value(TensorDescriptor descriptor)
      : m_data(std::make_shared<const TensorDescriptor>(std::move(descriptor))) {}
  static Value poison();
  static Value tuple(std::vector<Value> items) { return TupleValue{std::move(items), {}, nullptr}; }
  static Value integer(int64_t value) { return constant::Value::integer(value); }
  static Value boolean(bool value) { return constant::Value::boolean(value); }

  bool isPoison() const { return std::holds_alternative<Poison>(m_data); }
  /// Each null when the value is something else.
  const Tensor *tensor() const { return std::get_if<Tensor>(&m_data); }
  const constant::Value *constant() const { return std::get_if<constant::Value>(&m_data); }
  const TupleValue *asTuple() const { return shared<TupleValue>(); }
  const BlockPointer *blockPointer() const { return shared<BlockPointer>(); }
  const TensorDescriptor *descriptor() const { return shared<TensorDescriptor>(); }

  bool isNone() const { return constant() && constant()->isNone(); }
  bool isNumber() const { return constant() && constant()->isNumber(); }
  /// Nothing in it depends on run time.
  bool isConstexpr() const;
  /// The value as one of compile time, tuples included; nothing unless it is a constexpr.
  std::optional<constant::Value> toConstant() const;

  /// Appends the IR values it consists of.
  void flatten(llvm::SmallVectorImpl<mlir::Value> &handles) const;
  /// The same value made of other IR values of the same types, taken from the front of `handles`.
  Value rebuild(llvm::ArrayRef<mlir::Value> &handles) const;
  /// Same kind, same types, same constants; the IR values may differ.
  bool hasTypeOf(const Value &other) const;

  /// For messages and hovers: `fp32[128]`, `constexpr int = 4`, `tuple<fp32, int32>`.
  std::string describe() const;
  /// Like `describe`, without the value of a constexpr number.
  std::string describeType() const;

private:
  template <typename T> using Shared = std::shared_ptr<const T>;
  template <typename T> const T *shared() const {
    const Shared<T> *pointer = std::get_if<Shared<T>>(&m_data);
    return pointer ? pointer->get() : nullptr;
  }

  std::variant<Poison, Tensor, constant::Value, Shared<TupleValue>, Shared<BlockPointer>,
               Shared<TensorDescriptor>>
      m_data;
};

} // namespace tilescope::compiler::frontend
