// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A pipeline's counters besides spans: its queues, the uncertainty of the clock, the machine, and lost frames.
#include "core/figures/headroom.h"
#include "core/figures/statistics.h"
#include "core/time/clock.h"
#include "core/trace/trace.h"
#include "gpu/pipeline/eventcollector.h"
#include "gpu/pipeline/pipelinechannel.h"
#include "gpu/pipeline/sourceperiod.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

using namespace jetscope;

namespace {

/// A camera that numbers its frames with gaps: so many were lost before they could be read.
class LossySource final : public FrameSource {
public:
    LossySource()
    {
        m_info.uri = "lossy:";
        m_info.description = "a camera that loses frames";
        m_info.layout = makeImageLayout(PixelFormat::Grey8, 16, 16);
        m_info.live = true;
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        if (m_cancelled || m_next > 60)
            return std::optional<CapturedFrame>();
        m_next += 6;
        // The shade of the picture is its number.
        std::fill_n(into, m_info.layout.bytes, static_cast<std::byte>(m_next));
        return std::optional<CapturedFrame>(CapturedFrame{m_next, nowNs()});
    }
    void cancel() override { m_cancelled = true; }

private:
    SourceInfo m_info;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
};

/// A camera of 200 frames/s that numbers all of them: frames that are not read in time are lost.
class FreeRunningCamera final : public FrameSource {
public:
    FreeRunningCamera()
    {
        m_info.uri = "free:";
        m_info.description = "a camera that runs by itself";
        m_info.layout = makeImageLayout(PixelFormat::Grey8, 16, 16);
        m_info.live = true;
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        std::fill_n(into, m_info.layout.bytes, std::byte{});
        const std::int64_t begunNs = m_begunNs == 0 ? (m_begunNs = nowNs()) : m_begunNs;
        std::uint64_t index = 0;
        while (!m_cancelled && (index = static_cast<std::uint64_t>((nowNs() - begunNs) / kPeriodNs)) <= m_last)
            std::this_thread::yield();
        if (m_cancelled)
            return std::optional<CapturedFrame>();
        m_last = index;
        reads += 1;
        return std::optional<CapturedFrame>(
            CapturedFrame{index, begunNs + static_cast<std::int64_t>(index) * kPeriodNs});
    }
    void cancel() override { m_cancelled = true; }

    static constexpr std::int64_t kPeriodNs = 5'000'000;
    std::atomic<int> reads{0};

private:
    SourceInfo m_info;
    std::int64_t m_begunNs = 0;
    std::uint64_t m_last = 0;
    std::atomic<bool> m_cancelled{false};
};

void append(PipelineUpdate &all, PipelineUpdate more)
{
    all.samples.insert(all.samples.end(), more.samples.begin(), more.samples.end());
    all.figures.insert(all.figures.end(), more.figures.begin(), more.figures.end());
    all.notices.insert(all.notices.end(), more.notices.begin(), more.notices.end());
    all.numbers.insert(all.numbers.end(), more.numbers.begin(), more.numbers.end());
    all.lanes.insert(all.lanes.end(), more.lanes.begin(), more.lanes.end());
    all.counters.insert(all.counters.end(), more.counters.begin(), more.counters.end());
}

const CounterTrack *counterOf(const Trace &trace, const std::string &name)
{
    for (const CounterTrack &track : trace.counters())
        if (track.info().name == name)
            return &track;
    return nullptr;
}

} // namespace

class TestPipelineCounters : public QObject {
    Q_OBJECT
private slots:
    void initTestCase_data();
    void countsQueuesClockAndMachine();
    void tellsOfDroppedFrames();
    void dropsNothingWhilePaused();
    void knowsTheSourcesOwnPeriod_data();
    void knowsTheSourcesOwnPeriod();
    void sourcePeriodIsThatOfTheStamps();
    void withoutCpuWorkThereIsNoOverlap();

    void aPausedPipelineTellsNothingNew();
    void spansThatNoFigureCountsAreTold();

private:
    /// Runs a source to its end, and on until `enough` returns true; returns all updates.
    template <class Enough>
    void run(std::unique_ptr<FrameSource> source, const QString &files, PipelineUpdate &update, Enough enough);

    std::map<std::uint32_t, int>
        m_shades; ///< Shades of the output pictures; belongs to the GL queue while a pipeline exists.
};

void TestPipelineCounters::initTestCase_data()
{
    testing::addDeviceRows(testing::usableDevices());
}

