// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Frames that stay in the source's own buffers, through the whole pipeline: each buffer is registered once, shows the
// right bytes, is released when the device has read it, and its registration is destroyed when the source releases it.
#include "tests/support/pipelinefixture.h"

#include "gpu/gl/api.h"
#include "gpu/gl/context.h"
#include "gpu/gl/texture.h"
#include "tests/support/testprogram.h"

#include <deque>
#include <thread>

using namespace jetscope;

namespace {

/// Counts of the source and its external buffers; outlives both.
struct Ledger {
    std::atomic<int> imagesMade{0};
    std::atomic<int> buffersAlive{0};
    std::atomic<int> out{0}; ///< Frames held by the pipeline.
    std::atomic<int> mostOut{0};
    std::atomic<int> externalReads{0};
    std::atomic<int> byteReads{0};
};

/// A context with textures; current only while they are created, filled or destroyed, on the thread that does so.
struct Textures {
    struct One {
        std::unique_ptr<GlTexture> texture;
        std::unique_ptr<EglImage> image;
    };
    std::unique_ptr<EglContext> context;
    std::vector<One> all;

    ~Textures()
    {
        if (!context || !context->makeCurrent().ok())
            return;
        all.clear();
        context->doneCurrent();
    }

    Status make(const std::shared_ptr<EglDisplay> &display, std::size_t count, int width, int height)
    {
        auto made = EglContext::create(display);
        if (!made.ok())
            return made.error();
        context = std::move(made).value();
        JETSCOPE_TRY(context->makeCurrent());
        for (std::size_t i = 0; i < count; ++i) {
            auto texture = GlTexture::create(width, height);
            if (!texture.ok())
                return texture.error();
            auto image = EglImage::create(display, context->native(), texture.value()->id());
            if (!image.ok())
                return image.error();
            all.push_back({std::move(texture).value(), std::move(image).value()});
        }
        context->doneCurrent();
        return {};
    }

    Status fill(std::size_t index, const std::vector<std::byte> &bytes, std::size_t pitch)
    {
        JETSCOPE_TRY(context->makeCurrent());
        const Status filled = all[index].texture->upload(bytes.data(), pitch);
        glFinish();
        context->doneCurrent();
        return filled;
    }
};

/// A texture that contains a frame's bytes line by line.
class TextureExternalBuffer final : public ExternalBuffer {
public:
    TextureExternalBuffer(Ledger &ledger, std::shared_ptr<Textures> textures, std::size_t index)
        : m_ledger(ledger), m_textures(std::move(textures)), m_index(index)
    {
        ++m_ledger.buffersAlive;
    }
    ~TextureExternalBuffer() override { --m_ledger.buffersAlive; }

    Result<void *> eglImage(void *) override
    {
        ++m_ledger.imagesMade;
        return m_textures->all[m_index].image->native();
    }
    std::size_t index() const { return m_index; }

private:
    Ledger &m_ledger;
    const std::shared_ptr<Textures> m_textures;
    const std::size_t m_index;
};

/// Random pictures in the source's own textures, or copied into the reader's memory.
class ExternalBufferSource final : public FrameSource {
public:
    static constexpr std::size_t kBuffers = 9;

    ExternalBufferSource(Ledger &ledger, std::shared_ptr<EglDisplay> display, PixelFormat format, std::uint64_t frames)
        : m_ledger(ledger),
          m_display(std::move(display)),
          m_pictures(format, 132, 70, frames),
          m_info(m_pictures.info())
    {
    }

    const SourceInfo &info() const override { return m_info; }
    void cancel() override { m_pictures.cancel(); }
    Result<ExternalBufferView> externalBuffers() const override { return ExternalBufferView::Bytes; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        ++m_ledger.byteReads;
        return m_pictures.read(into);
    }

