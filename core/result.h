// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace jetscope {

/// Why something failed: the failed call, its code (0 when the call has none) and one sentence with the remedy that can
/// be shown to the user.
struct Error {
    std::string call;
    long code = 0;
    std::string text;

    /// "call: text (code N)", as printed on stderr and shown in the window.
    std::string message() const;
};

/// An Error that consists of a sentence only, because no system call failed.
Error sentence(std::string text);

/// For assertions: prints the error that was accessed as a value to stderr. Always returns false.
bool saidOnStderr(const Error &error);

/// A value or an Error. There is no conversion to bool, because `if (result)` could be mistaken for a test of a
/// Result<bool>'s value. Reading the wrong alternative is a programming error: with assertions enabled, the program
/// prints the unchecked error and aborts.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }

    T &value() &
    {
        assert(ok() || saidOnStderr(error()));
        return *std::get_if<0>(&m_state);
    }
    const T &value() const &
    {
        assert(ok() || saidOnStderr(error()));
        return *std::get_if<0>(&m_state);
    }
    T &&value() &&
    {
        assert(ok() || saidOnStderr(error()));
        return std::move(*std::get_if<0>(&m_state));
    }
    const Error &error() const
    {
        assert(!ok());
        return *std::get_if<1>(&m_state);
    }

    explicit operator bool() const = delete;

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    bool ok() const { return !m_error.has_value(); }
    const Error &error() const
    {
        assert(!ok());
        return *m_error;
    }

    explicit operator bool() const = delete;

private:
    std::optional<Error> m_error;
};

using Status = Result<void>;

} // namespace jetscope

/// Returns the error of an expression (a Result or Status) from the enclosing function, if it has one.
#define JETSCOPE_TRY(...)                                                                                              \
    do {                                                                                                               \
        if (const auto &jetscopeStatus = (__VA_ARGS__); !jetscopeStatus.ok())                                          \
            return jetscopeStatus.error();                                                                             \
    } while (false)

/// Declares or assigns `target` from `expression` (a Result), or returns its error from the enclosing function:
/// `JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> buffer, device.createBuffer(...));`. Write `auto` for types that
/// contain a comma. These are several statements: after an `if` they need braces.
#define JETSCOPE_TRY_ASSIGN(target, ...) JETSCOPE_TRY_ASSIGN_LINE(target, __LINE__, (__VA_ARGS__))
#define JETSCOPE_TRY_ASSIGN_LINE(target, line, expression) JETSCOPE_TRY_ASSIGN_NAMED(target, line, expression)
#define JETSCOPE_TRY_ASSIGN_NAMED(target, line, expression)                                                            \
    auto jetscopeResult##line = expression;                                                                            \
    if (!jetscopeResult##line.ok())                                                                                    \
        return jetscopeResult##line.error();                                                                           \
    target = std::move(jetscopeResult##line).value()
