// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "gpu/sources/severaladdress.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourcewatch.h"

#include <mutex>
#include <utility>

namespace jetscope {

namespace {

/// Sources that are read at once, each on a thread of its own, as long as one of them is used.
class CameraBench {
public:
    CameraBench(std::vector<std::unique_ptr<FrameSource>> sources, std::vector<std::string> addresses)
        : m_addresses(std::move(addresses))
    {
        for (std::unique_ptr<FrameSource> &source : sources)
            m_cameras.push_back(std::make_unique<SourceWatch>(std::move(source),
                                                              "Camera " + std::to_string(m_cameras.size() + 1),
                                                              std::nullopt, SourceWatch::Beside::Pipeline));
    }
    /// All are told before the first is waited for.
    ~CameraBench()
    {
        for (const auto &camera : m_cameras)
            camera->cancel();
    }

    /// All begin at the same time, with what records them; later calls change nothing.
    void start(Tracer &tracer)
    {
        std::call_once(m_started, [&] {
            for (const auto &camera : m_cameras)
                camera->start(tracer);
        });
    }

    const std::vector<std::string> &addresses() const { return m_addresses; }
    SourceWatch &camera(std::size_t i) const { return *m_cameras[i]; }
    /// For readers without a trace.
    Tracer &noTrace() { return m_noTrace; }
    std::vector<OpenCamera> state(std::size_t drives) const
    {
        std::vector<OpenCamera> cameras;
        for (std::size_t i = 0; i < m_cameras.size(); ++i)
            cameras.push_back(
                {m_cameras[i]->log(), m_cameras[i]->info().description, m_cameras[i]->trouble(), i == drives});
        return cameras;
    }

private:
    Tracer m_noTrace{Tracer::Recording::Off};
    const std::vector<std::string> m_addresses;
    std::vector<std::unique_ptr<SourceWatch>> m_cameras;
    std::once_flag m_started;
};

/// One of several cameras, for the pipeline that it drives. Its frames come from the thread that reads it.
class DrivingCamera final : public FrameSource {
public:
    DrivingCamera(std::shared_ptr<CameraBench> bench, std::size_t number)
        : m_bench(std::move(bench)),
          m_number(number),
          m_info(infoOf()),
          m_tap(std::make_shared<FrameTap>(camera().info()))
    {
        camera().setTap(m_tap);
    }
    ~DrivingCamera() override
    {
        m_tap->cancel();
        camera().removeTap(m_tap.get());
    }

    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        m_bench->start(m_bench->noTrace());
        return m_tap->read(into);
    }
    void cancel() override { m_tap->cancel(); }
    void recordTo(Tracer &tracer) override { m_bench->start(tracer); }
    SourceState state() const override
    {
        SourceState state = camera().state();
        state.copies.emplace_back("from the camera's thread to the input buffer");
        state.trouble = camera().trouble();
        return state;
    }
    std::vector<OpenCamera> cameras() const override { return m_bench->state(m_number); }
    std::unique_ptr<FrameSource> openBeside(std::string_view uri) override
    {
        const std::optional<SeveralAddress> other = severalIn(uri);
        if (!other || other->sources != m_bench->addresses())
            return nullptr;
        return std::make_unique<DrivingCamera>(m_bench, other->drives);
    }

private:
    SourceWatch &camera() const { return m_bench->camera(m_number); }
    /// Its own thread keeps its rate.
    SourceInfo infoOf() const
    {
        SourceInfo info = camera().info();
        info.uri = SeveralAddress{m_bench->addresses(), m_number}.text();
        info.description = "Camera " + std::to_string(m_number + 1) + " of "
            + std::to_string(m_bench->addresses().size()) + " · " + info.description;
        info.pacedFps = 0;
        info.throughStream = false;
        return info;
    }

    const std::shared_ptr<CameraBench> m_bench;
    const std::size_t m_number;
    const SourceInfo m_info;
    const std::shared_ptr<FrameTap> m_tap;
};

} // namespace

Status checkSeveral(const SourceUri &uri)
{
    JETSCOPE_TRY_ASSIGN(const SeveralAddress address, parseSeveral(uri));
    for (const std::string &each : address.sources)
        JETSCOPE_TRY(checkSourceUri(each));
    return {};
}

Result<std::unique_ptr<FrameSource>> openSeveral(const SourceUri &uri, Pacing)
{
    JETSCOPE_TRY_ASSIGN(SeveralAddress address, parseSeveral(uri));
    std::vector<std::unique_ptr<FrameSource>> sources;
    for (const std::string &each : address.sources) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<FrameSource> source, openSource(each, Pacing::Real));
        sources.push_back(std::move(source));
    }
    auto bench = std::make_shared<CameraBench>(std::move(sources), std::move(address.sources));
    return std::unique_ptr<FrameSource>(std::make_unique<DrivingCamera>(std::move(bench), address.drives));
}

} // namespace jetscope
