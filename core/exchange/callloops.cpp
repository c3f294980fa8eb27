// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/callloops.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/framefinder.h"
#include "core/attach/model/frameguess.h"
#include "core/text/shorttext.h"
#include "core/trace/watchedsort.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMinLoopFrames = 3;
constexpr std::size_t kMaxPlaces = 100'000;

struct RuntimeName {
    std::string_view runtime;
    std::string_view driver;
};

/// Functions of the CUDA runtime whose names are not those of the driver with other first letters.
constexpr auto kRuntimeNames = std::to_array<RuntimeName>({
    {"cudaDeviceSynchronize", "cuCtxSynchronize"},
    {"cudaThreadSynchronize", "cuCtxSynchronize"},
    {"cudaFree", "cuMemFree"},
    {"cudaFreeAsync", "cuMemFreeAsync"},
    {"cudaFreeHost", "cuMemFreeHost"},
    {"cudaHostAlloc", "cuMemHostAlloc"},
    {"cudaHostRegister", "cuMemHostRegister"},
    {"cudaHostUnregister", "cuMemHostUnregister"},
    {"cudaLaunchKernelExC", "cuLaunchKernelEx"},
    {"cudaMalloc", "cuMemAlloc"},
    {"cudaMallocAsync", "cuMemAllocAsync"},
    {"cudaMallocHost", "cuMemAllocHost"},
    {"cudaMallocManaged", "cuMemAllocManaged"},
    {"cudaMallocPitch", "cuMemAllocPitch"},
    {"cudaMemcpyToSymbol", "cuMemcpyHtoD"},
    {"cudaMemcpyToSymbolAsync", "cuMemcpyHtoDAsync"},
    {"cudaMemcpyFromSymbol", "cuMemcpyDtoH"},
    {"cudaMemcpyFromSymbolAsync", "cuMemcpyDtoHAsync"},
    {"cudaMemcpyToArray", "cuMemcpyHtoA"},
    {"cudaMemset", "cuMemsetD8"},
    {"cudaMemsetAsync", "cuMemsetD8Async"},
    {"cudaMemset2D", "cuMemsetD2D8"},
    {"cudaMemset2DAsync", "cuMemsetD2D8Async"},
    {"cudaMemcpy2DToArray", "cuMemcpy2D"},
    {"cudaMemcpy2DFromArray", "cuMemcpy2D"},
    {"cudaMemcpy2DToArrayAsync", "cuMemcpy2DAsync"},
    {"cudaMemcpy2DFromArrayAsync", "cuMemcpy2DAsync"},
    {"vkQueuePresentKHR", "eglSwapBuffers"},
});

/// JSA_CALL_NONE if it is no call that is known.
std::uint16_t callNamed(std::string_view name)
{
    if (!name.starts_with("cu") && !name.starts_with("gl") && !name.starts_with("egl") && !name.starts_with("vk"))
        return JSA_CALL_NONE;
    constexpr std::string_view kPerThread = "_ptsz";
    name = withoutCallVersion(name);
    std::string plain(name.ends_with(kPerThread) ? name.substr(0, name.size() - kPerThread.size()) : name);
    const auto known = std::find_if(kRuntimeNames.begin(), kRuntimeNames.end(),
                                    [&](const RuntimeName &each) { return each.runtime == plain; });
    if (known != kRuntimeNames.end())
        plain = known->driver;
    else if (plain.starts_with("cuda"))
        plain = "cu" + plain.substr(4);
    for (const char *const version : {"", "_v2"})
        if (const auto call = attachCallNamed(plain + version))
            return *call;
    return JSA_CALL_NONE;
}

} // namespace

std::string_view withoutCallVersion(std::string_view name)
{
    const std::size_t version = name.rfind("_v");
    const bool isVersion = version != std::string_view::npos && version + 2 < name.size()
        && name.find_first_not_of("0123456789", version + 2) == std::string_view::npos;
    return isVersion ? name.substr(0, version) : name;
}

bool CallLoops::knows(std::string_view name)
{
    return callNamed(name) != JSA_CALL_NONE;
}

void CallLoops::add(std::uint64_t thread, std::string_view name, const Interval &time, const CallPlace &place,
                    std::uint64_t work)
{
    if (m_calls.size() >= kMostCalls)
        return;
    const auto [known, isNewName] = m_numbers.try_emplace(std::string(name));
    if (isNewName)
        known->second = callNamed(name);
    const std::uint16_t call = known->second;
    if (call == JSA_CALL_NONE)
        return;
    const auto [index, isNew] = m_threadIndex.try_emplace(thread, static_cast<std::uint32_t>(m_threads.size()));
    if (isNew)
        m_threads.push_back(thread);
    if (!place.text.empty() && m_places.size() < kMaxPlaces)
        m_places.try_emplace(place.hash, std::string(place.text));
    m_calls.push_back({time, place.hash, work, index->second, call});
}

