// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/tracefile/savetrace.h"
#include "gpu/remote/remotehost.h"
#include "tests/core/sampletrace.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace jetscope::testing {

/// The captures of a board that is made up. Any thread.
class FakeCaptures final : public CaptureStore {
public:
    Status startRecording(const std::string &board) override
    {
        const std::lock_guard lock(m_mutex);
        if (!m_refusal.empty())
            return sentence(m_refusal);
        recordedAs = board;
        m_state.recording = {
            m_state.recording.number + 1, true, "now.jscope", 214'000'000, 134'000'000'000, 0, 31'000'000'000, "", ""};
        m_list.captures.insert(m_list.captures.begin(), {"now.jscope", 1000, 0, 0, true, "1", ""});
        return {};
    }
    Status stopRecording() override
    {
        const std::lock_guard lock(m_mutex);
        if (!m_refusal.empty())
            return sentence(m_refusal);
        m_state.recording.isOn = false;
        m_list.captures.front().grows = false;
        return {};
    }
    Result<CaptureList> captures() override
    {
        const std::lock_guard lock(m_mutex);
        return m_list;
    }
    Status removeCapture(const std::string &name) override
    {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_list.captures, [&](const BoardCapture &each) { return each.name == name; });
        return {};
    }
    Status fetchCapture(const std::string &name, const std::string &path, const FetchWatch &watch) override
    {
        fetchedName = name;
        for (int i = 0; i < 100 || holds; i = std::min(i + 1, 99)) {
            const auto bytes = static_cast<std::uint64_t>(i) * 400'000;
            if (!watch({FetchProgress::Step::Coming,
                        bytes,
                        40'000'000,
                        3.1e6,
                        {},
                        i == 0 ? "goes on behind the 1 MB that are here already" : ""}))
                return cancelledError();
            if (i >= 99 && !holds)
                break;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (!fetchFails.empty())
            return sentence(fetchFails);
        NoProgress nobody;
        return saveTrace(test::sampleTrace(), path, nobody);
    }

    RemoteState state()
    {
        const std::lock_guard lock(m_mutex);
        return m_state;
    }
    void change(const std::function<void(RemoteState &, CaptureList &)> &change)
    {
        const std::lock_guard lock(m_mutex);
        change(m_state, m_list);
    }
    void refuse(const std::string &why)
    {
        const std::lock_guard lock(m_mutex);
        m_refusal = why;
    }

    std::string recordedAs; ///< What the board was called.
    std::string fetchedName;
    std::string fetchFails;
    std::atomic<bool> holds{false}; ///< A fetch does not end.

private:
    std::mutex m_mutex;
    RemoteState m_state = [] {
        RemoteState state;
        state.isConnected = state.givesOrders = true;
        return state;
    }();
    CaptureList m_list{
        "/home/me/.local/share/jetscope/captures",
        31'000'000'000,
        {{"2026-11-27_19-31-05_csi-0.jscope", 214'000'000, 134'000'000'000, 1'764'271'999'000'000'000, false, "2", ""},
         {"2026-11-26_08-00-00_synthetic.jscope", 3'400'000, 12'000'000'000, 1'764'144'012'000'000'000, false, "3",
          ""}}};
    std::string m_refusal;
};

} // namespace jetscope::testing
