// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/calledstreams.h"

#include "core/attach/model/awaitedwork.h"

namespace jetscope {

namespace {

constexpr std::size_t kMaxCalledStreams = 512; ///< What is known of each event grows with them.
constexpr std::uint64_t kLegacy = 0;

/// Objects of the ledger that are no handles of the program.
constexpr char kAllStreams = 0; ///< The event that the legacy default stream waits for.
constexpr char kDefault = 0;    ///< The legacy default stream itself,
constexpr char kAfter = 0;      ///< and the event behind its newest work.

CalledStreams::Object objectOfStream(std::uint64_t stream)
{
    return stream == kLegacy ? &kDefault : ledgerObjectOf(stream);
}

} // namespace

void CalledStreams::add(std::uint64_t stream)
{
    m_streams.insert(stream);
    m_ledger.addStream(objectOfStream(stream));
}

/// The legacy default stream still waits for it.
void CalledStreams::remove(std::uint64_t stream)
{
    m_streams.erase(stream);
    if (m_busy.erase(stream) > 0)
        defaultWaitsFor(stream);
    m_withHostFunctions.erase(stream);
    m_values.retire(stream);
    m_ledger.retireStream(objectOfStream(stream));
}

/// By events that are no work of the streams: the program may ask what the newest work of a stream is (rule D1).
void CalledStreams::defaultWaitsFor(std::uint64_t stream)
{
    m_ledger.note(&kAllStreams, objectOfStream(stream));
    m_ledger.wait(&kDefault, &kAllStreams);
    m_values.recordEvent(&kAllStreams, stream);
    m_values.waitEvent(kLegacy, &kDefault, &kAllStreams);
}

CalledStreams::Object CalledStreams::awaited(std::uint64_t stream)
{
    m_streams.insert(stream);
    const Object object = objectOfStream(stream);
    if (stream == kLegacy) {
        for (const std::uint64_t other : m_busy)
            defaultWaitsFor(other);
        m_busy.clear();
    } else if (m_hasLegacyWork && !isNonBlocking(stream)) {
        m_ledger.wait(object, &kAfter);
        m_values.waitEvent(stream, object, &kAfter);
    }
    return object;
}

CalledStreams::Object CalledStreams::beginWork(std::uint64_t stream)
{
    const Object object = awaited(stream);
    if (stream == kLegacy)
        m_hasLegacyWork = true;
    else if (!isNonBlocking(stream))
        m_busy.insert(stream);
    return object;
}

void CalledStreams::endWork(std::uint64_t stream)
{
    if (stream != kLegacy)
        return;
    m_ledger.note(&kAfter, &kDefault);
    m_values.recordEvent(&kAfter, kLegacy);
}

bool CalledStreams::isLeftOut(std::uint64_t stream)
{
    const bool isUnordered = m_values.isUnordered(stream);
    m_hasLeftOut = m_hasLeftOut || isUnordered;
    return isUnordered;
}

void CalledStreams::waited(std::uint64_t stream)
{
    m_ledger.synchronize(awaited(stream));
    m_values.complete(stream);
    m_withHostFunctions.erase(stream);
}

void CalledStreams::waitedForAll()
{
    m_ledger.synchronizeAll();
    m_values.completeAll();
    endHostFunctions();
}

bool CalledStreams::isTooMuch() const
{
    return m_streams.size() + m_ledger.retiredStreams() + m_values.retired() > kMaxCalledStreams;
}

bool CalledStreams::areTooMany()
{
    if (!isTooMuch())
        return false;
    std::erase_if(m_streams, [&](std::uint64_t stream) {
        if (!isStreamOfThread(stream) || m_values.isUnordered(stream)
            || !m_ledger.removeStreamIfComplete(objectOfStream(stream)))
            return false;
        m_busy.erase(stream);
        m_withHostFunctions.erase(stream);
        return true;
    });
    return isTooMuch();
}

} // namespace jetscope