AttachEvent CallLoops::eventOf(const Call &call) const
{
    AttachEvent event;
    event.startNs = call.time.startNs;
    event.endNs = call.time.endNs;
    event.thread = call.thread;
    event.call = call.number;
    event.site = call.place;
    const auto copy = m_copies.find(call.work);
    event.argument[4] = copy == m_copies.end() ? attachCall(call.number)->direction : copy->second;
    return event;
}

std::string CallLoops::loopText(const FrameGuess &guess) const
{
    const auto place = m_places.find(guess.site);
    return std::string(attachCall(guess.call)->name)
        + (place == m_places.end() ? std::string() : " in " + quotedWords(place->second));
}

std::string CallLoops::whyText(const std::vector<FrameGuess> &guesses, std::size_t taken, std::size_t frames) const
{
    const FrameGuess &guess = guesses[taken];
    std::array<char, 160> figures{};
    std::snprintf(figures.data(), figures.size(), " %s, %.3f ms each; %.0f %% sure",
                  guess.every == 1 ? "once" : (std::to_string(guess.every) + " times").c_str(), guess.periodMs,
                  guess.sure * 100);
    std::string text = counted(frames, "frame") + (frames == 1 ? " is" : " are")
        + " guessed: a round of a loop, which makes " + counted(guess.calls, "call") + " and passes " + loopText(guess)
        + figures.data();
    const std::size_t second = taken == 0 ? 1 : 0;
    if (second < guesses.size())
        text += "; second best: " + loopText(guesses[second]) + ", " + counted(guesses[second].rounds, "round");
    return text + "; take another with --frames-by site:NUMBER or --frames-by NAME";
}

FoundFrames CallLoops::foundBy(FrameFinder &finder, FrameSign sign) const
{
    FoundFrames found;
    found.sign = sign;
    for (const Call &call : m_calls)
        if (const auto frame = finder.take(eventOf(call)))
            found.periods.push_back({static_cast<std::uint32_t>(found.periods.size()), frame->period});
    return found.periods.size() < kMinLoopFrames ? FoundFrames() : found;
}

FoundFrames CallLoops::framesOf(const std::vector<FrameGuess> &guesses, std::size_t taken) const
{
    FrameFinder finder{FrameWish{FrameWish::Kind::Loop}};
    finder.setGuess(guesses[taken]);
    FoundFrames found = foundBy(finder, FrameSign::Loop);
    if (found.periods.empty())
        return found;
    found.thread = m_threads[guesses[taken].thread];
    found.name = loopText(guesses[taken]);
    found.why = whyText(guesses, taken, found.periods.size());
    return found;
}

FoundFrames CallLoops::swaps() const
{
    FrameFinder finder{FrameWish{FrameWish::Kind::Swap}};
    FoundFrames found = foundBy(finder, FrameSign::Swap);
    if (found.periods.empty())
        return found;
    found.thread = m_threads[finder.thread()];
    found.name = "swap";
    found.why = counted(found.periods.size(), "frame")
        + " are taken from the window's swaps: from the return of one to that of the next";
    return found;
}

std::optional<FoundFrames> CallLoops::find(unsigned number, Progress &progress, double fraction)
{
    const auto byEnd = [](const Call &a, const Call &b) { return a.time.endNs < b.time.endNs; };
    if (!watchedStableSort(m_calls, byEnd, progress, fraction))
        return std::nullopt;
    std::vector<AttachEvent> events;
    events.reserve(m_calls.size());
    for (const Call &call : m_calls)
        events.push_back(eventOf(call));
    if (!progress.advance(fraction))
        return std::nullopt;
    const std::vector<FrameGuess> guesses = guessFrames(events, true);
    events = {};
    m_choices.clear();
    for (std::size_t i = 0; i < guesses.size(); ++i)
        m_choices.push_back("site:" + std::to_string(i + 1) + " " + loopText(guesses[i]));
    if (!progress.advance(fraction))
        return std::nullopt;
    if (number > guesses.size())
        return FoundFrames();
    if (number > 0)
        return framesOf(guesses, number - 1);
    if (FoundFrames found = swaps(); !found.periods.empty())
        return found;
    return guesses.empty() ? FoundFrames() : framesOf(guesses, 0);
}

} // namespace jetscope
