// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/pipelinestate.h"

#include <atomic>
#include <condition_variable>
#include <gst/gst.h>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <thread>

namespace jetscope {

namespace {

constexpr std::chrono::seconds kPatience{2};

std::atomic<int> g_abandoned{0};

/// One change of state on a thread of its own.
class StateChange {
public:
    /// Takes a reference to the pipeline.
    static std::shared_ptr<StateChange> begin(GstElement *pipeline, GstState state)
    {
        auto change = std::make_shared<StateChange>();
        gst_object_ref(pipeline);
        const auto work = [change, pipeline, state] {
            const GstStateChangeReturn answer = gst_element_set_state(pipeline, state);
            // The last reference may be given back here; the elements were stopped then.
            gst_object_unref(pipeline);
            change->finish(answer);
        };
        try {
            std::thread(work).detach();
        } catch (const std::system_error &) {
            work();
        }
        return change;
    }

    bool waitFor(std::chrono::milliseconds patience)
    {
        std::unique_lock lock(m_mutex);
        return m_finished.wait_for(lock, patience, [this] { return m_done; });
    }
    bool failed()
    {
        const std::lock_guard lock(m_mutex);
        return m_answer == GST_STATE_CHANGE_FAILURE;
    }
    /// False if it finished in the meantime.
    bool abandon()
    {
        const std::lock_guard lock(m_mutex);
        m_abandoned = !m_done;
        g_abandoned += m_abandoned ? 1 : 0;
        return m_abandoned;
    }

private:
    void finish(GstStateChangeReturn answer)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_done = true;
            m_answer = answer;
            g_abandoned -= m_abandoned ? 1 : 0;
        }
        m_finished.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_finished;
    bool m_done = false;
    bool m_abandoned = false;
    GstStateChangeReturn m_answer = GST_STATE_CHANGE_FAILURE;
};

int portOf(const sockaddr_storage &address)
{
    if (address.ss_family == AF_INET)
        return ntohs(reinterpret_cast<const sockaddr_in &>(address).sin_port);
    if (address.ss_family == AF_INET6)
        return ntohs(reinterpret_cast<const sockaddr_in6 &>(address).sin6_port);
    return 0;
}

/// Elements do not tell which sockets are theirs. If another stream of the same server loses its connection, too, it is
/// opened again.
void cutConnections(int port)
{
    GDir *files = g_dir_open("/proc/self/fd", 0, nullptr);
    while (const char *name = files ? g_dir_read_name(files) : nullptr) {
        const int file = static_cast<int>(g_ascii_strtoll(name, nullptr, 10));
        sockaddr_storage peer{};
        socklen_t size = sizeof peer;
        if (getpeername(file, reinterpret_cast<sockaddr *>(&peer), &size) == 0 && portOf(peer) == port)
            shutdown(file, SHUT_RDWR);
    }
    if (files)
        g_dir_close(files);
}

} // namespace

Status startPipeline(GstElement *pipeline, std::chrono::milliseconds patience)
{
    if (abandonedPipelines() >= kMaxAbandonedPipelines)
        return Error{"GStreamer", 0,
                     std::to_string(abandonedPipelines())
                         + " earlier pipelines do not end, so no more are started: start Jetscope again"};
    const std::shared_ptr<StateChange> change = StateChange::begin(pipeline, GST_STATE_PLAYING);
    if (!change->waitFor(patience))
        return Error{"GStreamer", 0, "the pipeline does not start: an element of it waits for what it opens"};
    return change->failed() ? Status(Error{"GStreamer", 0, "the pipeline does not start"}) : Status();
}

void closePipeline(GstElement *pipeline, int port)
{
    const std::shared_ptr<StateChange> change = StateChange::begin(pipeline, GST_STATE_NULL);
    gst_object_unref(pipeline);
    if (change->waitFor(kPatience))
        return;
    if (port > 0)
        cutConnections(port);
    if (port > 0 && change->waitFor(kPatience))
        return;
    change->abandon();
}

int abandonedPipelines()
{
    return g_abandoned;
}

} // namespace jetscope
