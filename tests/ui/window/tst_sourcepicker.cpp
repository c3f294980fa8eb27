// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"

#include "tests/support/testprogram.h"
#include "ui/live/cameramenu.h"
#include "ui/live/camerapreview.h"
#include "ui/live/camerasettings.h"
#include "ui/style/messagebar.h"
#include "ui/window/livehead.h"
#include "ui/window/sourcepicker.h"
#include "ui/window/windowmenus.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWidgetAction>

#include <atomic>
#include <mutex>

using namespace jetscope;

namespace {

CameraInfo webcam()
{
    CameraInfo camera;
    camera.uri = "v4l2:/dev/video7";
    camera.path = "/dev/video7";
    camera.name = "Webcam";
    camera.bus = "usb-1";
    camera.usable = Capability::yes();
    camera.formats = {{"YUYV", Capability::yes(), {{640, 480, {30, 15}}, {1280, 720, {}}}},
                      {"H264", Capability::no("not read"), {}}};
    return camera;
}

/// The cameras of a test; the list is read on another thread.
struct Connected {
    std::vector<CameraInfo> list()
    {
        const std::lock_guard lock(mutex);
        return cameras;
    }
    void set(std::vector<CameraInfo> now)
    {
        const std::lock_guard lock(mutex);
        cameras = std::move(now);
    }
    std::mutex mutex;
    std::vector<CameraInfo> cameras;
};

/// Camera sources for previews; counts open sources and reads.
struct Previewed {
    class Source final : public FrameSource {
    public:
        Source(Previewed &all, const std::string &uri) : m_all(all)
        {
            m_info.uri = uri;
            m_info.layout = makeImageLayout(PixelFormat::Grey8, 64, 36);
            m_info.live = true;
            m_all.mostOpen = std::max<int>(m_all.mostOpen, ++m_all.open_);
        }
        ~Source() override { --m_all.open_; }
        const SourceInfo &info() const override { return m_info; }
        Result<std::optional<CapturedFrame>> read(std::byte *into) override
        {
            if (m_cancelled)
                return std::optional<CapturedFrame>();
            if (!m_all.breaks.empty())
                return Error{"read", 0, m_all.breaks};
            std::fill_n(into, m_info.layout.bytes, std::byte{0x90});
            ++m_all.reads;
            return std::optional(CapturedFrame{m_next++, 1});
        }
        void cancel() override { m_cancelled = true; }

    private:
        Previewed &m_all;
        SourceInfo m_info;
        std::uint64_t m_next = 0;
        std::atomic<bool> m_cancelled{false};
    };

    Result<std::unique_ptr<FrameSource>> open(const std::string &uri)
    {
        ++opened;
        {
            const std::lock_guard lock(mutex);
            lastUri = uri;
        }
        if (!refuses.empty())
            return Error{"open", 16, refuses};
        return std::unique_ptr<FrameSource>(std::make_unique<Source>(*this, uri));
    }

    std::string refuses; ///< Set before a source is opened.
    std::string breaks;
    std::atomic<int> opened{0};
    std::atomic<int> open_{0};
    std::atomic<int> mostOpen{0};
    std::atomic<int> reads{0};
    std::mutex mutex;
    std::string lastUri;
};

QAction *actionNamed(const QMenu &menu, const QString &text)
{
    for (QAction *action : menu.actions())
        if (action->text() == text)
            return action;
    qFatal("no such action");
}

QStringList textsOf(const QMenu &menu)
{
    QStringList texts;
    for (const QAction *action : menu.actions())
        texts << action->text();
    return texts;
}

} // namespace

