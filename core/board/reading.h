// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <optional>
#include <string>
#include <utility>

namespace jetscope {

/// A value that was read from the machine, or why it is unknown: a sentence without a full stop. Never a guess.
template <class T>
struct Reading {
    std::optional<T> value;
    std::string reason = "it was not read yet"; ///< Meaningless while the value is known.

    Reading() = default;
    Reading(T known) : value(std::move(known)), reason() {}
    Reading(const Error &error) : reason(error.text) {}
    Reading(const Result<T> &result)
    {
        if (result.ok())
            *this = Reading(result.value());
        else
            reason = result.error().text;
    }

    bool known() const { return value.has_value(); }
    bool operator==(const Reading &) const = default;
};

} // namespace jetscope
