// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remotehost.h"

#include "core/stream/latespansource.h"
#include "gpu/attach/host/inspection.h"
#include "gpu/pipeline/livepipeline.h"
#include "gpu/remote/boardlink.h"
#include "gpu/remote/capturefetch.h"
#include "gpu/remote/remotemachine.h"

#include <utility>

namespace jetscope {

namespace {

Ask asking(Ask::Question question)
{
    Ask ask;
    ask.question = question;
    return ask;
}

/// The pipeline of a board.
class RemoteControl final : public PipelineControl, public Inspection, private LateSpanSource {
public:
    RemoteControl(std::shared_ptr<BoardLink> board, std::shared_ptr<RemotePipeline> pipeline)
        : m_board(std::move(board)), m_pipeline(std::move(pipeline))
    {
    }
    ~RemoteControl() override
    {
        // Only who gives orders ends it. If the connection is cut it goes on, until the board is alone for too long.
        if (m_pipeline->isLost() || !m_board->joined().givesOrders)
            return;
        Ask close = asking(Ask::Question::Close);
        close.pipeline = m_pipeline->number();
        static_cast<void>(m_board->ask(std::move(close)).ok());
    }

    void post(PipelineCommand command) override
    {
        if (!m_pipeline->isLost())
            m_board->order(m_pipeline->number(), std::move(command));
    }
    PipelineUpdate drainUpdates() override { return m_collector.take(); }
    void collectAlone() override { m_collector.start(); }
    void setSink(std::shared_ptr<TraceSink> sink) override { m_collector.setSink(std::move(sink)); }
    PipelineStatus status() const override { return m_pipeline->status(); }
    void waitForEnd() override { m_pipeline->waitForEnd(); }
    FramePort *framePort() override { return nullptr; }
    std::shared_ptr<RemotePictures> pictures() override { return m_board->pictures(); }
    LateSpanSource *missing() override { return this; }
    Inspection *inspection() override { return m_pipeline->status().inspected ? this : nullptr; }

    InspectionState state() const override
    {
        InspectionState asked; // Until the board tells more.
        asked.command = m_pipeline->status().source.description;
        return m_pipeline->program().value_or(std::move(asked));
    }
    void endProgram() override { m_board->endProgram(m_pipeline->number()); }

private:
    Intervals missingTimes() const override { return m_pipeline->missingTimes(); }
    void wantMissing(Interval seen, double nsPerPixel) override { m_board->wantMissing(*m_pipeline, seen, nsPerPixel); }
    std::vector<Span> takeMissing() override { return m_pipeline->takeLate(); }
    std::vector<CoarseSpans> takeCoarse() override { return m_pipeline->takeCoarse(); }
    void forgetCoarse() override { m_pipeline->forgetCoarse(); }

    const std::shared_ptr<BoardLink> m_board;
    const std::shared_ptr<RemotePipeline> m_pipeline;
    UpdateCollector m_collector{[this] { return m_pipeline->drain(); }};
};

class BoardHost final : public RemoteHost {
public:
    explicit BoardHost(std::shared_ptr<BoardLink> board) : m_board(std::move(board)) {}

    /// What is asked for on the UI thread is asked once.
    Status prepare()
    {
        JETSCOPE_TRY_ASSIGN(Answer answer, m_board->ask(asking(Ask::Question::Devices)));
        m_devices = std::move(answer.devices);
        m_running = m_board->joined().pipeline;
        m_runningRequest = m_board->joined().request;
        return {};
    }

    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        Ask ask = asking(Ask::Question::Open);
        ask.request = request;
        JETSCOPE_TRY_ASSIGN(const Answer answer, m_board->ask(std::move(ask)));
        return controlOf(answer.pipeline);
    }
    std::unique_ptr<PipelineControl> takeRunning() override
    {
        const std::uint32_t number = std::exchange(m_running, 0);
        if (number == 0)
            return nullptr;
        auto control = controlOf(number);
        return control.ok() ? std::move(control).value() : nullptr;
    }
    SessionRequest runningRequest() const override { return m_runningRequest; }
    std::vector<DeviceCandidate> devices() override { return m_devices; }
    std::vector<CameraInfo> cameras() override
    {
        auto answer = m_board->ask(asking(Ask::Question::Cameras));
        return answer.ok() ? std::move(answer.value().cameras) : std::vector<CameraInfo>();
    }
    PlatformFacts platform() override
    {
        auto answer = m_board->ask(asking(Ask::Question::Platform));
        return answer.ok() && answer.value().platform ? std::move(*answer.value().platform) : PlatformFacts();
    }
    std::unique_ptr<MachineReader> machine() override { return remoteMachine(m_board); }
    RemoteState state() const override { return m_board->state(); }
    Status startRecording(const std::string &board) override
    {
        Ask ask = asking(Ask::Question::Record);
        ask.pipeline = m_board->joined().pipeline;
        if (const std::uint32_t newest = m_board->newestPipeline(); newest > 0)
            ask.pipeline = newest;
        ask.name = board;
        JETSCOPE_TRY(m_board->ask(std::move(ask)));
        return {};
    }
    Status stopRecording() override
    {
        JETSCOPE_TRY(m_board->ask(asking(Ask::Question::StopRecording)));
        return {};
    }
    Result<CaptureList> captures() override
    {
        JETSCOPE_TRY_ASSIGN(Answer answer, m_board->ask(asking(Ask::Question::Captures)));
        return std::move(answer.captures);
    }
    Status removeCapture(const std::string &name) override
    {
        Ask ask = asking(Ask::Question::RemoveCapture);
        ask.name = name;
        JETSCOPE_TRY(m_board->ask(std::move(ask)));
        return {};
    }
    Status fetchCapture(const std::string &name, const std::string &path, const FetchWatch &watch) override
    {
        return CaptureFetch(*m_board, name, path, watch).run();
    }
    Status takeOver() override
    {
        JETSCOPE_TRY(m_board->ask(asking(Ask::Question::TakeOver)));
        return {};
    }
    std::shared_ptr<RemoteView> openView(const std::string &board, const std::string &path,
                                         std::function<void()> onNews) override
    {
        return m_board->views().open(board, path, std::move(onNews));
    }

private:
    Result<std::unique_ptr<PipelineControl>> controlOf(std::uint32_t number)
    {
        std::shared_ptr<RemotePipeline> pipeline = m_board->pipeline(number);
        m_board->pictures()->follow(number);
        if (!pipeline->waitForState())
            return Error{"", 0, "The board does not say how its pipeline is"};
        return std::unique_ptr<PipelineControl>(std::make_unique<RemoteControl>(m_board, std::move(pipeline)));
    }

    const std::shared_ptr<BoardLink> m_board;
    std::vector<DeviceCandidate> m_devices;
    std::uint32_t m_running = 0;
    SessionRequest m_runningRequest;
};

} // namespace

Result<std::shared_ptr<RemoteHost>> RemoteHost::connect(Dialer dial, RemoteWish wish)
{
    auto board = std::make_shared<BoardLink>(std::move(dial), wish);
    JETSCOPE_TRY(board->connect());
    auto host = std::make_shared<BoardHost>(std::move(board));
    JETSCOPE_TRY(host->prepare());
    return std::shared_ptr<RemoteHost>(std::move(host));
}

} // namespace jetscope