class TestSourcePicker : public QObject {
    Q_OBJECT

private slots:
    void init();
    void camerasComeAndGoWithTheirFiles();
    void aCameraOffersItsSizes();
    void aCameraThatCannotBeUsedSaysWhy();
    void theMenuListsCamerasAndOpensThem();
    void theWindowListsTheCamerasOfTheHost();
    void troubleIsToldAndItsEnd();
    void copiesAreShown();
    void aPreviewShowsPicturesWhileItsMenuIsOpen();
    void previewsAreOpenOneAtATime();
    void aPreviewThatFailsSaysWhy_data();
    void aPreviewThatFailsSaysWhy();
    void theCameraThatRunsIsNotOpenedAgain();
    void aChosenCameraIsClosedBeforeItIsOpened();
    void previewsAreSmallAndSlow();
    void settingsAreThoseOfTheCamera();
    void settingsThatFailSayWhy();

private:
    std::unique_ptr<SourcePicker> pickerFor(Connected &connected);
    static QLabel *pictureOf(CameraMenu *menu);
    SourceMenu *sourceMenu() { return m_fake->window().findChild<SourceMenu *>(); }
    CameraMenu *webcamMenu() { return sourceMenu()->findChild<CameraMenu *>(QStringLiteral("v4l2:/dev/video7")); }
    Previewed m_previewed;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestSourcePicker::init()
{
    m_fake = std::make_unique<FakeWindow>();
    QVERIFY(m_fake->open());
}

std::unique_ptr<SourcePicker> TestSourcePicker::pickerFor(Connected &connected)
{
    MainWindow &window = m_fake->window();
    return std::make_unique<SourcePicker>([&connected] { return connected.list(); }, QString(),
                                          [this](const std::string &uri) { return m_previewed.open(uri); },
                                          SourcePicker::Window{*window.findChild<SourceMenu *>(), *window.messages(),
                                                               window.live().head(), window.session()},
                                          &window);
}

void TestSourcePicker::camerasComeAndGoWithTheirFiles()
{
    QTemporaryDir folder;
    Connected connected;
    CameraWatch watch([&] { return connected.list(); }, folder.path());
    const QSignalSpy changes(&watch, &CameraWatch::changed);
    for (int round = 0; round < 3; ++round) {
        connected.set({webcam()});
        QFile file(folder.filePath("video7"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QTRY_COMPARE(watch.cameras().size(), std::size_t{1});
        connected.set({});
        QVERIFY(file.remove());
        QTRY_VERIFY(watch.cameras().empty());
    }
    QCOMPARE(changes.count(), 6);
}

void TestSourcePicker::aCameraOffersItsSizes()
{
    CameraMenu menu(webcam(), nullptr);
    QSignalSpy chosen(&menu, &CameraMenu::chosen);
    menu.actions().front()->trigger();
    QCOMPARE(chosen.takeFirst().front().toString(), QStringLiteral("v4l2:/dev/video7"));
    const QMenu *sizes = nullptr;
    for (const QAction *action : menu.actions())
        if (action->menu())
            sizes = action->menu();
    QVERIFY(sizes);
    QCOMPARE(textsOf(*sizes), (QStringList{QStringLiteral("640×480 · 30 fps"), QStringLiteral("1280×720")}));
    sizes->actions().front()->trigger();
    QCOMPARE(chosen.takeFirst().front().toString(), QStringLiteral("v4l2:/dev/video7?size=640x480&format=YUYV&fps=30"));
}

void TestSourcePicker::aCameraThatCannotBeUsedSaysWhy()
{
    CameraInfo camera = webcam();
    camera.usable = Capability::no("it is locked away");
    const CameraMenu menu(camera, nullptr);
    QCOMPARE(menu.actions().size(), 1);
    QVERIFY(menu.actions().front()->text().contains(QStringLiteral("it is locked away")));
    QVERIFY(!menu.actions().front()->isEnabled());
}

void TestSourcePicker::theMenuListsCamerasAndOpensThem()
{
    Connected connected;
    connected.set({webcam()});
    const auto picker = pickerFor(connected);
    QTRY_VERIFY(webcamMenu());
    actionNamed(*webcamMenu(), QStringLiteral("Open"))->trigger();
    QTRY_COMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t{1});
    QCOMPARE(m_fake->pipeline().sourceChanges.front(), std::string("v4l2:/dev/video7"));
}

/// The host is at the other end of a wire.
void TestSourcePicker::theWindowListsTheCamerasOfTheHost()
{
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Ignore, std::vector{webcam()});
    QVERIFY(m_fake->open());
    QTRY_VERIFY(webcamMenu());
    const QMenu *sizes = nullptr;
    for (const QAction *action : webcamMenu()->actions())
        if (action->menu())
            sizes = action->menu();
    QVERIFY(sizes);
    QCOMPARE(textsOf(*sizes), (QStringList{QStringLiteral("640×480 · 30 fps"), QStringLiteral("1280×720")}));
    actionNamed(*webcamMenu(), QStringLiteral("Open"))->trigger();
    QTRY_COMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t{1});
    QCOMPARE(m_fake->pipeline().sourceChanges.front(), std::string("v4l2:/dev/video7"));
}