    Result<std::optional<ExternalFrame>> readExternal() override
    {
        ++m_ledger.externalReads;
        JETSCOPE_TRY(prepare());
        std::vector<std::byte> bytes(m_info.layout.bytes + m_info.layout.planes[0].pitch);
        const auto read = m_pictures.read(bytes.data());
        if (!read.ok())
            return read.error();
        if (!read.value())
            return std::optional<ExternalFrame>();
        // The first free buffer is the one that returned longest ago.
        auto free =
            std::find_if(m_buffers.begin(), m_buffers.end(), [](const auto &entry) { return entry.second.expired(); });
        if (free == m_buffers.end())
            return Error{"test", 0, "the pipeline holds all buffers"};
        JETSCOPE_TRY(m_textures->fill(free->first->index(), bytes, m_info.layout.planes[0].pitch));
        ExternalFrame frame;
        frame.captured = *read.value();
        frame.buffer = free->first;
        const int now = ++m_ledger.out;
        m_ledger.mostOut = std::max(m_ledger.mostOut.load(), now);
        frame.hold = std::shared_ptr<void>(free->first.get(), [ledger = &m_ledger](void *) { --ledger->out; });
        free->second = frame.hold;
        std::rotate(m_buffers.begin(), free + 1, m_buffers.end());
        return std::optional(std::move(frame));
    }

    testing::RandomSource &pictures() { return m_pictures; }

private:
    Status prepare()
    {
        if (m_textures)
            return {};
        m_textures = std::make_shared<Textures>();
        const auto pitch = m_info.layout.planes[0].pitch;
        JETSCOPE_TRY(m_textures->make(m_display, kBuffers, static_cast<int>(pitch / 4),
                                      static_cast<int>((m_info.layout.bytes + pitch - 1) / pitch)));
        for (std::size_t i = 0; i < kBuffers; ++i)
            m_buffers.emplace_back(std::make_shared<TextureExternalBuffer>(m_ledger, m_textures, i),
                                   std::weak_ptr<void>());
        return {};
    }

    Ledger &m_ledger;
    const std::shared_ptr<EglDisplay> m_display;
    testing::RandomSource m_pictures;
    const SourceInfo m_info;
    std::shared_ptr<Textures> m_textures;
    std::deque<std::pair<std::shared_ptr<TextureExternalBuffer>, std::weak_ptr<void>>> m_buffers;
};

} // namespace

class TestExternalBuffers : public QObject {
    Q_OBJECT

private slots:
    void init();
    void everyFrameIsReadWhereItLies_data();
    void everyFrameIsReadWhereItLies();
    void theMemoryKindMaySwitchMeanwhile_data();
    void theMemoryKindMaySwitchMeanwhile();
    void anotherSourceWithoutBuffersTakesAnotherKind();
    void whatCannotReadTheBuffersIsRefused();

private:
    PipelineSetup setupFor(std::unique_ptr<FrameSource> source, MemoryKind memory);
    std::unique_ptr<ExternalBufferSource> sourceOf(std::uint64_t frames, PixelFormat format = PixelFormat::Nv12)
    {
        return std::make_unique<ExternalBufferSource>(m_ledger, m_display, format, frames);
    }

    std::shared_ptr<EglDisplay> m_display;
    Ledger m_ledger;
};

void TestExternalBuffers::init()
{
    QString why;
    m_display = testing::displayOf("soft:orin", &why);
    if (!m_display)
        QSKIP(qPrintable(why));
    m_ledger.imagesMade = m_ledger.buffersAlive = m_ledger.out = m_ledger.mostOut = m_ledger.externalReads =
        m_ledger.byteReads = 0;
}

PipelineSetup TestExternalBuffers::setupFor(std::unique_ptr<FrameSource> source, MemoryKind memory)
{
    PipelineSetup setup;
    setup.display = m_display;
    setup.deviceId = "soft:orin";
    setup.source = std::move(source);
    setup.config.memory = memory;
    setup.config.framesInFlight = 3;
    setup.config.streams = 2;
    return setup;
}

