// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A real camera's video passes unchanged: with the identity filter, the output that GL reads equals what the decoder
// produced, for all choices.
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>

#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

using namespace jetscope;

class TestCameraVideo : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void identityShowsTheDecodersFrames_data();
    void identityShowsTheDecodersFrames();

private:
    static constexpr int kFrames = 12;
    /// This recording of a surveillance camera is in Debian's package opencv-doc.
    const QString m_clip = "/usr/share/doc/opencv-doc/examples/data/vtest.avi";
    std::vector<std::vector<std::byte>> m_decoded;
};

void TestCameraVideo::initTestCase()
{
    if (!QFileInfo::exists(m_clip))
        QSKIP("the recording is not installed (Debian package opencv-doc)");
    cv::VideoCapture decoder(m_clip.toStdString());
    cv::Mat frame;
    cv::Mat rgba;
    while (m_decoded.size() < kFrames && decoder.read(frame)) {
        cv::cvtColor(frame, rgba, cv::COLOR_BGR2RGBA);
        const auto *bytes = reinterpret_cast<const std::byte *>(rgba.data);
        m_decoded.emplace_back(bytes, bytes + rgba.total() * rgba.elemSize());
    }
    QCOMPARE(m_decoded.size(), std::size_t(kFrames));
}

void TestCameraVideo::identityShowsTheDecodersFrames_data()
{
    QTest::addColumn<int>("memory");
    QTest::addColumn<int>("output");
    for (const MemoryKind memory :
         {MemoryKind::Pageable, MemoryKind::ZeroCopy, MemoryKind::UnifiedAttach, MemoryKind::GlTexture})
        for (const OutputKind output : {OutputKind::EglImage, OutputKind::CopyBack})
            QTest::addRow("%s %s", std::string(nameOf(memory)).c_str(), std::string(nameOf(output)).c_str())
                << int(memory) << int(output);
}

void TestCameraVideo::identityShowsTheDecodersFrames()
{
    QFETCH(int, memory);
    QFETCH(int, output);
    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = "soft:orin";
    Result<std::unique_ptr<FrameSource>> source = openSource("file:" + m_clip.toStdString(), Pacing::Unpaced);
    JETSCOPE_VERIFY(source);
    setup.source = std::move(source).value();
    setup.config.memory = static_cast<MemoryKind>(memory);
    setup.config.output = static_cast<OutputKind>(output);
    setup.config.filters = {Filter::Identity};
    setup.frameLimit = kFrames;
    setup.outputTap = log.tap();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        QVERIFY2(log.pixels()[frame] == m_decoded[frame], qPrintable(QString("frame %1").arg(frame)));
}

JETSCOPE_TEST(TestCameraVideo)
#include "tst_cameravideo.moc"
