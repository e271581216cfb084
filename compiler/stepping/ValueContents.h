// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a value of a stopped program holds: as numbers, as bytes, in a line of text.
#pragma once

#include "compiler/interpreter/Frame.h"
#include "compiler/stepping/BlockExpression.h"
#include "compiler/stepping/StepListing.h"

namespace tilescope::compiler::stepping {

/// The elements of a value as numbers; addresses count elements from the argument's first. What they point
/// to is read from the frame's memory as long as that lives.
NumberBlock numbersOf(interpreter::Frame &frame, uint32_t id, const ListedValue &value);
/// The elements of a buffer as they are held, row by row.
std::string bytesOf(interpreter::Frame &frame, uint32_t id, const ListedBuffer &buffer);
/// The elements of a value in registers as they are held.
const std::byte *elementsOf(interpreter::Frame &frame, uint32_t id);
/// For each element of a value in registers whether it is defined, as bytes; empty: all are.
std::string definedOf(interpreter::Frame &frame, uint32_t id);
/// `isUnsigned`: an integer has no sign in the source.
double numberAt(const std::byte *data, interpreter::Element element, size_t index, bool isUnsigned);
/// An address as an element of its argument.
double elementOf(const interpreter::Frame &frame, double address, uint32_t pointeeBytes);

bool isWholeBlock(const NumberBlock &block);
/// One line about numbers.
std::string blockText(const NumberBlock &block, bool isWhole);
/// One line about addresses and what lies there: `x_ptr[3] = 1.5`.
std::string addressedText(const NumberBlock &addresses);
/// One line about a value.
std::string previewOf(interpreter::Frame &frame, uint32_t id, const ListedValue &value);

} // namespace tilescope::compiler::stepping
