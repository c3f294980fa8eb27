// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/progress.h"
#include "tests/screenshots/referencepicture.h"
#include "tests/support/fakecaptures.h"
#include "tests/support/testprogram.h"
#include "ui/remote/boardsdialog.h"
#include "ui/remote/capturesdialog.h"
#include "ui/session/settings.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QLabel>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <chrono>
#include <thread>

using namespace jetscope;

/// The dialog that connects boards, while it copies and after an error, in both themes.
class TestBoardsPicture : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (const char *why = whyNoReferences())
            QSKIP(why);
        QFont font(QStringLiteral("DejaVu Sans"));
        font.setPixelSize(12);
        qApp->setFont(font);
        QLocale::setDefault(QLocale::c());
        qputenv("TZ", "UTC");
    }
    void dialog_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<bool>("fails");
        QTest::newRow("boards-copying-dark") << true << false;
        QTest::newRow("boards-copying-light") << false << false;
        QTest::newRow("boards-refused-dark") << true << true;
    }
    void dialog()
    {
        QFETCH(const bool, dark);
        QFETCH(const bool, fails);
        applyTheme(*qApp, dark ? darkTheme() : lightTheme());
        Settings settings(Settings::Use::Ignore);
        KnownBoards known(settings);
        const QDateTime used(QDate(2026, 11, 2), QTime(9, 0));
        known.addUsed({QStringLiteral("xavier-bench"), QStringLiteral("Jetson AGX Xavier, L4T 35.4.1"), used});
        known.addUsed({QStringLiteral("me@orin-nano-7"), QStringLiteral("Jetson Orin Nano, L4T 36.4.3"), used});
        BoardsDialog dialog(
            {known,
             {QStringLiteral("thor-dev-1"), QStringLiteral("gate-1")},
             [fails](const std::string &address, ConnectWatch &watch) { return connectBoard(address, watch, fails); }},
            nullptr);
        dialog.resize(760, 520);
        dialog.show();
        dialog.connectWith(QStringLiteral("me@orin-nano-7"));
        const QString awaited = fails ? QStringLiteral("ssh-copy-id") : QStringLiteral("66 %");
        const auto isShown = [&] {
            const QList<QLabel *> labels = dialog.findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel *label) { return label->text().contains(awaited); });
        };
        QTRY_VERIFY(isShown());
        QTest::qWait(50); // The layout follows.
        const QString difference =
            differenceFromReference(dialog.grab().toImage(), QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void captures_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("captures-dark") << true;
        QTest::newRow("captures-light") << false;
    }
    /// The captures of a board, one of which grows.
    void captures()
    {
        QFETCH(const bool, dark);
        applyTheme(*qApp, dark ? darkTheme() : lightTheme());
        const auto store = std::make_shared<testing::FakeCaptures>();
        QVERIFY(store->startRecording("orin-lab-3").ok());
        CapturesDialog dialog(QStringLiteral("orin-lab-3"), store, nullptr);
        dialog.resize(760, 300);
        dialog.show();
        auto *list = dialog.findChild<QTreeWidget *>(QStringLiteral("captures"));
        QTRY_COMPARE(list->topLevelItemCount(), 3);
        list->setCurrentItem(list->topLevelItem(1));
        QTest::qWait(50); // The layout follows.
        const QString difference =
            differenceFromReference(dialog.grab().toImage(), QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

private:
    static Result<ConnectedBoard> connectBoard(const std::string &address, ConnectWatch &watch, bool fails)
    {
        if (fails)
            return Error{"", 0,
                         address + " refuses the keys of this user: put one there with ssh-copy-id " + address
                             + ". ssh says: \"Permission denied (publickey).\""};
        watch.advance({ConnectStep::Reach, true, 400, "arm64, glibc 2.35, L4T 36.4.3"});
        while (watch.advance({ConnectStep::Copy, false, 0, {}, 0.66}))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return cancelledError();
    }
};

JETSCOPE_TEST(TestBoardsPicture)
#include "tst_boardspicture.moc"
