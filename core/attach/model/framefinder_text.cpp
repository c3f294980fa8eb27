// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/model/framefinder.h"
#include "core/text/shorttext.h"

#include <array>
#include <cstdio>

namespace jetscope {

namespace {

std::string guessText(const FrameGuess &guess)
{
    std::array<char, 256> text{};
    const std::string name(attachCall(guess.call)->name);
    const std::string passes = guess.every == 1 ? "once" : std::to_string(guess.every) + " times";
    std::snprintf(text.data(), text.size(),
                  "guessed: a round of a loop, %s each, passes one place that calls %s %s%s, each %.3f ms; %.0f %% "
                  "sure, by the rounds that make the same calls and by their time",
                  counted(guess.calls, "call").c_str(), name.c_str(), passes.c_str(),
                  guess.isOnAnyThread ? " on any thread" : "", guess.periodMs, guess.sure * 100);
    return text.data();
}

} // namespace

std::string FrameFinder::sourceName() const
{
    switch (m_source) {
    case Source::Mark:
        return "mark";
    case Source::Swap:
        return "swap";
    case Source::Stream:
        return "stream";
    case Source::NvBuf:
        return "nvbuf";
    case Source::Nvtx:
        return std::string("nvtx:") + m_wish.name;
    case Source::Guess:
        return "guess:" + std::string(attachCall(m_guess->call)->name);
    case Source::Call:
        return m_wish.kind == FrameWish::Kind::Site ? "site:" + m_wish.name
                                                    : "call:" + std::string(attachCall(m_wish.call)->name);
    case Source::None:
        break;
    }
    return {};
}

std::string FrameFinder::otherNamesText() const
{
    std::string text;
    for (const std::string &name : m_otherNames)
        text += (name == *m_otherNames.begin() ? " " : ", ") + quotedWords(name);
    return text;
}

/// What the user may take in place of a guess.
std::string FrameFinder::rangesText() const
{
    return m_otherNames.empty()
        ? std::string()
        : "; --frame nvtx:NAME takes ranges or marks of NVTX, of which there are" + otherNamesText();
}

std::string FrameFinder::leftOutText(std::string_view what, const char *others, const char *key) const
{
    return (m_otherSwaps > 0 ? "; " + counted(m_otherSwaps, what) + " " + others + " left out" : std::string())
        + (m_moves > 0 ? std::string("; the ") + key + " changed " + counted(m_moves, "time") : std::string());
}

std::string FrameFinder::handOverText() const
{
    const bool ofStream = m_source == Source::Stream;
    return "from the return of one " + std::string(attachCall(m_handOver)->name)
        + (ofStream ? ", by which the program hands over a frame of an EGLStream, to that of the next"
                    : ", by which the program hands over an NvBuf buffer, to that of the next")
        + leftOutText("hand-over", ofStream ? "of other streams" : "at other places", ofStream ? "stream" : "place")
        + "; --frame call:NAME takes another call" + rangesText();
}

std::string FrameFinder::note() const
{
    switch (m_source) {
    case Source::Mark:
        return "marked by the program";
    case Source::Swap:
        return "from the return of one swap to that of the next" + leftOutText("swap", "of other surfaces", "surface");
    case Source::Stream:
    case Source::NvBuf:
        return handOverText();
    case Source::Guess:
        return guessText(*m_guess) + rangesText();
    case Source::Call:
        return "from the return of one call to that of the next";
    case Source::Nvtx:
        return "from the beginning of one NVTX range or mark of that name to that of the next";
    case Source::None:
        break;
    }
    if (m_wish.kind == FrameWish::Kind::Site)
        return "no call that may end a frame was made at " + quotedWords(m_wish.name)
            + ": \"frame_candidates\" of --json names the places of loops";
    if (m_wish.kind == FrameWish::Kind::Loop)
        return "there is no loop of number " + std::to_string(m_wish.rank + 1)
            + ": \"frame_candidates\" of --json lists those that were found";
    if (m_wish.kind == FrameWish::Kind::Stream)
        return "no frame of an EGLStream was given back or presented, and no NvBuf buffer was made ready for another "
               "engine";
    if (m_wish.kind != FrameWish::Kind::Nvtx)
        return "no swap, no marked frame, no hand-over, no call that was asked for and none that repeats regularly"
            + rangesText();
    const std::string missing = "there is no NVTX range or mark " + quotedWords(m_wish.name);
    if (m_otherNames.empty())
        return missing + ", nor any other: the program uses no NVTX of version 3, or another tool takes its ranges";
    return missing + "; there are" + otherNamesText();
}

} // namespace jetscope