void TestSourcePicker::troubleIsToldAndItsEnd()
{
    Connected connected;
    const auto picker = pickerFor(connected);
    m_fake->pipeline().state.sourceState.trouble = "Webcam was unplugged; waiting for it to return";
    m_fake->poll();
    QVERIFY(m_fake->window().messages()->text().contains(QStringLiteral("unplugged")));
    m_fake->pipeline().state.sourceState.trouble.clear();
    m_fake->poll();
    QVERIFY(m_fake->window().messages()->text().contains(QStringLiteral("is back")));
    m_fake->pipeline().state.sourceState.remark = "odd stamps";
    m_fake->poll();
    QCOMPARE(m_fake->window().messages()->text(), QStringLiteral("odd stamps"));
}

void TestSourcePicker::copiesAreShown()
{
    SourceState state;
    state.copies = {"from here to there"};
    state.facts.codec = "H.264";
    state.facts.measuredFps = 29.97;
    state.faults.torn = 2;
    Connected connected;
    const auto picker = pickerFor(connected);
    m_fake->pipeline().state.sourceState = state;
    m_fake->poll();
    const auto *button = m_fake->window().live().head().findChild<QToolButton *>(QStringLiteral("source"));
    QVERIFY(button);
    for (const char *part :
         {"from here to there", "Codec: H.264", "Rate: 29.97 fps by its time stamps", "2 frames torn"})
        QVERIFY2(button->toolTip().contains(QLatin1String(part)), qPrintable(button->toolTip()));
}

QLabel *TestSourcePicker::pictureOf(CameraMenu *menu)
{
    auto *row = qobject_cast<QWidgetAction *>(menu->actions().front());
    return row ? qobject_cast<QLabel *>(row->defaultWidget()) : nullptr;
}

void TestSourcePicker::aPreviewShowsPicturesWhileItsMenuIsOpen()
{
    Previewed cameras;
    CameraPreview preview([&](const std::string &uri) { return cameras.open(uri); });
    CameraMenu menu(webcam(), nullptr);
    menu.addPreview(preview, [] { return QString(); });
    QLabel *picture = pictureOf(&menu);
    QVERIFY(picture);
    QSignalSpy pictures(&preview, &CameraPreview::pictured);
    QCOMPARE(cameras.opened.load(), 0);
    emit menu.aboutToShow();
    QVERIFY(!picture->text().isEmpty());
    QTRY_VERIFY(pictures.count() >= 3);
    QVERIFY2(cameras.reads <= pictures.count() + 1, "every frame is read, not a few in a second");
    QVERIFY(!picture->pixmap(Qt::ReturnByValue).isNull());
    QCOMPARE(picture->pixmap(Qt::ReturnByValue).toImage().pixelColor(100, 60), QColor(0x90, 0x90, 0x90));
    emit menu.aboutToHide();
    QTRY_COMPARE(cameras.open_.load(), 0);
    const int before = cameras.opened.load();
    emit menu.aboutToShow();
    QTRY_COMPARE(cameras.opened.load(), before + 1);
    QTRY_COMPARE(cameras.open_.load(), 1);
    emit menu.aboutToHide();
    QTRY_COMPARE(cameras.open_.load(), 0);
}

