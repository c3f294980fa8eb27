// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/lab/latencyfeed.h"

#include "gpu/sources/patternoptions.h"
#include "gpu/sources/severaladdress.h"

namespace jetscope {

std::shared_ptr<const ShownTimes> ownClockOf(std::string_view sourceUri)
{
    const Result<SourceUri> uri = parseSourceUri(drivingSource(sourceUri));
    if (!uri.ok() || uri.value().scheme != "pattern")
        return nullptr;
    const Result<PatternOptions> options = readPatternOptions(uri.value());
    if (!options.ok())
        return nullptr;
    return std::make_shared<SteadyTimes>(options.value().look.screenHz);
}

void LatencyFeed::take(const TraceUpdate &update)
{
    // A frame was seen before the pipeline finished it.
    for (const FrameSighting &sighting : m_watcher->take())
        m_waiting.emplace_back(sighting);
    for (const FrameNumber &number : update.numbers)
        m_numbers.add(number);
    for (const FrameFigures &figures : update.figures)
        m_waiting.emplace_back(Finished{figures, m_numbers.of(figures.frame)});
    addKnown();
}

/// At each time anew: a clock keeps what it showed for seconds only, and after a pause of the other machine much comes
/// at once.
void LatencyFeed::knowUntil(std::int64_t ns)
{
    m_knownUntilNs = ns;
    addKnown();
}

void LatencyFeed::addKnown()
{
    for (; !m_waiting.empty(); m_waiting.pop_front()) {
        const auto *const sighting = std::get_if<FrameSighting>(&m_waiting.front());
        if (sighting && sighting->arrivedNs > m_knownUntilNs)
            break;
        std::visit([this](const auto &each) { add(each); }, m_waiting.front());
    }
}

} // namespace jetscope
