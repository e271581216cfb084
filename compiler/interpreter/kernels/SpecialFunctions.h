// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::compiler::interpreter {

// Functions of the device's library that the C library does not have.

/// sin(pi x) and cos(pi x), exact where the result is.
double sinPi(double x);
double cosPi(double x);
/// Inverses of erf and erfc.
double erfInverse(double y);
double erfcInverse(double y);
/// exp(x^2) erfc(x), which does not underflow for large x.
double erfcScaled(double x);
/// The normal distribution's integral and its inverse.
double normalCdf(double x);
double normalCdfInverse(double p);
/// Modified Bessel functions of the first kind, orders 0 and 1.
double besselI0(double x);
double besselI1(double x);

} // namespace tilescope::compiler::interpreter