void TestExternalBuffers::everyFrameIsReadWhereItLies_data()
{
    QTest::addColumn<PixelFormat>("format");
    QTest::addColumn<OutputKind>("output");
    QTest::addColumn<CpuStagePlacement>("cpuStage");
    QTest::newRow("NV12") << PixelFormat::Nv12 << OutputKind::EglImage << CpuStagePlacement::Off;
    QTest::newRow("YUYV") << PixelFormat::Yuyv << OutputKind::EglImage << CpuStagePlacement::Off;
    QTest::newRow("copied back") << PixelFormat::Yu12 << OutputKind::CopyBack << CpuStagePlacement::Off;
}

void TestExternalBuffers::everyFrameIsReadWhereItLies()
{
    QFETCH(PixelFormat, format);
    QFETCH(OutputKind, output);
    QFETCH(CpuStagePlacement, cpuStage);
    constexpr std::uint64_t kFrames = 40;
    const testing::RandomSource same(format, 132, 70, kFrames);
    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup = setupFor(sourceOf(kFrames, format), MemoryKind::NvBuf);
    setup.config.output = output;
    setup.config.cpuStage = cpuStage;
    setup.outputTap = log.tap();
    const std::vector<Filter> filters = setup.config.filters;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QVERIFY(pipeline.value()->status().facts.nvBuf.available);
    QVERIFY(QTest::qWaitFor([&] { return m_ledger.out == 0; })); // Before the pipeline ends.
    pipeline.value().reset();
    QCOMPARE(log.numbers().size(), std::size_t(kFrames));
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        QVERIFY2(log.pixels()[frame] == same.expected(frame, filters), qPrintable(QString("frame %1").arg(frame)));
    QCOMPARE(m_ledger.externalReads.load(), int(kFrames) + 1);
    QCOMPARE(m_ledger.byteReads.load(), 0);
    QVERIFY2(m_ledger.imagesMade <= int(ExternalBufferSource::kBuffers),
             qPrintable(QString::number(m_ledger.imagesMade.load())));
    QVERIFY(m_ledger.imagesMade > 1);
    QVERIFY(m_ledger.mostOut < int(ExternalBufferSource::kBuffers));
    QCOMPARE(m_ledger.out.load(), 0);
    QCOMPARE(m_ledger.buffersAlive.load(), 0);
    for (const FrameFigures &figures : update.figures)
        QCOMPARE(figures.bytesCopied,
                 output == OutputKind::CopyBack ? std::uint64_t(2 * 132 * 70 * 4) : std::uint64_t(0));
}

void TestExternalBuffers::theMemoryKindMaySwitchMeanwhile_data()
{
    QTest::addColumn<PixelFormat>("format");
    QTest::newRow("NV12") << PixelFormat::Nv12;
    QTest::newRow("YU12") << PixelFormat::Yu12; // Its planes do not fill the last line of a texture.
}

void TestExternalBuffers::theMemoryKindMaySwitchMeanwhile()
{
    QFETCH(PixelFormat, format);
    testing::OutputLog log;
    log.keepPixels();
    constexpr std::uint64_t kFrames = 120;
    PipelineSetup setup = setupFor(sourceOf(kFrames, format), MemoryKind::Pinned);
    setup.outputTap = log.tap();
    PipelineConfig config = setup.config;
    const MemoryKind kinds[] = {MemoryKind::NvBuf, MemoryKind::Unified, MemoryKind::NvBuf, MemoryKind::GlTexture,
                                MemoryKind::NvBuf};
    std::uint32_t at = 15;
    for (const MemoryKind kind : kinds) {
        config.memory = kind;
        setup.schedule.push_back({at, config});
        at += 15;
    }
    const std::vector<Filter> filters = config.filters;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    const PipelineStatus status = pipeline.value()->status();
    pipeline.value().reset();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Refused), QString());
    QVERIFY(m_ledger.externalReads > 20);
    QVERIFY(m_ledger.byteReads > 20);
    // A frame captured before a switch cannot change its kind and counts as dropped; all others arrive correctly and in
    // order.
    QCOMPARE(status.frames + status.droppedBySource, kFrames);
    const testing::RandomSource same(format, 132, 70, kFrames);
    std::uint64_t index = 0;
    for (const auto &[frame, pixels] : log.pixels()) {
        while (index < kFrames && pixels != same.expected(index, filters))
            ++index;
        QVERIFY2(index < kFrames, qPrintable(QString("frame %1 is none of the source's").arg(frame)));
        ++index;
    }
    QCOMPARE(m_ledger.out.load(), 0);
    QCOMPARE(m_ledger.buffersAlive.load(), 0);
}

