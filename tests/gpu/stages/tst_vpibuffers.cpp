// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// VIC reads a camera's own buffers in place, with a made-up VPI of each version that keeps the documented contract: the
// bytes are those of a plain reference, a buffer is wrapped once and unwrapped before it goes, and where VPI cannot
// read a buffer, the reason is said and frames go on through memory.
#include "core/recording/tracer.h"
#include "core/settings/filters.h"
#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/vpi/vpistage.h"
#include "tests/gpu/camerabuffers.h"
#include "tests/gpu/vpipipeline.h"
#include "tests/support/longrun.h"

#include <set>

using namespace jetscope;
using namespace jetscope::testing;

using Format = FakeEglImage::Format;

namespace {

ImageLayout layoutOfBuffer(const JetsonBuffer &buffer, YuvColour colour)
{
    return makeImageLayout(buffer.isRgba() ? PixelFormat::Rgba8 : PixelFormat::Nv12,
                           static_cast<int>(buffer.fake.width), static_cast<int>(buffer.fake.height), colour);
}

SourceBuffer sourceBufferOf(JetsonBuffer &buffer)
{
    return {layoutOfBuffer(buffer,
                           buffer.fake.format == Format::Nv12FullRange   ? YuvColour::Bt601Full
                               : buffer.fake.format == Format::Nv12Of709 ? YuvColour::Bt709Limited
                                                                         : YuvColour::Bt601Limited),
            ExternalBufferView::Picture, &buffer.fake, buffer.descriptor()};
}

std::unique_ptr<StageInstance> instanceOf(const std::string &address)
{
    static std::vector<std::unique_ptr<VpiStage>> stages; // They outlive their instances.
    stages.push_back(VpiStage::create(addressOf(address)).value());
    return stages.back()->setUp(deviceOf(true), kWidth, kHeight).value();
}

/// What the stage makes, in memory that the made-up VPI takes for the CUDA device's.
struct CudaPicture : Padded {
    CudaPicture(PixelFormat f, std::uint32_t seed) : Padded(f, seed)
    {
        FAKE(fakeVpiCudaMemory)(bytes.data(), bytes.size());
    }
    ~CudaPicture() { FAKE(fakeVpiCudaMemory)(nullptr, 0); }
    CudaPicture(const CudaPicture &) = delete;
    CudaPicture &operator=(const CudaPicture &) = delete;
};

Padded expectedOf(const JetsonBuffer &buffer, PixelFormat makes, std::uint32_t seed)
{
    Padded expected(makes, seed);
    if (makes == PixelFormat::Rgba8) {
        referenceRescale(buffer.rgba(), expected);
        return expected;
    }
    if (buffer.isRgba()) {
        referenceConvert(buffer.rgba(), expected);
        return expected;
    }
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            expected.set(x, y, 0, buffer.luma(x, y));
    return expected;
}

QString newsOf(StageInstance &instance)
{
    QString all;
    for (const StageNews &news : instance.takeNews())
        all += QString::fromStdString(news.text);
    return all;
}

} // namespace

class TestVpiBuffers : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        useFake("3");
        nvivaTools() = {};
    }
    void bytesAreTheReferences_data();
    void bytesAreTheReferences();
    void whatVpiCannotReadIsSaidOnce_data();
    void whatVpiCannotReadIsSaidOnce();
    void aRefusalByVpiIsSaidAndFramesGoOn_data();
    void aRefusalByVpiIsSaidAndFramesGoOn();
    void wrappersGoWithTheirBufferOrTheStage();
    void aWrapIsASpan();
    void theOptionIsChecked();
    void framesStayInTheirBuffers();
    void theMemoryKindMaySwitchMeanwhile();
    void otherStagesReadMemory();
    void theTrialUnwrapsWhatItWrapped_data();
    void theTrialUnwrapsWhatItWrapped();
    void aCrashInTheTrialTakesMemory_data();
    void aCrashInTheTrialTakesMemory();

private:
    PipelineSetup cameraPipeline(const std::string &stage, std::uint64_t frames, std::uint64_t renewedAt);
    void compareFrames();

    CameraRecord m_record;
    std::unique_ptr<OutputLog> m_log;
};

