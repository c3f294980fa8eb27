// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What a pipeline counts beside spans: its queues, the clock's uncertainty, the machine, and frames that it lost.
#include "core/trace/trace.h"
#include "tests/support/pipelinefixture.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace jetscope;

namespace {

/// A camera that numbers its frames with gaps: as many were lost before we could read them.
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
        std::fill_n(into, m_info.layout.bytes, std::byte{});
        m_next += 6;
        return std::optional<CapturedFrame>(CapturedFrame{m_next, nowNs()});
    }
    void cancel() override { m_cancelled = true; }

private:
    SourceInfo m_info;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
};

void append(PipelineNews &all, PipelineNews more)
{
    all.samples.insert(all.samples.end(), more.samples.begin(), more.samples.end());
    all.notices.insert(all.notices.end(), more.notices.begin(), more.notices.end());
    all.lanes = more.lanes;
    all.counters = more.counters;
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

private:
    /// Runs a source to its end, and on until `enough` says so; everything that was told meanwhile.
    template <class Enough>
    void run(std::unique_ptr<FrameSource> source, const QString &files, PipelineNews &news, Enough enough);
};

void TestPipelineCounters::initTestCase_data()
{
    QTest::addColumn<QString>("device");
    for (const std::string &id : testing::usableDevices())
        QTest::newRow(id.c_str()) << QString::fromStdString(id);
}

template <class Enough>
void TestPipelineCounters::run(std::unique_ptr<FrameSource> source, const QString &files, PipelineNews &news,
                               Enough enough)
{
    QFETCH_GLOBAL(QString, device);
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = device.toStdString();
    setup.source = std::move(source);
    setup.config.sync = SyncMode::Event;
    setup.hostFiles = files.toStdString();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    QTRY_VERIFY((append(news, pipeline.value()->takeNews()), enough(news)));
}

void TestPipelineCounters::countsQueuesClockAndMachine()
{
    QTemporaryDir files;
    QVERIFY(QDir().mkpath(files.filePath("sys/class/thermal/thermal_zone0")));
    QFile temperature(files.filePath("sys/class/thermal/thermal_zone0/temp"));
    QVERIFY(temperature.open(QIODevice::WriteOnly) && temperature.write("51000\n") == 6);
    temperature.close();

    PipelineNews news;
    run(std::make_unique<testing::RandomSource>(PixelFormat::Grey8, 64, 32, 20), files.path(), news,
        [](const PipelineNews &told) {
            return std::any_of(told.samples.begin(), told.samples.end(),
                               [](const CounterSample &sample) { return sample.value == 51; });
        });
    if (QTest::currentTestFailed())
        return;
    Trace trace;
    trace.setLanes(news.lanes);
    trace.setCounters(news.counters);
    trace.add(news.samples);

    const CounterTrack *inFlight = counterOf(trace, "frames in flight");
    QVERIFY(inFlight && inFlight->extremes());
    QCOMPARE(inFlight->extremes()->first, 0.0);
    QVERIFY(inFlight->extremes()->second >= 1 && inFlight->extremes()->second <= PipelineConfig().framesInFlight);
    const CounterTrack *waiting = counterOf(trace, "captured frames waiting");
    QVERIFY(waiting && waiting->extremes() && waiting->extremes()->second <= 2);

    const CounterTrack *clock = counterOf(trace, "clock uncertainty");
    QVERIFY(clock && clock->info().lane && clock->extremes());
    QVERIFY(trace.lane(*clock->info().lane)->role == LaneRole::DeviceStream);
    QVERIFY(clock->extremes()->first > 0 && clock->extremes()->second < 1e8);

    const CounterTrack *zone = counterOf(trace, "temperature");
    QVERIFY(zone);
    QCOMPARE(zone->extremes(), std::optional(std::pair(51.0, 51.0)));
}

void TestPipelineCounters::tellsOfDroppedFrames()
{
    PipelineNews news;
    const auto isDrop = [](const PipelineNotice &notice) { return notice.kind == PipelineNotice::Kind::Dropped; };
    run(std::make_unique<LossySource>(), {}, news, [&](const PipelineNews &told) {
        int dropped = 0;
        for (const PipelineNotice &notice : told.notices)
            if (isDrop(notice))
                dropped += QString::fromStdString(notice.text).section(' ', 0, 0).toInt();
        return dropped >= 50; // Ten gaps of five, at least.
    });
    if (QTest::currentTestFailed())
        return;
    QVERIFY(news.counters.size() >= 3);
    QVERIFY(std::none_of(news.counters.begin(), news.counters.end(),
                         [](const CounterInfo &info) { return info.name == "temperature"; }));
    // Those that come close together are told at once.
    QVERIFY(std::count_if(news.notices.begin(), news.notices.end(), isDrop) <= 10);
}

QTEST_GUILESS_MAIN(TestPipelineCounters)
#include "tst_pipelinecounters.moc"
