// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/boardscenes.h"

#include "tests/support/boardtree.h"
#include "ui/board/boardcharts.h"
#include "ui/board/boardview.h"
#include "ui/board/energybox.h"
#include "ui/files/traceopener.h"
#include "ui/window/mainwindow.h"
#include "ui/window/traceworkspace.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace jetscope {

void showBoard(MainWindow &window)
{
    const testing::BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const auto facts = std::make_shared<const BoardFacts>(
        BoardFacts{readBoardIdentity(tree.root()), sampler.layout(), "there is no NVML here"});
    BoardState state = sampler.sample(1);
    for (int i = 0; i < 90; ++i) {
        for (std::size_t k = 0; k < state.values.size(); ++k)
            if (const BoardQuantity quantity = sampler.items()[k].quantity;
                state.values[k].known() && (quantity == BoardQuantity::Load || quantity == BoardQuantity::Power))
                state.values[k].value = *state.values[k].value * (i % 7 == 0 ? 0.8 : i % 7 == 3 ? 1.25 : 1);
        state.timeNs = (i + 1) * 500'000'000LL;
        window.board()->take(facts, state);
    }
    window.showSpace(MainWindow::Space::Board);
    QTRY_VERIFY(window.board()->hasFigures());
}

void showBoardLog(MainWindow &window)
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("endurance.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 600; ++i) {
        const bool isBusy = i > 80 && i < 520;
        const int step = i < 260 ? 0 : i < 380 ? (i - 240) / 20 : 8;
        QStringList cores;
        for (int core = 0; core < 12; ++core)
            cores += i > 380 && core > 7 ? QStringLiteral("off")
                                         : QStringLiteral("%1%@%2")
                                               .arg(isBusy && core % 4 == 1 ? 95 : (i * 7 + core * 31) % 40)
                                               .arg(isBusy ? 2201 : 729);
        const int second = i + (i > 150 ? 5 : 0);
        const double degrees = isBusy ? 99 - 50.0 * 60 / (i - 20) : 48 + (600 - i) / 50.0;
        file.write(QStringLiteral("11-24-2025 14:%1:%2 RAM %3/62841MB (lfb 4x4MB) SWAP 0/31420MB (cached 0MB) CPU [%4] "
                                  "EMC_FREQ %5%@3199 GR3D_FREQ %6%@[%7] cpu@%8C tj@%9C VDD_GPU_SOC %10mW/1mW ")
                       .arg(30 + second / 60)
                       .arg(second % 60, 2, 10, QLatin1Char('0'))
                       .arg(isBusy ? 11200 : 6900)
                       .arg(cores.join(u','))
                       .arg(isBusy ? 40 : 2)
                       .arg(isBusy ? 99 : i % 4)
                       .arg(isBusy ? 1300 - 80 * step : 305)
                       .arg(degrees - 3)
                       .arg(degrees)
                       .arg(isBusy ? 25000 - 1500 * step : 2600)
                       .toUtf8()
                   + QStringLiteral("VDD_CPU_CV %1mW/1mW VIN_SYS_5V0 %2mW/1mW\n")
                         .arg(isBusy ? 8000 + i % 300 : 600)
                         .arg(isBusy ? 10000 : 4200)
                         .toUtf8());
    }
    file.close();
    window.trace().opener().open(file.fileName());
    QTRY_COMPARE(window.board()->source(), BoardView::Source::Log);
    QTRY_VERIFY(window.board()->energy()->text().contains(QStringLiteral("while throttled")));
    window.board()->charts()->stepEvent(true);
    QTRY_VERIFY(window.board()->energy()->text().contains(QStringLiteral("up to the cursor")));
    QTRY_VERIFY(window.board()->hasFigures());
}

} // namespace jetscope
