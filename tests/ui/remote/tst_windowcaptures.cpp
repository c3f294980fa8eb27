// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakecaptures.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/remote/capturesdialog.h"
#include "ui/remote/capturewords.h"
#include "ui/style/messagebar.h"
#include "ui/window/statusline.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowremote.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace jetscope;
using jetscope::testing::FakeCaptures;

namespace {

class BoardOfPipelines final : public PipelineHost {
public:
    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        auto pipeline = std::make_unique<FakePipeline>();
        pipeline->state.config = request.config;
        return std::unique_ptr<PipelineControl>(std::move(pipeline));
    }
    std::vector<DeviceCandidate> devices() override { return {{"cuda:0", "Orin", Capability::yes()}}; }
    std::vector<CameraInfo> cameras() override { return {}; }
    PlatformFacts platform() override { return {}; }
};

} // namespace

/// A window on a board that records.
class TestWindowCaptures : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
    std::shared_ptr<FakeCaptures> m_captures;

    MainWindow &window() const { return m_fake->window(); }
    bool connectBoard()
    {
        m_fake->connectBoard = [this](const std::string &, ConnectWatch &) -> Result<ConnectedBoard> {
            ConnectedBoard board;
            board.host = std::make_shared<BoardOfPipelines>();
            board.name = "orin-lab-3";
            board.link = [captures = m_captures] { return captures->state(); };
            board.takeOver = [] { return Status(); };
            board.captures = m_captures;
            return board;
        };
        window().remote().connectWith(QStringLiteral("orin-lab-3"));
        return QTest::qWaitFor([this] {
            return !window().remote().address().isEmpty() && window().live().session().phase() == Session::Phase::Open;
        });
    }
    bool statusSays(const QString &text) const
    {
        for (const QLabel *label : window().findChildren<QLabel *>())
            if (label->isVisibleTo(&window()) && label->text().contains(text))
                return true;
        return false;
    }
    CapturesDialog *dialog() const
    {
        window().actions().boardCaptures->trigger();
        return window().findChild<CapturesDialog *>();
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_captures = std::make_shared<FakeCaptures>();
        m_fake = std::make_unique<FakeWindow>();
        window().show();
        QVERIFY(m_fake->open());
    }
    void cleanup() { m_fake.reset(); }

    void recordIsDoneByTheBoard()
    {
        QVERIFY(!window().actions().boardCaptures->isEnabled());
        QVERIFY(connectBoard());
        QVERIFY(window().actions().boardCaptures->isEnabled());
        window().actions().record->trigger();
        QTRY_VERIFY(statusSays(QStringLiteral("Recording on orin-lab-3 2:14 · 214 MB · 31.0 GB free")));
        QCOMPARE(m_captures->recordedAs, std::string("orin-lab-3"));
        QCOMPARE(window().actions().record->text(), QStringLiteral("Stop"));
        window().actions().record->trigger();
        QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("Recorded to now.jscope on orin-lab-3")));
        QTRY_COMPARE(window().actions().record->text(), QStringLiteral("Record"));
        QVERIFY(!statusSays(QStringLiteral("Recording on")));
        // And fetched from the message.
        m_fake->chosenPath = m_folder->filePath(QStringLiteral("now.jscope"));
        auto *fetch = [this]() -> QPushButton * {
            for (QPushButton *button : window().messages()->findChildren<QPushButton *>())
                if (button->text() == QStringLiteral("Fetch it…"))
                    return button;
            return nullptr;
        }();
        QVERIFY(fetch);
        fetch->click();
        QTRY_COMPARE(window().trace().session().phase(), Session::Phase::File);
        QCOMPARE(m_captures->fetchedName, std::string("now.jscope"));
        QVERIFY(m_fake->suggestedPath.endsWith(QStringLiteral("/now.jscope")));
        QCOMPARE(window().space(), MainWindow::Space::Trace);
    }

    void aRefusalIsSaid()
    {
        QVERIFY(connectBoard());
        m_captures->refuse("Another laptop gives the orders to this board: take over first");
        window().actions().record->trigger();
        QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("take over first")));
        m_captures->refuse({});
        window().actions().record->trigger();
        QTRY_COMPARE(window().actions().record->text(), QStringLiteral("Stop"));
    }

    void aFullDiskIsSaid()
    {
        QVERIFY(connectBoard());
        window().actions().record->trigger();
        QTRY_COMPARE(window().actions().record->text(), QStringLiteral("Stop"));
        m_captures->change([](RemoteState &state, CaptureList &) {
            state.recording.isOn = false;
            state.recording.failure = "the recording on orin-lab-3 ended early: the disk is full";
        });
        QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("ended early: the disk is full")));
        QTRY_COMPARE(window().actions().record->text(), QStringLiteral("Record"));
    }

    void whatSurvivedIsOffered()
    {
        QVERIFY(connectBoard());
        m_captures->change([](RemoteState &state, CaptureList &) { state.survivor = "old.jscope"; });
        QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("was started anew while it recorded")));
        QVERIFY(window().messages()->text().contains(QStringLiteral("old.jscope")));
    }

    void aLongAbsenceIsSaid()
    {
        QVERIFY(connectBoard());
        m_captures->change([](RemoteState &state, CaptureList &) { state.isConnected = false; });
        QTest::qWait(600);
        m_captures->change([](RemoteState &state, CaptureList &) {
            state.isConnected = true;
            state.cuts = 1;
            state.away = std::chrono::hours(1);
        });
        QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("away for 1 h")));
    }

    void theListFetchesAndDeletes()
    {
        QVERIFY(connectBoard());
        CapturesDialog *list = dialog();
        QVERIFY(list);
        auto *captures = list->findChild<QTreeWidget *>(QStringLiteral("captures"));
        auto *fetch = list->findChild<QPushButton *>(QStringLiteral("fetchCapture"));
        auto *remove = list->findChild<QPushButton *>(QStringLiteral("deleteCapture"));
        QTRY_COMPARE(captures->topLevelItemCount(), 2);
        QCOMPARE(captures->topLevelItem(0)->text(0), QStringLiteral("2026-11-27_19-31-05_csi-0.jscope"));
        QCOMPARE(captures->topLevelItem(0)->text(2), QStringLiteral("2:14"));
        QCOMPARE(captures->topLevelItem(0)->text(3), QStringLiteral("214 MB"));
        QVERIFY(list->findChild<QLabel *>(QStringLiteral("capturesAbout"))
                    ->text()
                    .contains(QStringLiteral("31.0 GB free")));
        // What grows is listed, and can neither be fetched nor deleted.
        window().actions().record->trigger();
        QTRY_COMPARE(captures->topLevelItemCount(), 3);
        QCOMPARE(captures->topLevelItem(0)->text(1), QStringLiteral("● now"));
        captures->setCurrentItem(captures->topLevelItem(0));
        QVERIFY(!fetch->isEnabled() && !remove->isEnabled());
        QVERIFY(fetch->toolTip().contains(QStringLiteral("end the recording")));
        // One click asks, the second deletes; choosing another one takes the question back.
        captures->setCurrentItem(captures->topLevelItem(2));
        QVERIFY(fetch->isEnabled() && remove->isEnabled());
        remove->click();
        QCOMPARE(remove->text(), QStringLiteral("Delete for good"));
        captures->setCurrentItem(captures->topLevelItem(1));
        QCOMPARE(remove->text(), QStringLiteral("Delete"));
        captures->setCurrentItem(captures->topLevelItem(2));
        remove->click();
        list->refresh(); // A look at the board in between keeps what is chosen.
        QTest::qWait(50);
        remove->click();
        QTRY_COMPARE(captures->topLevelItemCount(), 2);
        QCOMPARE(m_captures->captures().value().captures.back().name, std::string("2026-11-27_19-31-05_csi-0.jscope"));
        captures->setCurrentItem(captures->topLevelItem(1));
        m_fake->chosenPath = m_folder->filePath(QStringLiteral("fetched.jscope"));
        fetch->click();
        QTRY_COMPARE(window().trace().session().phase(), Session::Phase::File);
        QCOMPARE(m_captures->fetchedName, std::string("2026-11-27_19-31-05_csi-0.jscope"));
    }

    void aFetchShowsItsRateAndCanBeCancelled()
    {
        QVERIFY(connectBoard());
        m_captures->holds = true;
        CapturesDialog *list = dialog();
        auto *fetch = list->findChild<QPushButton *>(QStringLiteral("fetchCapture"));
        QTRY_VERIFY(fetch->isEnabled());
        m_fake->chosenPath = m_folder->filePath(QStringLiteral("fetched.jscope"));
        fetch->click();
        QTRY_VERIFY(statusSays(QStringLiteral("from orin-lab-3: ")) && statusSays(QStringLiteral("3.1 MB a second")));
        QVERIFY(statusSays(QStringLiteral("goes on behind the 1 MB")));
        auto *cancel = [this]() -> QPushButton * {
            for (QPushButton *button : window().findChildren<QPushButton *>())
                if (button->isVisible() && button->toolTip().contains(QStringLiteral("What came is kept")))
                    return button;
            return nullptr;
        }();
        QVERIFY(cancel);
        cancel->click();
        QTRY_VERIFY(!cancel->isVisible());
        QVERIFY(!QFile::exists(m_fake->chosenPath));
        // A failure is said.
        m_captures->holds = false;
        m_captures->fetchFails = "the disk of this machine is full";
        fetch->click();
        QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("was not fetched: the disk of this machine")));
    }

    void thisMachineRecordsAsBefore()
    {
        QVERIFY(connectBoard());
        window().actions().leaveBoard->trigger();
        QTRY_COMPARE(window().live().session().phase(), Session::Phase::Open);
        QVERIFY(!window().actions().boardCaptures->isEnabled());
        m_fake->chosenPath = m_folder->filePath(QStringLiteral("here.jscope"));
        window().actions().record->trigger();
        QTRY_VERIFY(QFile::exists(m_fake->chosenPath));
        QCOMPARE(m_captures->recordedAs, std::string());
        window().actions().record->trigger();
    }

    void wordsAreShort()
    {
        QCOMPARE(clockWords(5'000'000'000), QStringLiteral("0:05"));
        QCOMPARE(clockWords(3'723'000'000'000), QStringLiteral("1:02:03"));
        QCOMPARE(fetchWords({FetchProgress::Step::Coming, 12'000'000, 40'000'000, 0, {}, {}}, "a.jscope", "orin"),
                 QStringLiteral("Fetching a.jscope from orin: 12.0 MB of 40.0 MB"));
        QCOMPARE(fetchWords({FetchProgress::Step::Checking, 40'000'000, 40'000'000, 0, {}, {}}, "a.jscope", "orin"),
                 QStringLiteral("Fetching a.jscope from orin: comparing checksums"));
        QVERIFY(fetchWords({FetchProgress::Step::Away, 1, 2, 0, std::chrono::seconds(90), {}}, "a.jscope", "orin")
                    .contains(QStringLiteral("away for 90")));
    }
};

JETSCOPE_TEST(TestWindowCaptures)
#include "tst_windowcaptures.moc"
