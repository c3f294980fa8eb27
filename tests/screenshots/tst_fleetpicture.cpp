// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/screenshots/referencepicture.h"
#include "tests/support/testprogram.h"
#include "ui/fleet/fleetdialog.h"
#include "ui/fleet/fleettables.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

/// The folder of a fleet: two builds, strata, boards with their runs, in both themes.
class TestFleetPicture : public QObject {
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
        test::SyntheticFleet fleet;
        fleet.boards = 28;
        fleet.strata = 2;
        fleet.runs = 5;
        fleet.slowerStrata = {{1, 1.06}};
        fleet.slowerBoards = {{4, 1.6}};
        const std::string capture = m_place.filePath("run.jscope").toStdString();
        QVERIFY(QFile(m_place.filePath("run.jscope")).open(QIODevice::WriteOnly));
        const auto folder = FleetFolder::create(m_place.filePath("cameras").toStdString());
        QVERIFY(folder.ok() && fleet.addTo(folder.value(), [&](FleetRow &row) {
            row.capture = capture;
            row.start = row.commit == "old" ? "2026-11-25T08:00:00Z" : "2026-11-25T09:00:00Z";
            row.commit = row.commit == "old" ? "1.2" : "1.3";
        }));
    }
    void fleet_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("fleet-dark") << true;
        QTest::newRow("fleet-light") << false;
    }
    void fleet()
    {
        QFETCH(const bool, dark);
        applyTheme(*qApp, dark ? darkTheme() : lightTheme());
        FleetDialog dialog;
        dialog.resize(1100, 760);
        dialog.show();
        dialog.open(m_place.filePath("cameras"));
        StrataTable &strata = *dialog.strata();
        QTRY_VERIFY(strata.topLevelItemCount() > 0);
        for (int i = 0; i < strata.topLevelItemCount(); ++i)
            if (strata.topLevelItem(i)->text(2).endsWith("1 board fell out")) {
                strata.setCurrentItem(strata.topLevelItem(i));
                break;
            }
        BoardsTable &boards = *dialog.boards();
        boards.setCurrentItem(boards.topLevelItem(1));
        QTest::qWait(50); // The layout follows.
        const QString difference =
            differenceFromReference(dialog.grab().toImage(), QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

private:
    QTemporaryDir m_place;
};

JETSCOPE_TEST(TestFleetPicture)
#include "tst_fleetpicture.moc"
