// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Output of `jetscope doctor` about cameras, on a simulated machine whose kernel refuses access and whose file system
// lacks files.
#include "app/board/machinereport.h"
#include "gpu/sources/v4l2/camerafacts.h"
#include "gpu/sources/v4l2/camerasource.h"
#include "tests/app/jsonlines.h"
#include "tests/support/fakecamera.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <condition_variable>
#include <mutex>

using namespace jetscope;

namespace {

/// Several devices that fail to open for different reasons, and one that opens.
class MixedKernel final : public V4l2Syscalls {
public:
    std::map<std::string, int> refused; ///< errno per device; 0 means success.
    testing::FakeCamera camera;

    std::vector<std::string> devices() override
    {
        std::vector<std::string> paths;
        for (const auto &[path, number] : refused)
            paths.push_back(path);
        return paths;
    }
    int open(const char *path) override { return refused[path] != 0 ? -refused[path] : camera.open(path); }
    void close(int fd) override { camera.close(fd); }
    int control(int fd, unsigned long request, void *argument) override
    {
        return camera.control(fd, request, argument);
    }
    void *map(int fd, std::size_t bytes, std::size_t offset) override { return camera.map(fd, bytes, offset); }
    void unmap(void *memory, std::size_t bytes) override { camera.unmap(memory, bytes); }
    Wait wait(int fd, int wakeFd, int milliseconds) override { return camera.wait(fd, wakeFd, milliseconds); }
};

/// The text that doctor prints, with wrapped lines joined, and the same as JSON.
struct Said {
    QString text;
    QJsonObject json;
};

} // namespace

class TestDoctorCameras : public QObject {
    Q_OBJECT

private slots:
    void eachCameraSaysWhetherItCanBeUsed();
    void aCameraSaysWhatItIsSetTo();
    void aSourceIsReadForItsFacts();
    void aSourceWithoutFramesIsGivenUp();
    void everyKindOfSourceIsListed();
    void hintsNameWhatIsMissing_data();
    void hintsNameWhatIsMissing();

private:
    static Said doctor(MixedKernel &kernel, const QTemporaryDir &root);
};

Said TestDoctorCameras::doctor(MixedKernel &kernel, const QTemporaryDir &root)
{
    const MachineReport report = examineMachine({[&] { return camerasOf(kernel); }, root.path().toStdString()});
    return {QString::fromStdString(doctorText(report)).simplified(), printed(doctorJson(report))};
}

void TestDoctorCameras::eachCameraSaysWhetherItCanBeUsed()
{
    MixedKernel kernel;
    kernel.refused = {{"/dev/video0", 0}, {"/dev/video1", EACCES}, {"/dev/video2", EBUSY}, {"/dev/video3", ENODEV}};
    kernel.camera.fourccs = {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_H264};
    const Said said = doctor(kernel, QTemporaryDir());
    for (const char *part :
         {"Camera v4l2:/dev/video0 Fake camera at test:1", "not read H264", "Camera v4l2:/dev/video1",
          "no: \"/dev/video1\" may not be opened by this user: join the group video (sudo usermod -aG video $USER)",
          "in a container, pass the device in with --device", "no: \"/dev/video2\" is in use by another program",
          "no: \"/dev/video3\" is no longer connected"})
        QVERIFY2(said.text.contains(part), qPrintable(QString(part) + " is not in: " + said.text));
    const QJsonArray cameras = said.json["cameras"].toArray();
    QCOMPARE(cameras.size(), 4);
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(cameras[i].toObject()["source"].toString(), QString("v4l2:/dev/video%1").arg(i));
        QCOMPARE(cameras[i].toObject()["available"].toBool(), i == 0);
        QCOMPARE(cameras[i].toObject()["reason"].isNull(), i == 0);
    }
    QVERIFY(said.json["camera_hints"].toArray().isEmpty());
    QCOMPARE(kernel.camera.openFiles, 0);
}

void TestDoctorCameras::aCameraSaysWhatItIsSetTo()
{
    MixedKernel kernel;
    kernel.refused = {{"/dev/video0", 0}};
    kernel.camera.colourspace = V4L2_COLORSPACE_REC709;
    kernel.camera.field = V4L2_FIELD_INTERLACED_TB;
    const Said said = doctor(kernel, QTemporaryDir());
    QVERIFY2(said.text.contains("is set to codec raw YUYV; coded size 64×48; colour BT.709, limited range; "
                                "field order top field first"),
             qPrintable(said.text));
    const QJsonObject stream = said.json["cameras"].toArray()[0].toObject()["stream"].toObject();
    QCOMPARE(stream["codec"].toString(), QString("raw YUYV"));
    QCOMPARE(stream["width"].toInt(), 64);
    QVERIFY(stream["measured_fps"].isNull());
}

