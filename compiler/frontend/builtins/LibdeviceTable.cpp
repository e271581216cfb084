// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Most names follow one of a few patterns; the others are listed.
#include "compiler/frontend/Libdevice.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope::compiler::frontend {

namespace {
using Overloads = std::vector<LibdeviceOverload>;
constexpr DType kF32 = DType::Fp32, kF64 = DType::Fp64, kI32 = DType::Int32, kI64 = DType::Int64,
                kU32 = DType::Uint32, kU64 = DType::Uint64;

struct Table {
  llvm::StringMap<Overloads> functions;

  void add(const std::string &name, std::vector<DType> arguments, const std::string &symbol,
           DType result, bool isPredicate = false) {
    functions[name].push_back({std::move(arguments), "__nv_" + symbol, result, isPredicate});
  }

  /// `name(x, ...)` on fp32 as `__nv_namef` and on fp64 as `__nv_name`.
  void addFloat(const std::string &name, size_t arity) {
    add(name, std::vector(arity, kF32), name + "f", kF32);
    add(name, std::vector(arity, kF64), name, kF64);
  }

  void addFloats() {
    for (const char *name :
         {"floor",         "rsqrt",         "ceil",   "trunc",  "exp2",  "sqrt",  "rint",
          "nearbyint",     "sin",           "cos",    "sinpi",  "cospi", "tan",   "log2",
          "exp",           "exp10",         "cosh",   "sinh",   "tanh",  "atan",  "asin",
          "acos",          "log",           "log10",  "log1p",  "acosh", "asinh", "atanh",
          "expm1",         "cbrt",          "rcbrt",  "j0",     "j1",    "y0",    "y1",
          "cyl_bessel_i0", "cyl_bessel_i1", "erf",    "erfinv", "erfc",  "erfcx", "erfcinv",
          "normcdfinv",    "normcdf",       "lgamma", "tgamma", "round", "logb"})
      addFloat(name, 1);
    for (const char *name :
         {"copysign", "nextafter", "atan2", "hypot", "rhypot", "fmod", "remainder", "fdim"})
      addFloat(name, 2);
    for (const char *name : {"norm3d", "rnorm3d", "fma"})
      addFloat(name, 3);
    for (const char *name : {"norm4d", "rnorm4d"})
      addFloat(name, 4);
  }

  /// Families with a rounding mode: `add_rn`, `fma_rz`, …
  void addRounded() {
    for (std::string mode : {"_rn", "_rz", "_rd", "_ru"}) {
      for (std::string name : {"add", "sub", "mul", "div"}) {
        add(name + mode, {kF32, kF32}, "f" + name + mode, kF32);
        add(name + mode, {kF64, kF64}, "d" + name + mode, kF64);
      }
      for (std::string name : {"rcp", "sqrt"}) {
        add(name + mode, {kF32}, "f" + name + mode, kF32);
        add(name + mode, {kF64}, "d" + name + mode, kF64);
      }
      add("fma" + mode, {kF32, kF32, kF32}, "fmaf" + mode, kF32);
      add("fma" + mode, {kF64, kF64, kF64}, "fma" + mode, kF64);
    }
    add("rsqrt_rn", {kF32}, "frsqrt_rn", kF32);
  }

  /// `float2int_rn` and the like. Results are signed even where the name says otherwise.
  void addConversions() {
    struct Number {
      const char *name;
      DType argument;
      DType result;
    };
    const Number floats[] = {{"float", kF32, kF32}, {"double", kF64, kF64}};
    const Number integers[] = {
        {"int", kI32, kI32}, {"uint", kU32, kI32}, {"ll", kI64, kI64}, {"ull", kU64, kI64}};
    auto convert = [&](const Number &from, const Number &to, const char *mode) {
      std::string name = std::string(from.name) + "2" + to.name + mode;
      add(name, {from.argument}, name, to.result);
    };
    for (const char *mode : {"_rn", "_rz", "_rd", "_ru"}) {
      for (const Number &real : floats)
        for (const Number &integer : integers) {
          convert(real, integer, mode);
          // 32-bit integers are exact in fp64.
          bool isExact = real.argument == kF64 && integer.result == kI32;
          if (!isExact || mode == std::string_view("_rn"))
            convert(integer, real, mode);
        }
      convert(floats[1], floats[0], mode);
    }
  }