void TestExternalBuffers::anotherSourceWithoutBuffersTakesAnotherKind()
{
    PipelineSetup setup = setupFor(sourceOf(1'000'000), MemoryKind::NvBuf);
    setup.openSource = [](const std::string &) -> Result<std::unique_ptr<FrameSource>> {
        return std::unique_ptr<FrameSource>(
            std::make_unique<testing::RandomSource>(PixelFormat::Yuyv, 64, 64, 1'000'000));
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QVERIFY(QTest::qWaitFor([&] { return pipeline.value()->status().frames > 5; }));
    pipeline.value()->changeSource("random:");
    QVERIFY(QTest::qWaitFor([&] { return pipeline.value()->status().source.layout.format == PixelFormat::Yuyv; }));
    PipelineStatus status = pipeline.value()->status();
    QVERIFY(status.config.memory != MemoryKind::NvBuf);
    QVERIFY(!status.facts.nvBuf.available);
    QVERIFY(testing::noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Switched)
                .contains("memory: nvbuf"));
    // The registrations of the former source's buffers are destroyed although the pipeline continues.
    QVERIFY(QTest::qWaitFor([&] { return m_ledger.buffersAlive == 0; }));
    const std::uint64_t frames = status.frames;
    QVERIFY(QTest::qWaitFor([&] { return pipeline.value()->status().frames > frames + 5; }));
}

void TestExternalBuffers::whatCannotReadTheBuffersIsRefused()
{
    PipelineSetup setup = setupFor(sourceOf(10), MemoryKind::NvBuf);
    setup.config.cpuStage = CpuStagePlacement::SameInput;
    const auto sameInput = Pipeline::create(std::move(setup));
    QVERIFY(!sameInput.ok());
    const char *why =
        cpuStageCapability().available ? "cannot read the camera's own buffer" : "this build has no CPU stage";
    QVERIFY2(sameInput.error().text.find(why) != std::string::npos, sameInput.error().text.c_str());
    const auto without = Pipeline::create(
        setupFor(std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 64, 64, 10), MemoryKind::NvBuf));
    QVERIFY(!without.ok());

    DeviceFacts jetson;
    jetson.eglImage = jetson.nvBuf = Capability::yes();
    QVERIFY(factsWith(jetson, ExternalBufferView::Picture).nvBuf.available);
    QVERIFY(factsWith(jetson, ExternalBufferView::Bytes).nvBuf.available);
    QCOMPARE(factsWith(jetson, Error{"", 0, "no buffers"}).nvBuf.reason, std::string("no buffers"));
    jetson.nvBuf = Capability::no("no NvBufSurface");
    // An image of its bytes is an ordinary texture.
    QVERIFY(factsWith(jetson, ExternalBufferView::Bytes).nvBuf.available);
    QCOMPARE(factsWith(jetson, ExternalBufferView::Picture).nvBuf.reason, std::string("no NvBufSurface"));
    QCOMPARE(factsWith(jetson, Error{"", 0, "no buffers"}).nvBuf.reason,
             std::string("no buffers")); // The device would accept bytes.
    jetson.eglImage = Capability::no("no EGLImage");
    QCOMPARE(factsWith(jetson, Error{"", 0, "no buffers"}).nvBuf.reason, std::string("no NvBufSurface"));
}

JETSCOPE_TEST(TestExternalBuffers)
#include "tst_externalbuffers.moc"