void TestVpiBuffers::bytesAreTheReferences_data()
{
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("address");
    QTest::addColumn<int>("format");
    QTest::addColumn<bool>("isBlockLinear");
    int row = 0;
    for (const char *variant : {"2", "3", "4", "4_base_first"})
        for (const char *algorithm : {"rescale?scale=0.25&backend=vic", "convert?backend=vic"})
            for (const char *buffer : {"", "&buffer=eglimage"})
                for (const char *stream : {"", "&stream=wrapped"})
                    for (const Format format : {Format::Rgba, Format::Nv12, Format::Nv12FullRange})
                        for (const bool isBlockLinear : {false, true})
                            if (testing::isTurnOf(row++))
                                QTest::addRow("VPI %s %s%s%s of %d%s", variant, algorithm, buffer, stream,
                                              static_cast<int>(format), isBlockLinear ? " in blocks" : "")
                                    << variant << QString(algorithm) + buffer + stream << static_cast<int>(format)
                                    << isBlockLinear;
}

/// Five frames in three buffers, on two streams.
void TestVpiBuffers::bytesAreTheReferences()
{
    QFETCH(QString, variant);
    QFETCH(QString, address);
    QFETCH(int, format);
    QFETCH(bool, isBlockLinear);
    useFake(variant.toStdString());
    static_cast<void>(FAKE(fakeVpiCopied)());
    std::vector<std::unique_ptr<JetsonBuffer>> buffers;
    {
        const auto instance = instanceOf(address.toStdString());
        std::vector<std::unique_ptr<SourceBuffer>> known;
        for (int i = 0; i < 3; ++i) {
            buffers.push_back(std::make_unique<JetsonBuffer>(static_cast<Format>(format)));
            buffers.back()->fake.isBlockLinear = isBlockLinear;
            known.push_back(std::make_unique<SourceBuffer>(
                layoutOfBuffer(*buffers.back(),
                               format == static_cast<int>(Format::Nv12FullRange) ? YuvColour::Bt601Full
                                                                                 : YuvColour::Bt601Limited),
                ExternalBufferView::Picture, &buffers.back()->fake, buffers.back()->descriptor()));
        }
        QString news;
        for (std::uint32_t frame = 0; frame < 5; ++frame) {
            JetsonBuffer &buffer = *buffers[frame % 3];
            buffer.fill(frame + 1);
            CudaPicture output(instance->makes(), frame + 100);
            StageFrame given;
            given.number = frame;
            given.output = output.image();
            given.stream = streamNumber(frame % 2 + 1);
            if (!address.contains("wrapped"))
                FAKE(fakeVpiBusy)(given.stream); // The output may still be read.
            const Result<bool> ran = instance->runOn(*known[frame % 3], given);
            JETSCOPE_VERIFY(ran);
            news += newsOf(*instance);
            QVERIFY2(ran.value(), qPrintable(news));
            QVERIFY(output.bytes == expectedOf(buffer, instance->makes(), frame + 100).bytes);
            QCOMPARE(buffer.fake.readers, 0);
            for (const StageWork &work : instance->takeWork()) {
                QCOMPARE(QString(work.engine), QString("VIC"));
                QCOMPARE(work.bytes, std::uint64_t(0));
            }
        }
        for (const auto &buffer : buffers)
            QCOMPARE(buffer->fake.wrappers, 1);
        QCOMPARE(news.count("VIC reads the camera's buffers"), 1);
    }
    for (const auto &buffer : buffers)
        QCOMPARE(buffer->fake.registrations, 0);
    QCOMPARE(FAKE(fakeVpiCopied)(), std::uint64_t(0));
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

namespace {

struct RefusedRow {
    const char *name;
    const char *address;
    const char *reason; ///< Empty: nothing is said.
    Format format = Format::Nv12;
    int width = kWidth;
    ExternalBufferView view = ExternalBufferView::Picture;
    bool isNvBuf = true;
    PixelFormat holds = PixelFormat::Nv12;
};

const RefusedRow kRefused[] = {
    {"as the user wants", "convert?backend=vic&buffer=memory", ""},
    {"grey on PVA", "gaussian?backend=pva", "gaussian reads grey, and VPI has no image of one plane"},
    {"grey on CUDA", "harris?backend=cuda", "harris reads grey, and VPI has no image of one plane"},
    {"CPU", "convert", "only VIC reads what cameras have in their buffers, and this is CPU"},
    {"CUDA", "rescale?backend=cuda", "only VIC reads what cameras have in their buffers, and this is CUDA"},
    {"no wait", "convert?backend=vic&stream=wrapped&wait=no",
     "VIC might still read when the camera has its buffer back"},
    {"BT.709", "convert?backend=vic", "have NV12 of BT.601 only", Format::Nv12Of709},
    {"odd", "rescale?backend=vic", "with an even width and height only", Format::Nv12, kWidth - 1},
    {"no NvBufSurface", "convert?backend=vic", "none of a Jetson's NvBufSurface, and VPI wraps no others", Format::Nv12,
     kWidth, ExternalBufferView::Bytes, false},
    {"bytes", "convert?backend=vic&buffer=eglimage", "show bytes, not pictures", Format::Nv12, kWidth,
     ExternalBufferView::Bytes},
    {"YUYV", "convert?backend=vic", "RGBA and NV12 only", Format::Nv12, kWidth, ExternalBufferView::Picture, true,
     PixelFormat::Yuyv},
};

} // namespace

void TestVpiBuffers::whatVpiCannotReadIsSaidOnce_data()
{
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < std::size(kRefused); ++i)
        QTest::newRow(kRefused[i].name) << static_cast<int>(i);
}

