// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetfolder.h"
#include "tests/app/program.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace jetscope;
using test::SyntheticFleet;

/// The page of a fleet in Chromium without a screen. Debian's chromium has 370 MB, so that tests do not require it.
class TestFleetPage : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    Outcome browse(const QStringList &arguments, const QString &page = "page.html") const
    {
        QProcess process;
        QProcessEnvironment environment = plainEnvironment();
        environment.insert("HOME", m_folder.path());
        process.setProcessEnvironment(environment);
        process.start("chromium",
                      QStringList{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                                  "--user-data-dir=" + pathOf("profile"), "--hide-scrollbars",
                                  "--host-resolver-rules=MAP * ~NOTFOUND"}
                          + arguments + QStringList{"file://" + pathOf(page)});
        return outcomeOf(process);
    }

    /// Its bytes; 0 if there is none of the wanted size.
    qint64 screenshot(const QString &page, const QString &to) const
    {
        QFile file(pathOf(to));
        if (browse({"--screenshot=" + file.fileName(), "--window-size=1200,2400"}, page).code != 0
            || !file.open(QIODevice::ReadOnly))
            return 0;
        const QByteArray png = file.readAll();
        constexpr int kSizeAt = 16; // In the first part of a PNG.
        return png.mid(kSizeAt, 8) == QByteArray::fromHex("000004b000000960") ? png.size() : 0;
    }

private slots:
    void initTestCase();
    void theBrowserShowsIt();
    void nothingIsWiderThanTheWindow();
};

void TestFleetPage::initTestCase()
{
    if (QStandardPaths::findExecutable("chromium").isEmpty())
        QSKIP("chromium is not installed");
    SyntheticFleet fleet;
    fleet.boards = 48;
    fleet.strata = 2;
    fleet.runs = 6;
    fleet.slowerStrata = {{1, 1.06}};
    fleet.slowerBoards = {{4, 1.6}};
    const Result<FleetFolder> folder = FleetFolder::create(pathOf("fleet").toStdString());
    QVERIFY(folder.ok() && fleet.addTo(folder.value(), [](FleetRow &row) {
        const int day = (row.commit == "old" ? 3 : 15) + static_cast<int>(row.run.back() - '0') * 2;
        row.date = QString("2026-11-%1").arg(day, 2, 10, QChar('0')).toStdString();
    }));
    const Outcome made = runProgram(
        {"fleet", "report", pathOf("fleet"), "--a", "commit=old", "--b", "commit=new", "--out", pathOf("page.html")});
    QVERIFY2(made.code == 0, made.describe());
}

/// Its text as the browser understood it, and a picture that has more in it than an empty page.
void TestFleetPage::theBrowserShowsIt()
{
    const Outcome dom = browse({"--dump-dom"});
    QVERIFY2(dom.code == 0, dom.describe());
    QCOMPARE(dom.out.count("<svg"), 48 + 2 + 16); // Boards, days, and an interval for each result.
    for (const char *text : {"commit=new is worse than commit=old", "board4", "fell out", "2026-11-03", "2026-11-25"})
        QVERIFY2(dom.out.contains(text), text);
    const qint64 shown = screenshot("page.html", "page.png");
    QFile blank(pathOf("blank.html"));
    QVERIFY(blank.open(QIODevice::WriteOnly) && blank.write("<!DOCTYPE html><title>x</title>") > 0);
    blank.close();
    const qint64 nothing = screenshot("blank.html", "blank.png");
    QVERIFY2(nothing > 0 && shown > 5 * nothing, qPrintable(QString("%1 of %2 bytes").arg(shown).arg(nothing)));
    if (qEnvironmentVariableIsSet("JETSCOPE_KEEP_PAGE"))
        QVERIFY(QFile::copy(pathOf("page.png"), qEnvironmentVariable("JETSCOPE_KEEP_PAGE")));
}

/// At the width of a laptop, and of half of one.
void TestFleetPage::nothingIsWiderThanTheWindow()
{
    QFile page(pathOf("page.html"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray html = page.readAll();
    page.close();
    for (const int width : {1280, 640}) {
        // A script that this test adds: it writes the widths where --dump-dom shows them.
        QByteArray measured = html;
        measured.replace("</body>",
                         "<script>document.title='width '+document.documentElement.scrollWidth+' of '"
                         "+document.documentElement.clientWidth;</script></body>");
        QVERIFY(page.open(QIODevice::WriteOnly) && page.write(measured) == measured.size());
        page.close();
        const Outcome dom = browse({"--dump-dom", QString("--window-size=%1,900").arg(width)});
        static const QRegularExpression kWidths("<title>width (\\d+) of (\\d+)</title>");
        const QRegularExpressionMatch match = kWidths.match(dom.out);
        QVERIFY2(match.hasMatch(), qPrintable(dom.out.left(500)));
        QVERIFY2(match.captured(1).toInt() <= match.captured(2).toInt(), qPrintable(match.captured()));
    }
}

JETSCOPE_TEST(TestFleetPage)
#include "tst_fleetpage.moc"
