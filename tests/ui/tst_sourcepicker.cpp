// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"

#include "ui/messagebar.h"
#include "ui/sources/cameramenu.h"
#include "ui/sources/camerasettings.h"
#include "ui/sources/sourcepicker.h"
#include "ui/topbar.h"
#include "ui/windowmenus.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

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

/// The cameras of a test, for a list that is read on another thread.
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
    void troubleIsToldAndItsEnd();
    void copiesAreShown();
    void settingsAreThoseOfTheCamera();
    void settingsThatFailSayWhy();

private:
    std::unique_ptr<SourcePicker> pickerFor(Connected &connected);
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
                                          SourcePicker::Window{*window.findChild<SourceMenu *>(), *window.messages(), *window.topBar(),
                                                               window.session()},
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
    auto *menu = m_fake->window().findChild<SourceMenu *>();
    const auto findCamera = [&] { return menu->findChild<CameraMenu *>(QStringLiteral("v4l2:/dev/video7")); };
    QTRY_VERIFY(findCamera());
    findCamera()->actions().front()->trigger();
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
    Connected connected;
    const auto picker = pickerFor(connected);
    m_fake->pipeline().state.sourceState = state;
    m_fake->poll();
    const auto *button = m_fake->window().topBar()->findChild<QToolButton *>(QStringLiteral("source"));
    QVERIFY(button && button->toolTip().contains(QStringLiteral("from here to there")));
}

void TestSourcePicker::settingsAreThoseOfTheCamera()
{
    std::mutex mutex;
    std::vector<std::pair<std::uint32_t, std::int64_t>> written;
    CameraControl gain{1, "Gain", CameraControl::Kind::Integer, 0, 100, 5, 50, 40, {}, false, false};
    CameraControl mode{2, "Mode", CameraControl::Kind::Menu, 1, 3, 1, 1, 3, {{1, "day"}, {3, "night"}}, false, false};
    CameraControl locked{3, "Exposure", CameraControl::Kind::Integer, 0, 9, 1, 0, 0, {}, false, true};
    CameraSettings settings(QStringLiteral("Webcam"), {[&]() -> Result<std::vector<CameraControl>> { return std::vector{gain, mode, locked}; },
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
    CameraSettings settings(QStringLiteral("Webcam"), {[]() -> Result<std::vector<CameraControl>> {
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

QTEST_MAIN(TestSourcePicker)
#include "tst_sourcepicker.moc"