  void addFast() {
    for (std::string name : {"fast_sinf", "fast_cosf", "fast_log2f", "fast_logf", "fast_expf",
                             "fast_tanf", "fast_tanhf", "fast_exp10f", "fast_log10f", "saturatef"})
      add(name, {kF32}, name, kF32);
    add("fast_powf", {kF32, kF32}, "fast_powf", kF32);
    add("fast_dividef", {kF32, kF32}, "fast_fdividef", kF32);
  }

  void addIntegers() {
    add("abs", {kI32}, "abs", kI32);
    add("abs", {kI64}, "llabs", kI64);
    add("abs", {kF32}, "fabsf", kF32);
    add("abs", {kF64}, "fabs", kF64);
    for (std::string name : {"clz", "popc", "ffs"}) {
      add(name, {kI32}, name, kI32);
      add(name, {kI64}, name + "ll", kI32);
    }
    add("brev", {kI32}, "brev", kI32);
    add("brev", {kI64}, "brevll", kI64);
    add("byte_perm", {kI32, kI32, kI32}, "byte_perm", kI32);
    add("mulhi", {kI32, kI32}, "mulhi", kI32);
    add("mulhi", {kU32, kU32}, "umulhi", kU32);
    add("mulhi", {kI64, kI64}, "mul64hi", kI64);
    add("mulhi", {kU64, kU64}, "umul64hi", kU64);
    add("sad", {kI32, kI32, kU32}, "sad", kI32);
    add("sad", {kU32, kU32, kU32}, "usad", kU32);
    for (std::string name : {"mul24", "hadd", "rhadd"}) {
      add(name, {kI32, kI32}, name, kI32);
      add(name, {kU32, kU32}, name == "rhadd" ? "urhadd" : "u" + name, kU32);
    }
  }

  void addMixed() {
    for (std::string name : {"yn", "jn"}) {
      add(name, {kI32, kF32}, name + "f", kF32);
      add(name, {kI32, kF64}, name, kF64);
    }
    for (std::string name : {"ldexp", "scalbn"}) {
      add(name, {kF32, kI32}, name + "f", kF32);
      add(name, {kF64, kI32}, name, kF64);
    }
    add("pow", {kF32, kI32}, "powif", kF32);
    add("pow", {kF64, kI32}, "powi", kF64);
    addFloat("pow", 2);
    for (std::string name : {"llrint", "llround"}) {
      add(name, {kF32}, name + "f", kI64);
      add(name, {kF64}, name, kI64);
    }
    add("ilogb", {kF32}, "ilogbf", kI32);
    add("ilogb", {kF64}, "ilogb", kI32);
    add("signbit", {kF32}, "signbitf", kI32);
    add("signbit", {kF64}, "signbitd", kI32);
    add("isnan", {kF32}, "isnanf", kI32, true);
    add("isnan", {kF64}, "isnand", kI32, true);
    add("isinf", {kF32}, "isinff", kI32, true);
    add("isinf", {kF64}, "isinfd", kI32, true);
    add("finitef", {kF32}, "finitef", kI32, true);
    add("isfinited", {kF64}, "isfinited", kI32, true);
    add("rcp64h", {kF64}, "rcp64h", kF64);
    add("hiloint2double", {kI32, kI32}, "hiloint2double", kF64);
    add("double2loint", {kF64}, "double2loint", kI32);
    add("double2hiint", {kF64}, "double2hiint", kI32);
    add("int_as_float", {kI32}, "int_as_float", kF32);
    add("float_as_int", {kF32}, "float_as_int", kI32);
    add("uint_as_float", {kU32}, "uint_as_float", kF32);
    add("float_as_uint", {kF32}, "float_as_uint", kI32);
    add("longlong_as_double", {kI64}, "longlong_as_double", kF64);
    add("double_as_longlong", {kF64}, "double_as_longlong", kI64);
  }

  Table() {
    addFloats();
    addRounded();
    addConversions();
    addFast();
    addIntegers();
    addMixed();
  }
};
} // namespace

static const Table &table() {
  static const Table instance;
  return instance;
}

bool hasLibdeviceFunction(std::string_view name) { return table().functions.contains(name); }

const Overloads &libdeviceOverloads(std::string_view name) {
  static const Overloads none;
  auto found = table().functions.find(name);
  return found == table().functions.end() ? none : found->second;
}

} // namespace tilescope::compiler::frontend