void TestVpiBuffers::whatVpiCannotReadIsSaidOnce()
{
    QFETCH(int, row);
    const RefusedRow &refused = kRefused[row];
    JetsonBuffer buffer(refused.format, refused.width);
    const YuvColour colour = refused.format == Format::Nv12Of709 ? YuvColour::Bt709Limited : YuvColour::Bt601Limited;
    SourceBuffer known(makeImageLayout(refused.holds, refused.width, kHeight, colour), refused.view, &buffer.fake,
                       refused.isNvBuf
                           ? Result<int>(buffer.descriptor())
                           : Result<int>(sentence("the source's buffers are none of a Jetson's NvBufSurface")));
    {
        const auto instance = instanceOf(refused.address);
        CudaPicture output(instance->makes(), 2);
        for (std::uint64_t frame = 0; frame < 3; ++frame) {
            const Result<bool> ran = instance->runOn(known, {frame, {}, output.image(), streamNumber(1)});
            JETSCOPE_VERIFY(ran);
            QVERIFY(!ran.value());
        }
        const QString news = newsOf(*instance);
        QVERIFY2(news.contains(refused.reason), qPrintable(news));
        QCOMPARE(news.count("does not read"), *refused.reason ? 1 : 0);
    }
    QCOMPARE(buffer.fake.wrappers, 0);
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiBuffers::aRefusalByVpiIsSaidAndFramesGoOn_data()
{
    QTest::addColumn<QString>("function");
    for (const char *function : {"vpiImageCreateWrapper", "vpiSubmitRescale", "vpiStreamSync"})
        QTest::newRow(function) << function;
}

/// VPI is asked once; what it may do with a picture in memory is not changed.
void TestVpiBuffers::aRefusalByVpiIsSaidAndFramesGoOn()
{
    QFETCH(QString, function);
    JetsonBuffer buffer(Format::Nv12);
    buffer.fill(3);
    {
        const auto instance = instanceOf("rescale?scale=0.25&backend=vic");
        SourceBuffer known = sourceBufferOf(buffer);
        CudaPicture output(PixelFormat::Rgba8, 2);
        CudaPicture input(PixelFormat::Rgba8, 4);
        const QByteArray name = function.toUtf8();
        FAKE(fakeVpiFail)(name.constData());
        StageFrame frame{0, {}, output.image(), streamNumber(1)};
        const Result<bool> refused = instance->runOn(known, frame);
        FAKE(fakeVpiFail)("");
        JETSCOPE_VERIFY(refused);
        QVERIFY(!refused.value());
        const QString news = newsOf(*instance);
        QVERIFY2(news.contains("VPI rescale does not read the camera's buffers themselves")
                     && news.contains(function + ": VPI_ERROR_INTERNAL: a made-up failure"),
                 qPrintable(news));
        for (std::uint64_t number = 1; number < 3; ++number) {
            frame.number = number;
            frame.input = {};
            const Result<bool> later = instance->runOn(known, frame);
            QVERIFY(later.ok() && !later.value());
            frame.input = input.image();
            JETSCOPE_VERIFY(instance->run(frame));
            Padded expected(PixelFormat::Rgba8, 2);
            referenceRescale(input, expected);
            QVERIFY(output.bytes == expected.bytes);
        }
        QCOMPARE(newsOf(*instance), QString());
        QVERIFY(buffer.fake.wrappers <= 1);
    }
    QCOMPARE(buffer.fake.registrations, 0);
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiBuffers::wrappersGoWithTheirBufferOrTheStage()
{
    JetsonBuffer buffers[2] = {JetsonBuffer(Format::Nv12), JetsonBuffer(Format::Nv12)};
    auto first = instanceOf("convert?backend=vic");
    auto second = instanceOf("convert?backend=vic&buffer=eglimage");
    auto gone = std::make_unique<SourceBuffer>(sourceBufferOf(buffers[0]).layout(), ExternalBufferView::Picture,
                                               &buffers[0].fake, buffers[0].descriptor());
    SourceBuffer stays = sourceBufferOf(buffers[1]);
    {
        CudaPicture output(PixelFormat::Grey8, 2);
        for (StageInstance *const instance : {first.get(), second.get()})
            for (SourceBuffer *const known : {gone.get(), &stays})
                QVERIFY(instance->runOn(*known, {0, {}, output.image(), streamNumber(1)}).value());
    }
    QCOMPARE(buffers[0].fake.registrations, 2);
    QCOMPARE(buffers[1].fake.registrations, 2);
    gone.reset();
    QCOMPARE(buffers[0].fake.registrations, 0);
    QCOMPARE(buffers[1].fake.registrations, 2);
    first.reset();
    QCOMPARE(buffers[1].fake.registrations, 1);
    second.reset();
    QCOMPARE(buffers[1].fake.registrations, 0);
    QCOMPARE(violations(), QString());
}

/// Once a buffer, on the thread that submits.
void TestVpiBuffers::aWrapIsASpan()
{
    Tracer tracer;
    const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
    JetsonBuffer buffer(Format::Nv12);
    const auto instance = instanceOf("convert?backend=vic");
    SourceBuffer known = sourceBufferOf(buffer);
    CudaPicture output(PixelFormat::Grey8, 2);
    for (std::uint64_t frame = 7; frame < 9; ++frame)
        QVERIFY(instance->runOn(known, {frame, {}, output.image(), streamNumber(1)}).value());
    std::vector<Span> spans;
    tracer.collect(spans);
    QStringList names;
    for (const Span &span : spans)
        names.append(QString::fromStdString(std::string(spanName(span.name))) + QString(" %1").arg(span.frame));
    QCOMPARE(names,
             (QStringList{"vpiImageCreateWrapper 7", "cuStreamSynchronize before VPI 7", "vpiStreamSync 7",
                          "cuStreamSynchronize before VPI 8", "vpiStreamSync 8"}));
}

void TestVpiBuffers::theOptionIsChecked()
{
    const auto reason = [](const char *address) {
        const Result<VpiPlan> plan = VpiPlan::parse(addressOf(address));
        return plan.ok() ? QString() : QString::fromStdString(plan.error().text);
    };
    QCOMPARE(reason("rescale?backend=vic&buffer=eglimage"), QString());
    QCOMPARE(reason("convert?buffer=memory"), QString());
    QVERIFY(reason("convert?buffer=fd").contains("must be nvbuf, eglimage or memory, not 'fd'"));
    QVERIFY(reason("convert?backend=cuda&buffer=eglimage").contains("needs backend=vic and wait=yes"));
    QVERIFY(reason("convert?backend=vic&stream=wrapped&wait=no&buffer=eglimage")
                .contains("needs backend=vic and wait=yes"));
    QVERIFY(reason("gaussian?buffer=nvbuf").contains("has no option 'buffer'"));
}

// --- the pipeline

PipelineSetup TestVpiBuffers::cameraPipeline(const std::string &stage, std::uint64_t frames, std::uint64_t renewedAt)
{
    m_log = std::make_unique<OutputLog>();
    m_log->keepPixels();
    PipelineSetup setup = stagePipeline(stage, 0, *m_log);
    setup.source = std::make_unique<BufferCamera>(m_record, frames, renewedAt);
    setup.config.memory = MemoryKind::NvBuf;
    setup.config.framesInFlight = 3;
    setup.decorateDevice = [this](std::unique_ptr<Device> device) -> std::unique_ptr<Device> {
        return std::make_unique<BufferDevice>(std::move(device), m_record, FAKE(fakeVpiCudaMemory));
    };
    m_record.buffers = m_record.mostWrappers = m_record.wrapped = m_record.readWhileFilled = m_record.wrappedTooLong =
        m_record.inPlace = m_record.inMemory = 0;
    return setup;
}

/// Each output is one of a frame of the camera, in order.
void TestVpiBuffers::compareFrames()
{
    JetsonBuffer buffer(Format::Nv12);
    for (const auto &[frame, pixels] : m_log->pixels()) {
        buffer.fill(BufferCamera::seedOf(frame));
        Padded expected(PixelFormat::Rgba8, 0);
        referenceRescale(buffer.rgba(), expected);
        bool isSame = true;
        for (std::size_t y = 0; y < kHeight; ++y)
            isSame = isSame
                && std::equal(pixels.begin() + static_cast<std::ptrdiff_t>(y * kWidth * 4),
                              pixels.begin() + static_cast<std::ptrdiff_t>((y + 1) * kWidth * 4),
                              expected.bytes.begin() + static_cast<std::ptrdiff_t>(y * expected.pitch));
        QVERIFY2(isSame, qPrintable(QString("frame %1").arg(frame)));
    }
}

void TestVpiBuffers::framesStayInTheirBuffers()
{
    constexpr std::uint64_t kFrames = 40;
    const std::string name = "vpi:rescale?backend=vic&scale=0.25";
    QCOMPARE(reasonOf(name), QString());
    const Result<PipelineUpdate> run = runToEnd(cameraPipeline(name, kFrames, 20));
    JETSCOPE_VERIFY(run);
    const PipelineUpdate &update = run.value();
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Refused), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Switched), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Stage),
             QString("VPI rescale: VIC reads the camera's buffers where they lie, by their descriptors"));
    QCOMPARE(brokenRule(update), QString());
    QCOMPARE(m_log->numbers().size(), std::size_t(kFrames));
    compareFrames();
    QCOMPARE(m_record.inPlace.load(), int(kFrames));
    QCOMPARE(m_record.buffers.load(), int(2 * BufferCamera::kBuffers)); // It has taken new ones.
    QVERIFY(m_record.wrapped.load() > int(BufferCamera::kBuffers));
    QCOMPARE(m_record.mostWrappers.load(), 1);
    QCOMPARE(m_record.wrappedTooLong.load(), 0);
    QCOMPARE(m_record.readWhileFilled.load(), 0);
    std::set<std::uint32_t> frames;
    for (const Span &span : update.spans)
        if (update.lanes[span.lane].role == LaneRole::Engine) {
            QCOMPARE(update.lanes[span.lane].name, std::string("VIC"));
            QCOMPARE(span.bytes, std::uint32_t(0));
            frames.insert(span.frame);
        }
    QCOMPARE(frames.size(), std::size_t(kFrames));
    FAKE(fakeVpiCudaMemory)(nullptr, 0);
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

