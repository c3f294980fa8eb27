// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform/platformfacts.h"
#include "gpu/device/backends.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/sources/cameras.h"
#include "ui/session/sessionrequest.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace jetscope::testing {
class Wire;
} // namespace jetscope::testing

namespace jetscope {
/// In the namespace of the type, where Wire finds it.
void fields(testing::Wire &wire, PlatformFacts &platform);
} // namespace jetscope

namespace jetscope::testing {

/// Writes values into bytes, or reads them from there: the same list of fields serves both ways. Numbers keep the
/// machine's byte order.
class Wire {
public:
    Wire() = default;
    explicit Wire(std::vector<std::byte> bytes) : m_bytes(std::move(bytes)), m_reads(true) {}

    const std::vector<std::byte> &bytes() const { return m_bytes; }
    /// Whether everything was read, and nothing past the end.
    bool isAtEnd() const { return m_good && m_at == m_bytes.size(); }

    template <class... T>
    void operator()(T &...values)
    {
        (value(values), ...);
    }

private:
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void value(T &number) { raw(&number, sizeof(T)); }
    void value(std::string &text) { sequence(text); }
    void value(std::vector<std::uint8_t> &values) { sequence(values); }
    template <class T>
    void value(std::vector<T> &values)
    {
        std::uint64_t size = values.size();
        value(size);
        if (m_reads)
            values.resize(m_good && size <= m_bytes.size() ? size : 0);
        for (T &each : values)
            value(each);
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
            perhaps = has ? std::optional<T>(std::in_place) : std::nullopt;
        if (perhaps)
            value(*perhaps);
    }
    template <class T>
    requires std::is_class_v<T>
    void value(T &object) { fields(*this, object); }

    template <class Sequence>
    void sequence(Sequence &values)
    {
        std::uint64_t size = values.size();
        value(size);
        if (m_reads)
            values.resize(m_good && size <= m_bytes.size() ? size : 0);
        raw(values.data(), values.size() * sizeof(values[0]));
    }
    void raw(void *data, std::size_t size)
    {
        auto *bytes = static_cast<std::byte *>(data);
        if (!m_reads) {
            m_bytes.insert(m_bytes.end(), bytes, bytes + size);
            return;
        }
        m_good = m_good && m_at + size <= m_bytes.size();
        if (m_good && size > 0)
            std::memcpy(bytes, m_bytes.data() + m_at, size);
        m_at += m_good ? size : 0;
    }

    std::vector<std::byte> m_bytes;
    std::size_t m_at = 0;
    bool m_reads = false;
    bool m_good = true;
};

// The fields of everything that crosses, each listed once for both ways.

void fields(Wire &wire, PipelineCommand &command);
void fields(Wire &wire, PipelineUpdate &update);
void fields(Wire &wire, PipelineStatus &status);
void fields(Wire &wire, SessionRequest &request);
void fields(Wire &wire, std::vector<DeviceCandidate> &devices);
void fields(Wire &wire, std::vector<CameraInfo> &cameras);

/// Through bytes and back; ends the test program when that loses something.
template <class T>
T throughWire(T value)
{
    Wire out;
    fields(out, value);
    Wire in(out.bytes());
    T copy;
    fields(in, copy);
    if (!in.isAtEnd())
        std::abort();
    return copy;
}

} // namespace jetscope::testing