void TestSourcePicker::previewsAreOpenOneAtATime()
{
    Previewed cameras;
    CameraPreview preview([&](const std::string &uri) { return cameras.open(uri); });
    CameraInfo other = webcam();
    other.uri = "v4l2:/dev/video8";
    CameraMenu first(webcam(), nullptr);
    CameraMenu second(other, nullptr);
    first.addPreview(preview, [] { return QString(); });
    second.addPreview(preview, [] { return QString(); });
    for (int i = 0; i < 5; ++i) {
        emit first.aboutToShow();
        if (i % 2 == 0)
            QTRY_COMPARE(cameras.open_.load(), 1);
        emit first.aboutToHide();
        emit second.aboutToShow();
        QTRY_VERIFY(!pictureOf(&second)->pixmap(Qt::ReturnByValue).isNull());
        emit second.aboutToHide();
    }
    QTRY_COMPARE(cameras.open_.load(), 0);
    QCOMPARE(cameras.mostOpen.load(), 1);
    const std::lock_guard lock(cameras.mutex);
    QVERIFY2(cameras.lastUri.rfind("v4l2:/dev/video8?", 0) == 0, cameras.lastUri.c_str());
}

void TestSourcePicker::aPreviewThatFailsSaysWhy_data()
{
    QTest::addColumn<bool>("opens");
    QTest::newRow("in use") << false;
    QTest::newRow("breaks") << true;
}

void TestSourcePicker::aPreviewThatFailsSaysWhy()
{
    QFETCH(bool, opens);
    Previewed cameras;
    (opens ? cameras.breaks : cameras.refuses) = "\"/dev/video7\" is in use by cheese (process 4711): close it there";
    CameraPreview preview([&](const std::string &uri) { return cameras.open(uri); });
    CameraMenu menu(webcam(), nullptr);
    menu.addPreview(preview, [] { return QString(); });
    emit menu.aboutToShow();
    QTRY_VERIFY(pictureOf(&menu)->text().contains(QStringLiteral("in use by cheese (process 4711)")));
    QTRY_COMPARE(cameras.open_.load(), 0);
    emit menu.aboutToHide();
}

void TestSourcePicker::theCameraThatRunsIsNotOpenedAgain()
{
    Connected connected;
    connected.set({webcam()});
    const auto picker = pickerFor(connected);
    const int before = m_previewed.opened.load();
    QTRY_VERIFY(webcamMenu());
    for (const char *uri : {"v4l2:/dev/video7?size=640x480", "v4l2:"}) { // By path, and as the first usable camera.
        m_fake->pipeline().state.source.uri = uri;
        m_fake->poll();
        emit webcamMenu()->aboutToShow();
        QVERIFY(pictureOf(webcamMenu())->text().contains(QStringLiteral("runs in the window")));
        emit webcamMenu()->aboutToHide();
        QCOMPARE(m_previewed.opened.load(), before);
    }
    m_fake->pipeline().state.source.uri = "v4l2:/dev/video70";
    m_fake->poll();
    emit webcamMenu()->aboutToShow();
    QTRY_COMPARE(m_previewed.opened.load(), before + 1);
    emit webcamMenu()->aboutToHide();
    QTRY_COMPARE(m_previewed.open_.load(), 0);
}

void TestSourcePicker::aChosenCameraIsClosedBeforeItIsOpened()
{
    Connected connected;
    connected.set({webcam()});
    const auto picker = pickerFor(connected);
    QTRY_VERIFY(webcamMenu());
    emit webcamMenu()->aboutToShow();
    QTRY_COMPARE(m_previewed.open_.load(), 1);
    int openWhenChosen = -1;
    connect(sourceMenu(), &SourceMenu::chosen, this, [&](const QString &uri) {
        if (uri == QStringLiteral("v4l2:/dev/video7"))
            openWhenChosen = m_previewed.open_;
    });
    actionNamed(*webcamMenu(), QStringLiteral("Open"))->trigger();
    emit webcamMenu()->aboutToHide(); // The signals may arrive in either order.
    QTRY_COMPARE(openWhenChosen, 0);
}

