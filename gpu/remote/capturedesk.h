// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/capturerecorder.h"
#include "gpu/remote/errands.h"
#include "gpu/remote/link.h"
#include "gpu/remote/messages.h"
#include "gpu/remote/pipelinehost.h"
#include "gpu/remote/updatelog.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace jetscope {

/// The board's captures for laptops: records its pipeline, lists, sends and removes what lies in a folder. What waits
/// for the disk is done on threads of low priority. On the thread of the server alone, but `isOn`.
class CaptureDesk {
public:
    /// `post` runs something on the thread of the server, later. It may be called on any thread.
    CaptureDesk(CaptureFolder folder, std::function<void(std::function<void()>)> post);
    /// Ends the recording, and waits for its file.
    ~CaptureDesk();
    CaptureDesk(const CaptureDesk &) = delete;
    CaptureDesk &operator=(const CaptureDesk &) = delete;

    /// What can be recorded from now on, until `closed`. `log` has all its updates.
    void opened(const PipelineControl &pipeline, const SessionRequest &request, const UpdateLog &log);
    /// The pipeline is gone, and its recording over.
    void closed();
    /// It has ended, and so its recording.
    void ended() { endRecording(); }
    /// The next update of the pipeline, before the log has it.
    void take(const PipelineUpdate &update) { m_recorder.take(update); }
    /// Whether something is recorded. Any thread.
    bool isOn() const { return m_recorder.isOn(); }

    /// A question about captures, answered over the link. False: it is about something else.
    bool ask(std::uint32_t client, Link &link, const Ask &ask);
    /// A message about captures. False: it is none, or cannot be.
    bool handle(std::uint32_t client, Link &link, const Message &message);
    /// Says how the recording is, if it has changed.
    void tell(std::uint32_t client, Link &link);
    void left(std::uint32_t client) { m_laptops.erase(client); }
    /// Ends what waits for the disk, but no recording.
    void stop();

private:
    struct Laptop {
        Link *link = nullptr;
        std::uint32_t reads = 0; ///< The file that it wants, by its id; 0: none.
        RecordingState said;
        std::optional<ClockMeeting> clock;
    };
    struct Subject {
        const PipelineControl *pipeline = nullptr;
        SessionRequest request;
        const UpdateLog *log = nullptr;
    };

    Laptop &laptop(std::uint32_t client, Link &link);
    /// On the thread of the server, if the laptop is there still.
    void postTo(std::uint32_t client, std::function<void(Laptop &)> act);
    void reply(std::uint32_t client, Answer answer);
    void record(std::uint32_t client, const Ask &ask);
    void begin(std::uint32_t pipeline);
    void endRecording();
    void stopRecording(std::uint32_t client, std::uint32_t askId);
    void list(std::uint32_t client, std::uint32_t askId);
    void remove(std::uint32_t client, const Ask &ask);
    void read(std::uint32_t client, const ReadFile &wish);
    void send(std::uint32_t client, Link &link, const ReadFile &wish, FileDescriptor file, const BoardCapture &capture);
    void endFile(std::uint32_t client, FileEnd end);
    void takeClock(Laptop &from, const ClockSaid &said);

    const std::function<void(std::function<void()>)> m_post;
    std::map<std::uint32_t, Laptop> m_laptops;
    std::optional<Subject> m_subject;
    CaptureFolder m_folder; ///< The disk's threads', as all below.
    CaptureRecorder m_recorder;
    std::atomic<bool> m_stopsSums{false};
    Errands m_disk{Errands::Priority::Asked}; ///< Lists, opens and finishes captures.
    Errands m_sums{Errands::Priority::Background};
};

} // namespace jetscope
