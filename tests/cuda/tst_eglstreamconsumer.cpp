// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// CUDA as the consumer of an EGLStream, on every CUDA device whose driver supports it: frames pass from CUDA to CUDA,
// and in the pipeline through two streams, CUDA -> CUDA -> GL, without losses.
#include "gpu/paths/streaminput.h"
#include "tests/cuda/cudatests.h"
#include "tests/support/pipelinefixture.h"

#include "gpu/base/livecount.h"

using namespace jetscope;

class TestEglStreamConsumer : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void initTestCase_data();
    void init();
    void cleanup();
    void everyFrameIsReadAsItWasPresented_data();
    void everyFrameIsReadAsItWasPresented();
    void aStreamWithoutFramesTimesOut();
    void theLastFrameComesOnceMore();
    void framesNobodyAskedForAreGivenBack();
    void twoStreamsInARowCarryTheReferencesBytes_data();
    void twoStreamsInARowCarryTheReferencesBytes();

private:
    static constexpr int kWidth = 130;
    static constexpr int kHeight = 37;
    static constexpr std::size_t kFrames = 4;

    void open(FrameMemory memory);
    Status present(Image &frame, std::size_t number);
    /// The data that the consumer reads from an acquired frame.
    Result<std::vector<std::byte>> read(const FrameConsumer::Acquired &acquired);
    Status convert(ChainLaunch launch);

    std::shared_ptr<EglDisplay> m_display;
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<Buffer> m_input;
    std::unique_ptr<Buffer> m_output;
    std::unique_ptr<StreamInput> m_consumer;
    std::vector<std::unique_ptr<Image>> m_frames;
    std::unique_ptr<FrameProducer> m_producer;
    std::size_t m_handlesBefore = 0;
};

