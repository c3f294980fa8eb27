// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Graph: the device work of a frame is captured once for each set of buffers that it uses, and launched as a whole
// whenever these come again. A graph holds addresses, so frames share one only if all of theirs are the same.
#include "core/recording/tracer.h"
#include "gpu/sync/framesync.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>

namespace jetscope {

namespace {

/// Buffers go round in queues of a few, so that this many sets come again; of more, those are updated that were not
/// used for the longest time.
constexpr std::size_t kMostGraphs = 96;

class GraphSync final : public FrameSync {
public:
    explicit GraphSync(SyncContext context) : FrameSync(std::move(context)) {}

    Status glToDevice(const GlFence &glUse, Stream &, std::uint32_t frame) override { return clientWait(glUse, frame); }

    bool repeatsWork() const override { return true; }

    Status enqueue(const FrameWork &work, const WorkKey &key, const std::function<Status()> &enqueueWork) override
    {
        const auto known =
            std::find_if(m_graphs.begin(), m_graphs.end(), [&](const Captured &one) { return one.key == key; });
        if (known != m_graphs.end()) {
            m_graphs.splice(m_graphs.begin(), m_graphs, known);
            return launchNewest(work);
        }
        if (std::find(m_loaded.begin(), m_loaded.end(), loadedBy(key)) == m_loaded.end()) {
            // The first launch of a kernel loads it, and gives the stream its scratch memory: neither can be captured.
            m_loaded.push_back(loadedBy(key));
            return enqueueWork();
        }
        JETSCOPE_TRY(capture(work, key, enqueueWork));
        return launchNewest(work);
    }

    Result<bool> ready(const FrameWork &work) override { return m_context.device.query(*work.done); }
    Status deviceToGl(FrameWork &work) override { return synchronizeEvent(work); }
    Status deviceToCpu(const FrameWork &work) override { return synchronizeEvent(work); }

private:
    struct Captured {
        WorkKey key;
        std::unique_ptr<Graph> graph;
    };

    /// The part of the key on which kernels and scratch memory depend.
    static WorkKey loadedBy(const WorkKey &key)
    {
        WorkKey part;
        part.stream = key.stream;
        part.filters = key.filters;
        return part;
    }

    Status capture(const FrameWork &work, const WorkKey &key, const std::function<Status()> &enqueueWork)
    {
        static const NameId kCapture = internName("cudaStreamBeginCapture", Category::Submit);
        const SpanScope span(kCapture, work.frame);
        std::unique_ptr<Graph> former;
        if (m_graphs.size() >= kMostGraphs) {
            former = std::move(m_graphs.back().graph); // Of a frame that was done long ago.
            m_graphs.pop_back();
        }
        JETSCOPE_TRY(m_context.device.beginCapture(*work.stream));
        const Status enqueued = enqueueWork();
        Result<std::unique_ptr<Graph>> graph = m_context.device.endCapture(*work.stream, std::move(former));
        JETSCOPE_TRY(enqueued);
        if (!graph.ok())
            return graph.error();
        m_graphs.push_front({key, std::move(graph).value()});
        return {};
    }

    Status launchNewest(const FrameWork &work)
    {
        static const NameId kLaunch = internName("cudaGraphLaunch", Category::Submit);
        const SpanScope span(kLaunch, work.frame);
        return m_context.device.launchGraph(*m_graphs.front().graph, *work.stream);
    }

    std::list<Captured> m_graphs; ///< The one that was used last in front.
    std::vector<WorkKey> m_loaded;
};

} // namespace

std::unique_ptr<FrameSync> newGraphSync(SyncContext context)
{
    return std::make_unique<GraphSync>(std::move(context));
}

} // namespace jetscope