void TestPipelineCounters::spansThatNoFigureCountsAreTold()
{
    Tracer tracer;
    PipelineChannel channel;
    EventCollector events(tracer, channel);
    const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
    events.collect(0); // Makes the lane known.
    events.metrics().frameStarted(0, 0);
    events.metrics().finish(100);
    events.collect(100);
    QCOMPARE(channel.drain().missedSpans, std::uint64_t(0));
    Span late;
    late.startNs = 10;
    late.durationNs = 20;
    late.frame = 0;
    late.name = internName("late", Category::Submit);
    late.lane = recorder.lane();
    ThreadRecorder::current()->record(late);
    events.collect(200);
    QCOMPARE(channel.drain().missedSpans, std::uint64_t(1));
    QCOMPARE(channel.drain().missedSpans, std::uint64_t(0)); // Said once.
}

template <class Enough>
void TestPipelineCounters::run(std::unique_ptr<FrameSource> source, const QString &files, PipelineUpdate &update,
                               Enough enough)
{
    QFETCH_GLOBAL(QString, device);
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = device.toStdString();
    setup.source = std::move(source);
    setup.config.sync = SyncMode::Event;
    setup.config.filters.clear(); // The output equals the input.
    setup.hostFiles = files.toStdString();
    m_shades.clear();
    setup.outputTap = [this](std::uint32_t frame, const std::byte *rgba, int, int) {
        m_shades[frame] = std::to_integer<int>(*rgba);
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    QTRY_VERIFY((append(update, pipeline.value()->drainUpdates()), enough(update)));
}

void TestPipelineCounters::aPausedPipelineTellsNothingNew()
{
    QFETCH_GLOBAL(QString, device);
    QTemporaryDir files;
    QVERIFY(QDir().mkpath(files.filePath("sys/class/thermal/thermal_zone0")));
    int degrees = 51;
    const auto warmUp = [&] { // Unchanged values are not reported again.
        QFile temperature(files.filePath("sys/class/thermal/thermal_zone0/temp"));
        return temperature.open(QIODevice::WriteOnly) && temperature.write(QByteArray::number(++degrees) + "000\n") > 0;
    };
    QVERIFY(warmUp());
    const auto open = [&] {
        PipelineSetup setup;
        setup.display = testing::headlessDisplay();
        setup.deviceId = device.toStdString();
        setup.source = openSource("synthetic:?size=64x48&fps=200", Pacing::Real).value();
        setup.config.sync = SyncMode::Event;
        setup.hostFiles = files.path().toStdString();
        return Pipeline::create(std::move(setup));
    };
    auto paused = open();
    JETSCOPE_VERIFY(paused);
    QTRY_VERIFY(paused.value()->status().frames > 10);
    const std::int64_t from = nowNs();
    paused.value()->setPaused(true);
    QTRY_VERIFY(paused.value()->status().state == PipelineState::Paused);
    static_cast<void>(paused.value()->drainUpdates());
    const std::uint64_t framesBefore = paused.value()->status().frames;

    // The time limit is long enough for several readings of the machine's counters.
    auto running = open();
    JETSCOPE_VERIFY(running);
    const auto temperatures = [](const PipelineUpdate &update) {
        return std::count_if(update.samples.begin(), update.samples.end(), [](const CounterSample &sample) {
            return sample.counter >= PipelineChannel::kFirstHostCounter;
        });
    };
    PipelineUpdate told;
    QTRY_VERIFY((warmUp(), append(told, running.value()->drainUpdates()), temperatures(told) >= 6));
    const PipelineUpdate rest = paused.value()->drainUpdates();
    QVERIFY(temperatures(rest) <= 1); // One may have been on its way.
    QVERIFY(rest.figures.empty());
    // From that reading: the camera rests too.
    QVERIFY2(rest.spans.size() < 20, std::to_string(rest.spans.size()).c_str());
    const std::int64_t pauseNs = nowNs() - from;

    paused.value()->setPaused(false);
    PipelineUpdate after;
    QTRY_VERIFY((warmUp(), append(after, paused.value()->drainUpdates()),
                 temperatures(after) >= 2 && after.figures.size() > 5));
    const auto first = std::find_if(after.figures.begin(), after.figures.end(),
                                    [&](const FrameFigures &figures) { return figures.frame >= framesBefore; });
    QVERIFY(first != after.figures.end());
    QVERIFY(first->latencyNs * 2 < pauseNs); // It was generated after the pause, not at its beginning.
    paused.value()->setPaused(true);
    paused.value()->step(); // Wakes the threads from a long sleep.
    const std::uint64_t frames = paused.value()->status().frames;
    QTRY_VERIFY(paused.value()->status().frames > frames);
}

void TestPipelineCounters::countsQueuesClockAndMachine()
{
    QTemporaryDir files;
    QVERIFY(QDir().mkpath(files.filePath("sys/class/thermal/thermal_zone0")));
    QFile temperature(files.filePath("sys/class/thermal/thermal_zone0/temp"));
    QVERIFY(temperature.open(QIODevice::WriteOnly) && temperature.write("51000\n") == 6);
    temperature.close();

    PipelineUpdate update;
    run(std::make_unique<testing::RandomSource>(PixelFormat::Grey8, 64, 32, 20), files.path(), update,
        [](const PipelineUpdate &told) {
            return std::any_of(told.samples.begin(), told.samples.end(),
                               [](const CounterSample &sample) { return sample.value == 51; });
        });
    if (QTest::currentTestFailed())
        return;
    Trace trace;
    trace.setLanes(update.lanes);
    trace.setCounters(update.counters);
    trace.add(update.samples);

    const CounterTrack *inFlight = counterOf(trace, "frames in flight");
    QVERIFY(inFlight && inFlight->extremes());
    QCOMPARE(inFlight->extremes()->first, 0.0);
    QVERIFY(inFlight->extremes()->second >= 1 && inFlight->extremes()->second <= PipelineConfig().framesInFlight);
    const CounterTrack *waiting = counterOf(trace, "captured frames waiting");
    QVERIFY(waiting && waiting->extremes() && waiting->extremes()->second <= 2);

    const CounterTrack *clock = counterOf(trace, "clock uncertainty");
    QVERIFY(clock && clock->info().lane && clock->extremes());
    QVERIFY(trace.lane(*clock->info().lane)->role == LaneRole::DeviceStream);
    QVERIFY(clock->extremes()->first >= 0 && clock->extremes()->second < 1e8);

    const CounterTrack *zone = counterOf(trace, "temperature");
    QVERIFY(zone);
    QCOMPARE(zone->extremes(), std::optional(std::pair(51.0, 51.0)));
}

void TestPipelineCounters::tellsOfDroppedFrames()
{
    PipelineUpdate update;
    const auto isDrop = [](const PipelineNotice &notice) { return notice.kind == PipelineNotice::Kind::Dropped; };
    run(std::make_unique<LossySource>(), {}, update, [&](const PipelineUpdate &told) {
        int dropped = 0;
        for (const PipelineNotice &notice : told.notices)
            if (isDrop(notice))
                dropped += QString::fromStdString(notice.text).section(' ', 0, 0).toInt();
        return dropped >= 50; // Ten gaps of five, at least.
    });
    if (QTest::currentTestFailed())
        return;
    QVERIFY(update.counters.size() >= 3);
    QVERIFY(std::none_of(update.counters.begin(), update.counters.end(),
                         [](const CounterInfo &info) { return info.name == "temperature"; }));
    // The frame numbers have the gaps.
    FrameNumbers numbers;
    for (const FrameNumber &number : update.numbers)
        numbers.add(number);
    QVERIFY(!m_shades.empty());
    for (const auto &[frame, shade] : m_shades)
        QCOMPARE(static_cast<int>(numbers.of(frame)), shade);
    // Drops that are close together are reported once.
    QVERIFY(std::count_if(update.notices.begin(), update.notices.end(), isDrop) <= 10);
}

void TestPipelineCounters::dropsNothingWhilePaused()
{
    QFETCH_GLOBAL(QString, device);
    auto source = std::make_unique<FreeRunningCamera>();
    const FreeRunningCamera &camera = *source;
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = device.toStdString();
    setup.source = std::move(source);
    setup.config.sync = SyncMode::Event;
    Result<std::unique_ptr<Pipeline>> made = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(made);
    Pipeline &pipeline = *made.value();
    QTRY_VERIFY(pipeline.status().frames >= 10);
    pipeline.setPaused(true);
    QTRY_VERIFY(pipeline.status().state == PipelineState::Paused);
    const std::uint64_t before = pipeline.status().droppedBySource;
    const int read = camera.reads;
    QTRY_VERIFY(camera.reads >= read + 40); // It continues: the user gets current frames after resuming or stepping.
    QCOMPARE(pipeline.status().droppedBySource, before);
    const std::uint64_t frames = pipeline.status().frames;
    pipeline.setPaused(false);
    QTRY_VERIFY(pipeline.status().frames >= frames + 10);
    QVERIFY2(pipeline.status().droppedBySource < before + 20, "what passed by while paused counts after all");
}

void TestPipelineCounters::knowsTheSourcesOwnPeriod_data()
{
    QTest::addColumn<bool>("paced");
    QTest::newRow("200 frames/s") << true;
    QTest::newRow("as fast as taken") << false;
}

void TestPipelineCounters::knowsTheSourcesOwnPeriod()
{
    QFETCH_GLOBAL(QString, device);
    QFETCH(bool, paced);
    const std::string uri = std::string("synthetic:?size=64x48&frames=60&fps=50&rate=") + (paced ? "real" : "max");
    PipelineUpdate update;
    std::vector<FrameFigures> figures;
    run(std::move(openSource(uri, Pacing::Unpaced)).value(), {}, update, [&](const PipelineUpdate &told) {
        figures = told.figures;
        return figures.size() >= 20;
    });
    if (QTest::currentTestFailed())
        return;
    const FrameFigures &last = figures.back();
    if (paced)
        QVERIFY2(last.sourcePeriodNs > 16'000'000 && last.sourcePeriodNs <= 20'000'000,
                 qPrintable(QString::number(last.sourcePeriodNs)));
    else
        QCOMPARE(last.sourcePeriodNs, kNoSourcePeriod);
    std::int64_t captureNs = 0;
    for (const FrameFigures &frame : figures)
        captureNs += frame.captureBusyNs;
    QVERIFY(captureNs > 0); // Generating the test card.
    const RunFigures all = summariseFrames(figures);
    QVERIFY2(all.headroom.ratio() || paced, all.headroom.reason().c_str());
    Trace trace;
    trace.setCounters(update.counters);
    trace.add(update.samples);
    const CounterTrack *counter = counterOf(trace, std::string(kSourcePeriodCounter));
    QVERIFY(counter && counter->endIndex() > 0);
    QVERIFY(std::abs(counter->at(counter->endIndex() - 1).second * 1e6 - static_cast<double>(last.sourcePeriodNs))
            < 1e5);
}

void TestPipelineCounters::sourcePeriodIsThatOfTheStamps()
{
    SourceInfo camera;
    camera.live = true;
    SourcePeriod period(camera);
    QCOMPARE(period.ns(), kSourcePeriodUnknown);
    std::int64_t atNs = 1'000'000;
    std::uint64_t index = 0;
    const auto come = [&](std::uint64_t frames, std::int64_t jitterNs = 0) {
        index += frames;
        atNs += static_cast<std::int64_t>(frames) * 20'000'000;
        period.add({index, atNs + jitterNs});
    };
    for (int i = 0; i < 40; ++i)
        come(i % 3 == 0 ? 3 : 1, i % 2 == 0 ? 300'000 : 0); // Some are lost before they are read.
    QVERIFY2(std::abs(period.ns() - 20'000'000) < 400'000, qPrintable(QString::number(period.ns())));
    // One gap and one decreasing stamp do not count.
    atNs += 5'000'000'000;
    CapturedFrame afterGap{++index, atNs};
    afterGap.gaps.push_back({0, atNs, "unplugged"});
    period.add(afterGap);
    period.add({++index, atNs - 1});
    for (int i = 0; i < 3; ++i)
        come(1);
    QVERIFY(std::abs(period.ns() - 20'000'000) < 400'000);

    // A late reader must not make a paced file seem slower.
    SourceInfo file;
    file.pacedFps = 50;
    SourcePeriod paced(file);
    for (std::uint64_t i = 0; i < 20; ++i)
        paced.add({i, static_cast<std::int64_t>(i + 1) * 90'000'000});
    QCOMPARE(paced.ns(), 20'000'000);
    SourcePeriod none((SourceInfo()));
    none.add({0, 1});
    QCOMPARE(none.ns(), kNoSourcePeriod);
}

/// A camera of 20 frames/s without CPU stage: the CPU does almost nothing, whatever a few frames suggest.
/// A busy machine interrupts calls for milliseconds: little beside the long periods here.
void TestPipelineCounters::withoutCpuWorkThereIsNoOverlap()
{
    PipelineUpdate update;
    std::vector<FrameFigures> figures;
    run(std::move(openSource("synthetic:?size=320x240&frames=13&fps=3&rate=real", Pacing::Unpaced)).value(), {}, update,
        [&](const PipelineUpdate &told) {
            figures = told.figures;
            return figures.size() >= 12;
        });
    if (QTest::currentTestFailed())
        return;
    const RunFigures all = summariseFrames(figures);
    QVERIFY2(!all.pooled.overlap(), qPrintable(QString::number(all[Figure::CpuBusy])));
    QVERIFY2(all.pooled.overlapReason().ends_with("there is nothing to overlap"), all.pooled.overlapReason().c_str());
    // Only the camera limits the period.
    QVERIFY2(all.headroom.ratio() && *all.headroom.ratio() < 0.1, all.headroom.reason().c_str());
    QCOMPARE(all.headroom.limit(), std::string("the source"));
}

JETSCOPE_TEST(TestPipelineCounters)
#include "tst_pipelinecounters.moc"