/// To memory and back, and to another stage: no wrapper stays behind.
void TestVpiBuffers::theMemoryKindMaySwitchMeanwhile()
{
    const std::string name = "vpi:rescale?backend=vic&scale=0.25";
    const std::string byImage = "vpi:rescale?backend=vic&scale=0.25&buffer=eglimage";
    QCOMPARE(reasonOf(name) + reasonOf(byImage), QString());
    PipelineSetup setup = cameraPipeline(name, 100, 0);
    PipelineConfig config = setup.config;
    config.filters = {*choiceByName<Filter>(byImage)};
    setup.schedule.push_back({20, config});
    config.memory = MemoryKind::Pinned;
    config.filters = {};
    setup.schedule.push_back({40, config});
    config.memory = MemoryKind::NvBuf;
    config.filters = {*choiceByName<Filter>(name)};
    setup.schedule.push_back({60, config});
    const Result<PipelineUpdate> run = runToEnd(std::move(setup));
    JETSCOPE_VERIFY(run);
    const PipelineUpdate &update = run.value();
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Refused), QString());
    QVERIFY(m_record.inPlace.load() > 50);
    QCOMPARE(m_record.inMemory.load(), 0);
    QVERIFY(m_record.mostWrappers.load() <= 3); // Of each stage that was set up.
    QCOMPARE(m_record.wrappedTooLong.load(), 0);
    QCOMPARE(m_record.readWhileFilled.load(), 0);
    FAKE(fakeVpiCudaMemory)(nullptr, 0);
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiBuffers::otherStagesReadMemory()
{
    const std::string name = "vpi:convert?backend=cuda";
    QCOMPARE(reasonOf(name), QString());
    const Result<PipelineUpdate> run = runToEnd(cameraPipeline(name, 10, 0));
    JETSCOPE_VERIFY(run);
    const PipelineUpdate &update = run.value();
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Refused), QString());
    int told = 0;
    for (const PipelineNotice &notice : update.notices)
        told += notice.kind == PipelineNotice::Kind::Stage ? 1 : 0;
    QCOMPARE(told, 1);
    QCOMPARE(
        noticeText(update, PipelineNotice::Kind::Stage),
        QString("VPI convert does not read the camera's buffers themselves, but what CUDA makes of them in memory: "
                "of VPI's backends only VIC reads what cameras have in their buffers, and this is CUDA."));
    QCOMPARE(m_record.inMemory.load(), 10);
    QCOMPARE(m_log->numbers().size(), std::size_t(10));
    FAKE(fakeVpiCudaMemory)(nullptr, 0);
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiBuffers::theTrialUnwrapsWhatItWrapped_data()
{
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("address");
    for (const char *variant : {"2", "3", "4"})
        for (const char *address : {"rescale?backend=vic", "rescale?backend=vic&scale=0.0625&buffer=eglimage",
                                    "convert?backend=vic", "convert?backend=vic&buffer=eglimage"})
            QTest::addRow("VPI %s %s", variant, address) << variant << address;
}