void TestSourcePicker::previewsAreSmallAndSlow()
{
    CameraInfo camera = webcam();
    QCOMPARE(previewUri(camera), std::string("v4l2:/dev/video7?io=mmap&size=640x480&format=YUYV&fps=15"));
    camera.formats = {{"MJPEG", Capability::yes(), {{320, 240, {30}}}},
                      {"YUYV", Capability::yes(), {{1920, 1080, {5}}, {80, 60, {30}}, {320, 240, {60, 30, 5, 1}}}}};
    QCOMPARE(previewUri(camera), std::string("v4l2:/dev/video7?io=mmap&size=320x240&format=YUYV&fps=5"));
    camera.formats.pop_back();
    QCOMPARE(previewUri(camera), std::string("v4l2:/dev/video7?io=mmap&size=320x240&format=MJPEG&fps=30"));
    camera.formats.clear();
    QCOMPARE(previewUri(camera), std::string("v4l2:/dev/video7?io=mmap"));
}

void TestSourcePicker::settingsAreThoseOfTheCamera()
{
    std::mutex mutex;
    std::vector<std::pair<std::uint32_t, std::int64_t>> written;
    CameraControl gain{1, "Gain", CameraControl::Kind::Integer, 0, 100, 5, 50, 40, {}, false, false};
    CameraControl mode{2, "Mode", CameraControl::Kind::Menu, 1, 3, 1, 1, 3, {{1, "day"}, {3, "night"}}, false, false};
    CameraControl locked{3, "Exposure", CameraControl::Kind::Integer, 0, 9, 1, 0, 0, {}, false, true};
    CameraSettings settings(QStringLiteral("Webcam"),
                            {[&]() -> Result<std::vector<CameraControl>> {
                                 return std::vector{gain, mode, locked};
                             },
                             [&](std::uint32_t id, std::int64_t value) {
                                 const std::lock_guard lock(mutex);
                                 written.emplace_back(id, value);
                                 return Status();
                             }});
    QSignalSpy shown(&settings, &CameraSettings::shown);
    QVERIFY(shown.wait());
    auto *number = settings.findChild<QSpinBox *>(QStringLiteral("Gain"));
    QVERIFY(number && number->value() == 40 && number->maximum() == 100);
    auto *list = settings.findChild<QComboBox *>(QStringLiteral("Mode"));
    QVERIFY(list && list->currentText() == QStringLiteral("night"));
    QVERIFY(!settings.findChild<QSpinBox *>(QStringLiteral("Exposure"))->isEnabled());
    number->setValue(45);
    emit list->activated(0);
    const auto writtenCount = [&] {
        const std::lock_guard lock(mutex);
        return written.size();
    };
    QTRY_COMPARE(writtenCount(), std::size_t{2});
    const std::lock_guard lock(mutex);
    QCOMPARE(written[0], (std::pair<std::uint32_t, std::int64_t>{1, 45}));
    QCOMPARE(written[1], (std::pair<std::uint32_t, std::int64_t>{2, 1}));
}

void TestSourcePicker::settingsThatFailSayWhy()
{
    CameraSettings settings(QStringLiteral("Webcam"),
                            {[]() -> Result<std::vector<CameraControl>> {
                                 return Error{"open", 13, "may not be opened"};
                             },
                             [](std::uint32_t, std::int64_t) { return Status(); }});
    const auto says = [&](const QString &text) {
        for (const QLabel *label : settings.findChildren<QLabel *>())
            if (label->text().contains(text))
                return true;
        return false;
    };
    QTRY_VERIFY(says(QStringLiteral("may not be opened")));
}

JETSCOPE_TEST(TestSourcePicker)
#include "tst_sourcepicker.moc"