namespace {

/// Random pictures that pass through an EGLStream.
class StreamedSource final : public FrameSource {
public:
    StreamedSource(PixelFormat format, int width, int height, std::uint64_t frames)
        : m_pictures(format, width, height, frames), m_info(m_pictures.info())
    {
        m_info.throughStream = true;
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override { return m_pictures.read(into); }
    void cancel() override { m_pictures.cancel(); }

private:
    testing::RandomSource m_pictures;
    SourceInfo m_info;
};

} // namespace

void TestEglStreamConsumer::initTestCase()
{
    if (testing::cudaDevices().empty())
        QSKIP("this machine has no CUDA device");
}

void TestEglStreamConsumer::initTestCase_data()
{
    testing::addCudaRows();
}

void TestEglStreamConsumer::init()
{
    QFETCH_GLOBAL(QString, device);
    m_handlesBefore = LiveCount::handles;
    QString why;
    m_display = testing::displayOf(device.toStdString(), &why);
    QVERIFY2(m_display, qPrintable(why));
    auto opened = openDevice(device.toStdString(), m_display);
    JETSCOPE_VERIFY(opened);
    m_device = std::move(opened).value();
    if (!m_device->facts().eglStreamInput.available)
        QSKIP(m_device->facts().eglStreamInput.reason.c_str());
    m_stream = m_device->createStream().value();
}

void TestEglStreamConsumer::cleanup()
{
    m_producer.reset();
    m_frames.clear();
    m_consumer.reset();
    m_input.reset();
    m_output.reset();
    m_stream.reset();
    m_device.reset();
    m_display.reset();
    QCOMPARE(LiveCount::handles.load(), m_handlesBefore);
}

void TestEglStreamConsumer::open(FrameMemory memory)
{
    const std::size_t bytes = makeImageLayout(PixelFormat::Rgba8, kWidth, kHeight).bytes;
    m_input = m_device->allocate(Allocation::PinnedMapped, bytes).value();
    m_output = m_device->allocate(Allocation::PinnedMapped, bytes).value();
    auto consumer = StreamInput::create(*m_device, m_display, static_cast<int>(kFrames), realEglStreamApi());
    JETSCOPE_VERIFY(consumer);
    m_consumer = std::move(consumer).value();
    auto producer = m_device->connectProducer(m_consumer->native(), kWidth, kHeight, memory);
    JETSCOPE_VERIFY(producer);
    m_producer = std::move(producer).value();
    for (std::size_t i = 0; i < kFrames; ++i)
        m_frames.push_back(m_device->makeFrame(*m_producer).value());
}

Status TestEglStreamConsumer::convert(ChainLaunch launch)
{
    JETSCOPE_TRY(m_device->launch(launch, *m_stream));
    return m_device->synchronize(*m_stream);
}

Status TestEglStreamConsumer::present(Image &frame, std::size_t number)
{
    const std::vector<std::byte> picture = testing::randomBytes(number, m_input->bytes());
    std::copy(picture.begin(), picture.end(), m_input->host());
    ChainLaunch launch;
    launch.inputLayout = makeImageLayout(PixelFormat::Rgba8, kWidth, kHeight);
    launch.input = wholeOf(*m_input);
    launch.outputImage = &frame;
    JETSCOPE_TRY(convert(std::move(launch)));
    return m_device->present(*m_producer, frame, *m_stream);
}

Result<std::vector<std::byte>> TestEglStreamConsumer::read(const FrameConsumer::Acquired &acquired)
{
    ChainLaunch launch;
    launch.inputLayout = acquired.layout;
    launch.inputImage = acquired.image;
    launch.output = wholeOf(*m_output);
    launch.outputPitch = acquired.layout.planes[0].pitch;
    JETSCOPE_TRY(convert(std::move(launch)));
    return std::vector<std::byte>(m_output->host(), m_output->host() + m_output->bytes());
}

void TestEglStreamConsumer::everyFrameIsReadAsItWasPresented_data()
{
    QTest::addColumn<bool>("arrays");
    QTest::newRow("array") << true;
    QTest::newRow("pitch") << false;
}

void TestEglStreamConsumer::everyFrameIsReadAsItWasPresented()
{
    QFETCH(bool, arrays);
    if (arrays && !m_device->facts().eglStreamArrays)
        QSKIP("this driver's EGLStreams take no arrays");
    open(arrays ? FrameMemory::Array : FrameMemory::Pitch);
    for (std::size_t number = 0; number < 3 * kFrames; ++number) {
        Image *frame = m_frames[number % kFrames].get();
        if (number >= kFrames)
            QVERIFY(QTest::qWaitFor([&] {
                const auto taken = m_device->takeBack(*m_producer, *m_stream);
                frame = taken.ok() ? taken.value() : nullptr;
                return frame != nullptr;
            }));
        QCOMPARE(frame, m_frames[number % kFrames].get()); // In the order of presentation.
        JETSCOPE_VERIFY(present(*frame, number));
        const auto acquired = m_consumer->acquire(number + 1, *m_stream);
        JETSCOPE_VERIFY(acquired);
        QCOMPARE(acquired.value().layout.format, PixelFormat::Rgba8);
        QCOMPARE(acquired.value().layout.width, kWidth);
        QCOMPARE(acquired.value().layout.height, kHeight);
        const auto seen = read(acquired.value());
        JETSCOPE_VERIFY(seen);
        JETSCOPE_VERIFY(m_consumer->release(*m_stream));
        const std::vector<std::byte> sent = testing::randomBytes(number, m_input->bytes());
        const std::size_t pitch = acquired.value().layout.planes[0].pitch;
        for (std::size_t y = 0; y < kHeight; ++y)
            QVERIFY2(std::equal(sent.begin() + static_cast<std::ptrdiff_t>(y * pitch),
                                sent.begin() + static_cast<std::ptrdiff_t>(y * pitch + 4 * kWidth),
                                seen.value().begin() + static_cast<std::ptrdiff_t>(y * pitch)),
                     qPrintable(QStringLiteral("frame %1, row %2").arg(number).arg(y)));
    }
    qInfo("time-outs %llu, repeats %llu", static_cast<unsigned long long>(m_consumer->counts().timeouts),
          static_cast<unsigned long long>(m_consumer->counts().repeats));
}

void TestEglStreamConsumer::aStreamWithoutFramesTimesOut()
{
    open(m_device->facts().eglStreamArrays ? FrameMemory::Array : FrameMemory::Pitch);
    const auto acquired = m_consumer->acquire(1, *m_stream);
    QVERIFY(!acquired.ok());
    qInfo("%s", acquired.error().message().c_str());
    QVERIFY2(acquired.error().text.find("did not arrive") != std::string::npos, acquired.error().text.c_str());
    QVERIFY(m_consumer->counts().timeouts > 0);
}

void TestEglStreamConsumer::theLastFrameComesOnceMore()
{
    open(m_device->facts().eglStreamArrays ? FrameMemory::Array : FrameMemory::Pitch);
    JETSCOPE_VERIFY(present(*m_frames[0], 0));
    JETSCOPE_VERIFY(m_consumer->acquire(1, *m_stream));
    JETSCOPE_VERIFY(m_consumer->release(*m_stream));
    const auto again = m_consumer->acquire(2, *m_stream);
    QVERIFY(!again.ok());
    const StreamCounts counts = m_consumer->counts();
    qInfo("after the last frame: time-outs %llu, repeats %llu", static_cast<unsigned long long>(counts.timeouts),
          static_cast<unsigned long long>(counts.repeats));
    QVERIFY(counts.repeats + counts.timeouts > 0);
    JETSCOPE_VERIFY(present(*m_frames[1], 1));
    const auto second = m_consumer->acquire(2, *m_stream);
    JETSCOPE_VERIFY(second);
    JETSCOPE_VERIFY(m_consumer->release(*m_stream));
}

void TestEglStreamConsumer::framesNobodyAskedForAreGivenBack()
{
    open(m_device->facts().eglStreamArrays ? FrameMemory::Array : FrameMemory::Pitch);
    for (std::size_t number = 0; number < 3; ++number)
        JETSCOPE_VERIFY(present(*m_frames[number], number));
    const auto third = m_consumer->acquire(3, *m_stream);
    JETSCOPE_VERIFY(third);
    const auto seen = read(third.value());
    JETSCOPE_VERIFY(seen);
    JETSCOPE_VERIFY(m_consumer->release(*m_stream));
    const std::vector<std::byte> sent = testing::randomBytes(2, m_input->bytes());
    QVERIFY(std::equal(sent.begin(), sent.begin() + 4 * kWidth, seen.value().begin()));
    Image *first = nullptr;
    QVERIFY(QTest::qWaitFor([&] {
        const auto taken = m_device->takeBack(*m_producer, *m_stream);
        first = taken.ok() ? taken.value() : nullptr;
        return first != nullptr;
    }));
    QCOMPARE(first, m_frames[0].get());
}

void TestEglStreamConsumer::twoStreamsInARowCarryTheReferencesBytes_data()
{
    QTest::addColumn<QString>("output");
    QTest::addColumn<PixelFormat>("format");
    QTest::addColumn<int>("inFlight");
    for (const int inFlight : {1, 2, 4})
        QTest::addRow("eglstream, %d in flight", inFlight) << "eglstream" << PixelFormat::Nv12 << inFlight;
    QTest::newRow("eglimage") << "eglimage" << PixelFormat::Yuyv << 2;
    QTest::newRow("copy-back") << "copy-back" << PixelFormat::Rgba8 << 2;
}

void TestEglStreamConsumer::twoStreamsInARowCarryTheReferencesBytes()
{
    QFETCH_GLOBAL(QString, device);
    QFETCH(QString, output);
    QFETCH(PixelFormat, format);
    QFETCH(int, inFlight);
    constexpr std::uint64_t kMany = 60;
    PipelineConfig config;
    config.output = *choiceByName<OutputKind>(output.toStdString());
    config.sync = SyncMode::Event;
    config.framesInFlight = inFlight;
    config.streams = 2;
    if (const Availability found = availability(config, m_device->facts()); found.unavailable())
        QSKIP(found.reason.c_str());
    const testing::RandomSource same(format, 200, 120, kMany);
    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup;
    setup.display = m_display;
    setup.deviceId = device.toStdString();
    setup.source = std::make_unique<StreamedSource>(format, 200, 120, kMany);
    setup.config = config;
    setup.outputTap = log.tap();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    const PipelineStatus status = pipeline.value()->status();
    pipeline.value().reset();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(log.numbers().size(), std::size_t(kMany));
    for (std::uint32_t frame = 0; frame < kMany; ++frame)
        QVERIFY2(log.pixels()[frame] == same.expected(frame, config.filters),
                 qPrintable(QStringLiteral("frame %1").arg(frame)));
    QVERIFY(status.inputStream);
    QCOMPARE(status.inputStream->returned, kMany);
    QCOMPARE(status.stream.has_value(), config.output == OutputKind::EglStream);
    qInfo("input stream: time-outs %llu, repeats %llu", static_cast<unsigned long long>(status.inputStream->timeouts),
          static_cast<unsigned long long>(status.inputStream->repeats));
}

QTEST_GUILESS_MAIN(TestEglStreamConsumer)
#include "tst_eglstreamconsumer.moc"
