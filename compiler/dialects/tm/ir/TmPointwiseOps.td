// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#ifndef TILESCOPE_TM_POINTWISE_OPS_TD
#define TILESCOPE_TM_POINTWISE_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "compiler/dialects/tm/ir/TmBase.td"

class TM_Unary<string mnemonic, string what, dag attributes = (ins)>
    : TM_Op<mnemonic, [SameOperandsAndResultType]> {
  let summary = what;
  let arguments = !con((ins TM_Tensor:$operand), attributes);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def TM_AbsOp : TM_Unary<"abs", "absolute value">;
def TM_CeilOp : TM_Unary<"ceil", "the next whole number above">;
def TM_CosOp : TM_Unary<"cos", "cosine">;
def TM_EluOp : TM_Unary<"elu", "x above 0, alpha * (exp(x) - 1) below", (ins F32Attr:$alpha)>;
def TM_ErfOp : TM_Unary<"erf", "error function">;
def TM_ExpOp : TM_Unary<"exp", "power of e">;
def TM_FloorOp : TM_Unary<"floor", "the next whole number below">;
def TM_GeluOp : TM_Unary<"gelu", "x * Φ(x), by erf, or by tanh where approximated", (ins UnitAttr:$approximate)>;
def TM_HardSigmoidOp : TM_Unary<"hard_sigmoid", "alpha * x + beta, between 0 and 1",
                                (ins F32Attr:$alpha, F32Attr:$beta)>;
def TM_LeakyReluOp : TM_Unary<"leaky_relu", "x above 0, alpha * x below", (ins F32Attr:$alpha)>;
def TM_LogOp : TM_Unary<"log", "natural logarithm">;
def TM_NegOp : TM_Unary<"neg", "-x">;
def TM_NotOp : TM_Unary<"not", "the other truth value">;
def TM_ReciprocalOp : TM_Unary<"reciprocal", "1 / x">;
def TM_ReluOp : TM_Unary<"relu", "x above 0, else 0">;
def TM_RoundOp : TM_Unary<"round", "the nearest whole number, halves to even">;
def TM_SigmoidOp : TM_Unary<"sigmoid", "1 / (1 + exp(-x))">;
def TM_SignOp : TM_Unary<"sign", "-1, 0 or 1">;
def TM_SinOp : TM_Unary<"sin", "sine">;
def TM_SoftplusOp : TM_Unary<"softplus", "log(exp(x) + 1)">;
def TM_SqrtOp : TM_Unary<"sqrt", "square root">;
def TM_TanhOp : TM_Unary<"tanh", "hyperbolic tangent">;

def TM_IsNanOp : TM_Op<"is_nan"> {
  let summary = "whether an element is not a number";
  let arguments = (ins TM_Tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

def TM_CastOp : TM_Op<"cast"> {
  let summary = "the same numbers in another type";
  let arguments = (ins TM_Tensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

/// Operands of lower rank, and extents of 1, are repeated, as NumPy does it.
class TM_Binary<string mnemonic, string what> : TM_Op<mnemonic> {
  let summary = what;
  let arguments = (ins TM_Tensor:$lhs, TM_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def TM_AddOp : TM_Binary<"add", "sum">;
def TM_AndOp : TM_Binary<"and", "whether both are true; of whole numbers each bit by itself">;
def TM_DivOp : TM_Binary<"div", "quotient; whole numbers are rounded towards 0">;
def TM_MaxOp : TM_Binary<"max", "the larger one">;
def TM_MinOp : TM_Binary<"min", "the smaller one">;
def TM_MulOp : TM_Binary<"mul", "product">;
def TM_OrOp : TM_Binary<"or", "whether one of both is true; of whole numbers each bit by itself">;
def TM_PowOp : TM_Binary<"pow", "power">;
def TM_SubOp : TM_Binary<"sub", "difference">;
def TM_XorOp : TM_Binary<"xor", "whether one alone is true; of whole numbers each bit by itself">;

def TM_ModOp : TM_Op<"mod"> {
  let summary = "remainder, of the sign of the divisor; with fmod that of the dividend";
  let arguments = (ins TM_Tensor:$lhs, TM_Tensor:$rhs, UnitAttr:$fmod);
  let assemblyFormat = "$lhs `,` $rhs (`fmod` $fmod^)? attr-dict `:` functional-type(operands, results)";
}

def TM_ShiftOp : TM_Op<"shift"> {
  let summary = "the bits moved by so many places, to the left or to the right; 0, or the sign from the left, moves in";
  let arguments = (ins TM_Tensor:$lhs, TM_Tensor:$rhs, UnitAttr:$right);
  let assemblyFormat = "$lhs `,` $rhs (`right` $right^)? attr-dict `:` functional-type(operands, results)";
}

def TM_CompareOp : TM_Op<"compare"> {
  let summary = "a comparison of elements, with extents of 1 repeated";
  let arguments = (ins TM_Comparison:$predicate, TM_Tensor:$lhs, TM_Tensor:$rhs);
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def TM_WhereOp : TM_Op<"where"> {
  let summary = "an element of one tensor or of another, as the condition is";
  let arguments = (ins TM_Tensor:$condition, TM_Tensor:$lhs, TM_Tensor:$rhs);
  let assemblyFormat = "$condition `,` $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

#endif