void TestDoctorCameras::aSourceIsReadForItsFacts()
{
    testing::FakeCamera camera;
    camera.period = 5;
    camera.tamper = [](v4l2_buffer &buffer) {
        if (buffer.sequence == 3)
            buffer.flags |= V4L2_BUF_FLAG_ERROR;
    };
    MachineReport report;
    report.stream = examineStream(
        "v4l2:?io=mmap", [&](const std::string &uri) { return openCamera(camera, parseSourceUri(uri).value()); });
    QCOMPARE(report.stream->error, std::string());
    QCOMPARE(report.stream->frames, std::uint64_t{30});
    QVERIFY(report.stream->state.facts.measuredFps > 10);
    const QJsonObject json = printed(doctorJson(report))["source"].toObject();
    QCOMPARE(json["stream"].toObject()["codec"].toString(), QString("raw YUYV"));
    QCOMPARE(json["source_faults"].toObject()["damaged"].toInt(), 1);
    QVERIFY(json["error"].isNull());
    const QString text = QString::fromStdString(doctorText(report)).simplified();
    for (const char *part : {"Source v4l2:?io=mmap: Fake camera", "Codec raw YUYV", "1 frame damaged (of 30 read)"})
        QVERIFY2(text.contains(part), qPrintable(text));
}

void TestDoctorCameras::aSourceWithoutFramesIsGivenUp()
{
    /// Waits until it is cancelled.
    class Silent final : public FrameSource {
    public:
        const SourceInfo &info() const override { return m_info; }
        Result<std::optional<CapturedFrame>> read(std::byte *) override
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_cancelled; });
            return std::optional<CapturedFrame>();
        }
        void cancel() override
        {
            const std::lock_guard lock(m_mutex);
            m_cancelled = true;
            m_wake.notify_all();
        }

    private:
        SourceInfo m_info;
        std::mutex m_mutex;
        std::condition_variable m_wake;
        bool m_cancelled = false;
    };
    const StreamReport silent = examineStream("gst:silent", [](const std::string &) {
        return Result<std::unique_ptr<FrameSource>>(std::make_unique<Silent>());
    });
    QCOMPARE(silent.frames, std::uint64_t{0});
    QVERIFY2(silent.error.find("no frame came") != std::string::npos, silent.error.c_str());
    const StreamReport absent = examineStream("file:absent", [](const std::string &) {
        return Result<std::unique_ptr<FrameSource>>(Error{"file", 0, "there is no such file: check the path"});
    });
    QVERIFY2(absent.error.find("no such file") != std::string::npos, absent.error.c_str());
}

void TestDoctorCameras::everyKindOfSourceIsListed()
{
    MixedKernel kernel;
    const QJsonObject sources = doctor(kernel, QTemporaryDir()).json["sources"].toObject();
    for (const char *kind : {"synthetic", "file", "v4l2", "csi", "rtsp", "http", "https", "gst", "csi via nvbuf"})
        QVERIFY2(sources.contains(QLatin1String(kind)), kind);
}

void TestDoctorCameras::hintsNameWhatIsMissing_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<bool>("camera");
    QTest::addColumn<QStringList>("hints");
    const QString plugIn = "No USB camera is connected: plug one in";
    const QString device = "start it with --device /dev/video0 and --group-add video";
    const QString daemon = "sudo systemctl restart nvargus-daemon";
    const QString socket = "-v /tmp/argus_socket:/tmp/argus_socket";
    const auto row = [](const char *name, const QStringList &files, bool camera, const QStringList &hints) {
        QTest::newRow(name) << files << camera << hints;
    };
    row("a PC with a camera", {}, true, {});
    row("a PC without", {}, false, {plugIn});
    for (const char *mark : {".dockerenv", "run/.containerenv", "run/systemd/container"}) {
        row((QByteArray("a container without: ") + mark).constData(), {mark}, false, {device});
        row((QByteArray("a container on a Jetson: ") + mark).constData(), {mark, "etc/nv_tegra_release"}, true,
            {socket});
    }
    row("a container on a Jetson without anything", {".dockerenv", "etc/nv_tegra_release"}, false, {device, socket});
    row("a Jetson whose service is down", {"etc/nv_tegra_release"}, true, {daemon});
    row("a Jetson without anything", {"etc/nv_tegra_release"}, false, {plugIn, daemon});
    row("a Jetson that works", {"etc/nv_tegra_release", "tmp/argus_socket"}, true, {});
}

void TestDoctorCameras::hintsNameWhatIsMissing()
{
    QFETCH(QStringList, files);
    QFETCH(bool, camera);
    QFETCH(QStringList, hints);
    const QTemporaryDir root;
    for (const QString &path : files) {
        QVERIFY(QDir(root.path()).mkpath(QFileInfo(path).path()));
        QFile file(root.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    MixedKernel kernel;
    if (camera)
        kernel.refused = {{"/dev/video0", 0}};
    const Said said = doctor(kernel, root);
    const QJsonArray told = said.json["camera_hints"].toArray();
    QCOMPARE(told.size(), hints.size());
    for (int i = 0; i < hints.size(); ++i) {
        QVERIFY2(told[i].toString().contains(hints[i]), qPrintable(told[i].toString()));
        QVERIFY2(said.text.contains("Cameras " + told[i].toString()), qPrintable(said.text));
    }
}

JETSCOPE_TEST(TestDoctorCameras)
#include "tst_doctorcameras.moc"