/// As the child makes it, without a CUDA device and in a child with one: a wrapper that stays behind makes the made-up
/// library for buffers abort.
void TestVpiBuffers::theTrialUnwrapsWhatItWrapped()
{
    QFETCH(QString, variant);
    QFETCH(QString, address);
    useFake(variant.toStdString());
    const StageAddress stage = addressOf(address.toStdString());
    const Capability tried = tryStage(vpiBufferTrialPlan(stage, vpiTools(), JETSCOPE_PITCHED_SURFACES));
    QVERIFY2(tried.available, tried.reason.c_str());

    VpiTools withoutCuda = vpiTools();
    withoutCuda.driver = "/nowhere/libcuda.so.1";
    static_cast<void>(FAKE(fakeVpiBuffers)());
    QCOMPARE(trialOfVpiBuffers(stage, withoutCuda, JETSCOPE_PITCHED_SURFACES), std::string());
    QCOMPARE(FAKE(fakeVpiBuffers)(), 3); // Blocks, pitch-linear NV12 and RGBA.
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
    // Elsewhere there is nothing to try, and what VPI refuses itself is said of the camera's buffer.
    QCOMPARE(trialOfVpiBuffers(stage, withoutCuda, "/nowhere/libnvbufsurface.so"), std::string());
    FAKE(fakeVpiFail)("vpiImageCreateWrapper");
    QCOMPARE(trialOfVpiBuffers(stage, withoutCuda, JETSCOPE_PITCHED_SURFACES), std::string());
    FAKE(fakeVpiFail)("");
    QCOMPARE(FAKE(fakeVpiBuffers)(), 0);
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiBuffers::aCrashInTheTrialTakesMemory_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("word");
    QTest::newRow("nvbuf") << "vpi:rescale?scale=0.25&backend=vic" << 0;
    QTest::newRow("eglimage") << "vpi:rescale?scale=0.25&buffer=eglimage&backend=vic" << 1;
}

