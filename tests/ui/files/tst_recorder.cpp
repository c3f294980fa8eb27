// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "tests/support/pipelinefixture.h"
#include "ui/files/recorder.h"
#include "ui/session/session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace jetscope;

/// Recording a real pipeline of the window.
class TestRecorder : public QObject {
    Q_OBJECT
private slots:
    void nothingIsLostWhileTheWindowIsBusy();
};

namespace {

Result<std::unique_ptr<PipelineControl>> openPipeline(const SessionRequest &)
{
    constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = "soft:orin";
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Grey8, 64, 32, kEndless);
    setup.config.sync = SyncMode::Event;
    setup.hostFiles.clear();
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Pipeline> pipeline, Pipeline::create(std::move(setup)));
    return std::unique_ptr<PipelineControl>(std::move(pipeline));
}

} // namespace

/// The pipeline is not paced, so that it makes far more than what is kept for an owner that does not take it.
void TestRecorder::nothingIsLostWhileTheWindowIsBusy()
{
    constexpr int kBusySeconds = 10;
    constexpr int kMaxSeconds = 120;
    constexpr std::uint64_t kManyFrames = 2000;
    const QTemporaryDir folder;
    const QString path = folder.filePath("busy.jscope");
    Session session(openPipeline, {});
    Recorder recorder(session);
    QSignalSpy stopped(&recorder, &Recorder::stopped);
    session.open();
    QTRY_COMPARE_WITH_TIMEOUT(session.phase(), Session::Phase::Open, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(session.status().frames > 50, 60'000);
    const Status started = recorder.start(path);
    QVERIFY2(started.ok(), started.ok() ? "" : started.error().text.c_str());
    const std::uint64_t before = session.pipeline()->status().frames;
    // As a window that lays out a very long list: ten seconds, and more on a machine that makes few frames meanwhile.
    for (int second = 0;
         second < kMaxSeconds && (second < kBusySeconds || session.pipeline()->status().frames < before + kManyFrames);
         ++second)
        QThread::sleep(1);
    const std::uint64_t after = session.pipeline()->status().frames;
    QVERIFY(after >= before + kManyFrames);
    // Figures of those in flight come later.
    QTRY_VERIFY_WITH_TIMEOUT(session.status().frames > after + 200, 60'000);
    recorder.stop();
    QTRY_COMPARE_WITH_TIMEOUT(stopped.size(), 1, 60'000);
    QCOMPARE(stopped[0][1].toString(), QString());

    NoOpenProgress progress;
    Result<OpenedTrace> opened = openTrace(path.toStdString(), progress);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text.c_str());
    QVERIFY2(opened.value().notes.empty(), opened.value().notes.empty() ? "" : opened.value().notes[0].c_str());
    const FrameTable &frames = opened.value().trace.frames();
    const std::uint64_t count = frames.endIndex() - frames.firstIndex();
    QVERIFY(count > kManyFrames);
    const FrameFigures first = frames.at(frames.firstIndex());
    const FrameFigures last = frames.at(frames.endIndex() - 1);
    QCOMPARE(std::uint64_t{last.frame} - first.frame + 1, count);
    QVERIFY(first.frame <= before);
    QVERIFY(last.frame >= after);
    // Each frame has the spans of its kernels, but for the first, whose spans may have come before the recording.
    constexpr std::uint32_t kFirst = 100;
    std::map<std::uint32_t, int> kernels;
    for (const SpanTrack &track : opened.value().trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
            if (opened.value().trace.names().category(track.at(i).name) == Category::Kernel)
                ++kernels[track.at(i).frame];
    const int each = kernels[first.frame + kFirst];
    QVERIFY(each > 0);
    for (std::uint32_t frame = first.frame + kFirst; frame < after; ++frame)
        QVERIFY2(kernels[frame] == each, qPrintable(QString::number(frame)));
}

QTEST_MAIN(TestRecorder)
#include "tst_recorder.moc"
