// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"
#include "core/remote/wire/membercount.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace jetscope {

/// One more than the greatest number of an enum that may cross.
template <class T>
std::size_t enumEnd()
{
    static_assert(enumCount<T>() > 0, "its values count from 0");
    return enumCount<T>();
}

/// Writes values into bytes, or reads them from there: one list of fields serves both ways, `fields(Wire &, T &)` in
/// the namespace of the type. Numbers are little endian and have the size of their type; texts and lists begin with a
/// 32-bit count; what may be missing begins with a byte 0 or 1.
///
/// Whoever wrote the bytes may be hostile: nothing is read past their end, no list is longer than they can hold, an
/// enum is one of its values and a bool is 0 or 1. After the first violation everything that is read is empty, and
/// isAtEnd stays false. No type contains itself, so that the nesting is that of the types.
class Wire {
public:
    Wire() = default;
    /// Reads; the bytes must outlive this.
    explicit Wire(std::span<const std::byte> bytes) : m_left(bytes), m_reads(true) {}

    bool reads() const { return m_reads; }
    const std::vector<std::byte> &bytes() const { return m_bytes; }
    std::vector<std::byte> takeBytes() { return std::move(m_bytes); }
    /// Whether everything was read, and nothing past the end.
    bool isAtEnd() const { return m_good && m_left.empty(); }
    /// For lists of fields: what was read cannot be.
    void fail();

    /// All members of a struct, its bases first, in the order of their declaration.
    template <class T, class... Members>
    void members(const T &, Members &...values)
    {
        static_assert(sizeof...(Members) == memberCount<T>(), "each member crosses");
        (value(values), ...);
    }
    template <class... T>
    void operator()(T &...values)
    {
        (value(values), ...);
    }

private:
    template <class T>
    requires std::is_arithmetic_v<T>
    void value(T &number)
    {
        if constexpr (std::is_floating_point_v<T>) {
            using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
            static_assert(sizeof(T) == sizeof(Bits));
            Bits bits = std::bit_cast<Bits>(number);
            value(bits);
            number = std::bit_cast<T>(bits);
        } else {
            const std::uint64_t crossed = number64(static_cast<std::uint64_t>(number), sizeof(T));
            if constexpr (std::is_same_v<T, bool>) {
                if (crossed > 1)
                    fail();
                number = m_good && crossed == 1;
            } else {
                number = static_cast<T>(crossed);
            }
        }
    }
    template <class T>
    requires std::is_enum_v<T>
    void value(T &choice)
    {
        const std::uint64_t crossed = number64(static_cast<std::uint64_t>(choice), sizeof(T));
        if (m_reads && crossed >= enumEnd<T>())
            fail();
        choice = static_cast<T>(m_good ? crossed : 0);
    }
    void value(std::string &text)
    {
        const std::size_t size = count(text.size(), 1);
        if (m_reads)
            text.resize(size);
        raw(text.data(), size);
    }
    template <class T>
    void value(std::vector<T> &values)
    {
        if constexpr (std::is_same_v<T, std::byte> || std::is_same_v<T, std::uint8_t>) {
            const std::size_t size = count(values.size(), 1);
            if (m_reads)
                values.resize(size);
            raw(values.data(), size);
        } else {
            list(values);
        }
    }
    template <class T, std::size_t count>
    void value(std::array<T, count> &values)
    {
        for (T &each : values)
            value(each);
    }
    template <class First, class Second>
    void value(std::pair<First, Second> &both)
    {
        value(both.first);
        value(both.second);
    }
    template <class T>
    void value(std::optional<T> &perhaps)
    {
        bool has = perhaps.has_value();
        value(has);
        if (m_reads)
            perhaps.reset();
        if (m_reads && has)
            perhaps.emplace();
        if (perhaps)
            value(*perhaps);
    }
    template <class T>
    requires std::is_class_v<T>
    void value(T &object) { fields(*this, object); }

    template <class T>
    void list(std::vector<T> &values)
    {
        std::size_t size = count(values.size(), std::is_arithmetic_v<T> ? sizeof(T) : 1);
        // A list grows as its values are read, so that a count alone allocates nothing.
        if (m_reads)
            values.clear();
        for (std::size_t i = 0; m_good && i < size; ++i)
            value(m_reads ? values.emplace_back() : values[i]);
        if (!m_good)
            values.clear();
    }

    /// Writes the lowest bytes of a number, or reads as many; 0 after a violation.
    std::uint64_t number64(std::uint64_t number, std::size_t bytes);
    /// The length of a list whose values take at least this many bytes each.
    std::size_t count(std::size_t size, std::size_t leastBytes);
    void raw(void *data, std::size_t size);

    std::vector<std::byte> m_bytes; ///< Written ones.
    std::span<const std::byte> m_left;
    bool m_reads = false;
    bool m_good = true;
};

/// A value as bytes.
template <class T>
std::vector<std::byte> toBytes(const T &value)
{
    Wire wire;
    wire(const_cast<T &>(value)); // A wire that writes changes nothing.
    return wire.takeBytes();
}

/// The value of these bytes; none unless they are all of it.
template <class T>
std::optional<T> fromBytes(std::span<const std::byte> bytes)
{
    Wire wire(bytes);
    std::optional<T> value(std::in_place);
    wire(*value);
    if (!wire.isAtEnd())
        value.reset();
    return value;
}

} // namespace jetscope
