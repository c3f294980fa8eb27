// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"

#include "gpu/pipeline/pipelinechannel.h"

#include <algorithm>

namespace jetscope {

namespace {

class NamedSource : public FrameSource {
public:
    explicit NamedSource(std::string uri)
    {
        m_info.uri = std::move(uri);
        m_info.description = m_info.uri;
        m_info.layout = makeImageLayout(PixelFormat::Grey8, 64, 48);
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *) override { return std::optional<CapturedFrame>(); }
    void cancel() override {}

private:
    SourceInfo m_info;
};

constexpr std::int64_t kPeriodNs = 16'666'667;
constexpr std::int64_t kOriginNs = 1'000'000'000;

struct ScriptedSpan {
    LaneId lane;
    const char *name;
    Category category;
    std::int64_t startUs;
    std::int64_t durationUs;
};

/// One frame of the scripted trace.
constexpr ScriptedSpan kFrame[] = {
    {0, "dequeue", Category::Capture, 0, 3100},     {1, "upload", Category::Upload, 3100, 900},
    {1, "submit", Category::Submit, 4000, 1100},    {1, "eglWaitSync", Category::WaitSync, 5100, 250},
    {2, "Canny", Category::CpuStage, 4000, 8200},   {3, "gaussian", Category::Kernel, 5000, 2100},
    {3, "sobel", Category::Kernel, 7100, 2900},     {3, "threshold", Category::Kernel, 10000, 1000},
    {4, "draw", Category::Draw, 11200, 1400},       {5, "wait", Category::WaitSync, 11000, 300},
    {5, "present", Category::Present, 11300, 1700},
};

std::vector<LaneInfo> scriptedLanes()
{
    return {{0, LaneRole::Capture, "Capture", "thread · V4L2"},
            {1, LaneRole::Pipeline, "Pipeline", "thread"},
            {2, LaneRole::CpuStage, "CPU stage", "thread · OpenCV"},
            {3, LaneRole::DeviceStream, "CUDA stream 0", "GPU · events"},
            {4, LaneRole::GlQueue, "GL queue", "GPU · timer query"},
            {5, LaneRole::View, "Display", "thread · present"}};
}

FrameFigures scriptedFigures(std::uint32_t frame)
{
    FrameFigures figures;
    figures.frame = frame;
    figures.startNs = kOriginNs + frame * kPeriodNs;
    figures.overlap = {kPeriodNs, 9'100'000, 7'400'000, 5'476'000, kPeriodNs - 11'024'000};
    figures.waitSyncNs = 250'000;
    figures.frameNs = 9'800'000;
    figures.latencyNs = 9'800'000 + (frame % 10 == 0 ? 2'600'000 : 0);
    return figures;
}

} // namespace

DeviceFacts orinFacts()
{
    DeviceFacts facts;
    facts.id = "soft:orin";
    facts.name = "software iGPU (orin rules) on a test CPU";
    facts.software = true;
    facts.integrated = true;
    facts.computeMajor = 8;
    facts.computeMinor = 7;
    for (Capability *capability :
         {&facts.mapHostMemory, &facts.managedMemory, &facts.hostRegister, &facts.eglImage, &facts.eglSync,
          &facts.hostRegisterIo, &facts.memoryPools, &facts.streamFlags, &facts.graphs})
        *capability = Capability::yes();
    facts.systemMemory = Capability::no("pageableMemoryAccess is 0");
    facts.prefetch = Capability::no("concurrentManagedAccess is 0");
    facts.dmabuf = Capability::no("the software iGPU's memory has no DMA-BUFs");
    facts.glInterop = Capability::no("the software iGPU has no GL interop");
    facts.eglStream = Capability::no("the software iGPU has no EGLStream");
    facts.nvBuf = Capability::no("only a Jetson's cameras deliver NvBufSurface");
    return facts;
}

std::unique_ptr<FrameSource> namedSource(const std::string &uri)
{
    return std::make_unique<NamedSource>(uri);
}

FakePipeline::FakePipeline()
{
    state.state = PipelineState::Running;
    state.facts = orinFacts();
    state.source.uri = "synthetic:?size=1280x720&fps=60";
    state.source.description = "Synthetic test card · 1280×720 NV12 · 60 fps";
    state.source.layout = makeImageLayout(PixelFormat::Nv12, 1280, 720);
    state.waitInForce = WaitPolicy::Block;
    state.gpuTime = GpuTime::Events; // Matches the lanes.
}

FakePipeline::~FakePipeline()
{
    if (destroyed)
        ++*destroyed;
}

void FakePipeline::post(PipelineCommand command)
{
    switch (command.kind) {
    case PipelineCommand::Kind::ChangeDevice:
        deviceChanges.push_back(std::move(command.address));
        [[fallthrough]];
    case PipelineCommand::Kind::ChangeConfig:
        changes.push_back(std::move(command.config));
        break;
    case PipelineCommand::Kind::ChangeSource:
        if (!failSourceWith.empty()) {
            refuse(failSourceWith);
            break;
        }
        state.source.uri = command.address;
        sourceChanges.push_back(std::move(command.address));
        break;
    case PipelineCommand::Kind::SetPaused:
        state.state = command.on ? PipelineState::Paused : PipelineState::Running;
        break;
    case PipelineCommand::Kind::Step:
        ++steps;
        break;
    }
}

PipelineUpdate FakePipeline::drainUpdates()
{
    PipelineUpdate out = std::exchange(update, {});
    appendNewNames(out, m_names);
    appendChangedFacts(out, factsOf(state), m_facts);
    for (const PipelineNotice &notice : out.notices)
        if (std::optional<TraceMark> mark = markOf(notice))
            out.marks.push_back(std::move(*mark));
    m_head.add(out);
    m_follower.setLanes(m_head.lanes());
    m_follower.add(out.spans);
    m_follower.add(out.figures);
    m_follower.take(out.path, out.pathGains, true);
    if (m_sink)
        m_sink->take(out);
    return out;
}

void FakePipeline::setSink(std::shared_ptr<TraceSink> sink)
{
    m_sink = std::move(sink);
    if (m_sink)
        m_sink->take(m_head.asUpdate());
}

std::shared_ptr<const InputPicture> FakePipeline::inputPicture(std::uint32_t frame)
{
    const auto found = m_inputs.find(frame);
    return found == m_inputs.end() ? nullptr : found->second;
}

void FakePipeline::accept()
{
    const std::string text = describeChange(state.config, changes.back());
    state.config = changes.back();
    notice(PipelineNotice::Kind::Switched, text);
}

void FakePipeline::refuse(const std::string &why)
{
    notice(PipelineNotice::Kind::Refused, why);
}

void FakePipeline::notice(PipelineNotice::Kind kind, const std::string &text, std::uint32_t frame, std::int64_t timeNs)
{
    PipelineNotice out;
    out.kind = kind;
    out.text = text;
    out.frame = frame;
    out.timeNs = timeNs;
    if (kind == PipelineNotice::Kind::Switched)
        out.counts = {state.droppedBySource, state.emulationBytes, {}, frame != 0 ? frame : state.frames,
                      state.droppedByView,   ++state.switches};
    update.notices.push_back(out);
}

void FakePipeline::numberFrom(FrameNumber number)
{
    numbers.add(number);
    update.numbers.push_back(number);
}

void FakePipeline::addInput(std::uint32_t frame, int width, int height, std::uint8_t grey)
{
    InputPicture picture;
    picture.frame = frame;
    picture.layout = makeImageLayout(PixelFormat::Grey8, width, height);
    picture.bytes.assign(picture.layout.bytes, static_cast<std::byte>(grey));
    addInput(std::move(picture));
}

void FakePipeline::addInput(InputPicture picture)
{
    const std::uint32_t frame = picture.frame;
    m_inputs[frame] = std::make_shared<const InputPicture>(std::move(picture));
}

void scriptFrames(FakePipeline &pipeline, std::uint32_t first, std::uint32_t frames)
{
    if (pipeline.head().lanes().empty())
        pipeline.update.lanes = scriptedLanes();
    for (std::uint32_t frame = first; frame < first + frames; ++frame) {
        for (const ScriptedSpan &scripted : kFrame) {
            Span span;
            span.startNs = kOriginNs + frame * kPeriodNs + scripted.startUs * 1000;
            span.durationNs = scripted.durationUs * 1000;
            span.frame = frame;
            span.name = internName(scripted.name, scripted.category);
            span.lane = scripted.lane;
            pipeline.update.spans.push_back(span);
        }
        pipeline.update.figures.push_back(scriptedFigures(frame));
    }
    pipeline.state.frames = first + frames;
}

} // namespace jetscope