/// With a VPI that ends the process when it wraps such a buffer: the stage is there, and no frame wraps one.
void TestVpiBuffers::aCrashInTheTrialTakesMemory()
{
    QFETCH(QString, name);
    QFETCH(int, word);
    useFake("3_crashes_on_buffers");
    nvivaTools().surfaces = JETSCOPE_PITCHED_SURFACES;
    QCOMPARE(reasonOf(name.toStdString()), QString());
    const FilterRow &row = *filterRow(*choiceByName<Filter>(name.toStdString()));
    const FilterOption &option = optionNamed(row.options, "buffer");
    QCOMPARE(wordOf(option), std::string("memory"));
    const std::string reason = "with a Jetson's own buffer, in its trial it crashed (Aborted)";
    QCOMPARE(option.choices[static_cast<std::size_t>(word)].capability.reason, reason);
    QVERIFY(option.choices.back().capability.available);

    const Result<PipelineUpdate> run = runToEnd(cameraPipeline(name.toStdString(), 10, 0));
    JETSCOPE_VERIFY(run);
    const PipelineUpdate &update = run.value();
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Refused), QString());
    QCOMPARE(
        noticeText(update, PipelineNotice::Kind::Stage),
        QString("VPI rescale does not read the camera's buffers themselves, but what CUDA makes of them in memory: ")
            + QString::fromStdString(reason) + ".");
    QCOMPARE(m_record.inMemory.load(), 10);
    QCOMPARE(m_record.inPlace.load(), 0);
    FAKE(fakeVpiCudaMemory)(nullptr, 0);
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

int main(int argc, char **argv)
{
    return runStageTest<TestVpiBuffers>(argc, argv);
}
#include "tst_vpibuffers.moc"
