// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowmenus.h"

#include "core/settings/pipelineconfig.h"
#include "gpu/pipeline/pipeline.h"
#include "ui/style/text.h"
#include "ui/window/windowactions.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenuBar>

#include <array>

namespace jetscope {

namespace {

QString menuTitle(const char *text)
{
    return QCoreApplication::translate("jetscope::MenuBar", text);
}

} // namespace

QMenuBar *makeMenuBar(const WindowActions &actions, const ProgramMenus &menus)
{
    auto *bar = new QMenuBar;
    bar->setNativeMenuBar(false); // A desktop's global menu bar would take the search field with it.
    const auto add = [bar](const char *title, const QList<QList<QAction *>> &groups) {
        QMenu *menu = bar->addMenu(menuTitle(title));
        menu->setToolTipsVisible(true);
        for (const QList<QAction *> &group : groups) {
            if (!menu->isEmpty())
                menu->addSeparator();
            menu->addActions(group);
        }
    };
    add("&File",
        {{actions.open, actions.openFleet, menus.recent->menuAction(), actions.compareFile, actions.inspectProgram},
         {actions.connectBoard, actions.boardCaptures, actions.openOnBoard, actions.leaveBoard},
         {actions.record, actions.save, actions.logBoard},
         {actions.exportChrome, actions.exportFrames, actions.exportPicture, actions.copyPicture, actions.report},
         {actions.quit}});
    add("&View",
        {{actions.live, actions.trace, actions.board, actions.lab, actions.search},
         {actions.showBefore, actions.showAnswer, actions.inspect, actions.fit, actions.actualSize},
         {actions.fetchFrame, actions.saveFrame},
         {menus.present->menuAction(), actions.videoIsBlack},
         {actions.lightTheme, actions.reduceMotion, actions.lockPanels, actions.fullScreen}});
    add("&Pipeline",
        {{menus.source->menuAction(), menus.device->menuAction()},
         {actions.pause, actions.step, actions.nextCamera, actions.retry},
         {actions.undo, actions.redo, menus.presets->menuAction()},
         {menus.gpuTime->menuAction(), actions.copyCommand}});
    add("&Timeline",
        {{actions.find, actions.nextLonger, actions.previousLonger, actions.listSpans},
         {actions.addNote, actions.nextNote, actions.previousNote},
         {actions.viewBack, actions.viewForward, actions.follow},
         {actions.filterLanes, actions.showLanes},
         {menus.arrows->menuAction(), menus.spanLimit->menuAction()}});
    add("&Measure",
        {{actions.pinBaseline, actions.unpin, actions.compareTurns},
         {actions.baselines[0], actions.baselines[1], actions.baselines[2]},
         {actions.trySyncs, actions.tryMemories},
         {actions.sweep, actions.tune, actions.experiments, actions.probe},
         {actions.verify}});
    add("&Help", {{actions.help, actions.documentation, actions.reportProblem}});
    return bar;
}

SourceMenu::SourceMenu(QAction *openFile, std::function<QStringList()> recent, QWidget *parent)
    : QMenu(tr("Source"), parent), m_openFile(openFile), m_recent(std::move(recent))
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &SourceMenu::fill);
    fill();
}

void SourceMenu::addSource(const QString &text, const QString &uri)
{
    QAction *action = addAction(text, this, [this, uri] { emit chosen(uri); });
    action->setToolTip(uri);
}

void SourceMenu::fill()
{
    clear();
    struct Size {
        const char *text;
        const char *uri;
    };
    static constexpr std::array kSizes = {
        Size{"Synthetic camera · 640×480 · 30 fps", "synthetic:?size=640x480&fps=30"},
        Size{"Synthetic camera · 1280×720 · 60 fps", "synthetic:?size=1280x720&fps=60"},
        Size{"Synthetic camera · 1280×720 · as fast as possible", "synthetic:?size=1280x720&rate=max"},
        Size{"Synthetic camera · 1920×1080 · 60 fps", "synthetic:?size=1920x1080&fps=60"},
        Size{"Synthetic camera · 1920×1080 · as fast as possible", "synthetic:?size=1920x1080&rate=max"},
        Size{"Synthetic camera · 3840×2160 · 30 fps", "synthetic:?size=3840x2160&fps=30"},
    };
    for (const Size &size : kSizes)
        addSource(QString::fromUtf8(size.text), QString::fromUtf8(size.uri));
    addSeparator();
    addAction(m_openFile);
    emit filled();
    const QStringList recent = m_recent();
    if (recent.isEmpty())
        return;
    addSection(tr("Recent"));
    for (const QString &uri : recent)
        addSource(fontMetrics().elidedText(uri, Qt::ElideMiddle, 420), uri);
}

DeviceMenu::DeviceMenu(std::function<std::vector<DeviceCandidate>()> list, QWidget *parent)
    : QMenu(tr("Device"), parent), m_list(std::move(list))
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &DeviceMenu::fill);
}

void DeviceMenu::fill()
{
    clear();
    for (const DeviceCandidate &device : m_list()) {
        const QString id = toQString(device.id);
        const QString reason = toQString(device.usable.reason);
        QString text = QStringLiteral("%1 · %2").arg(id, toQString(device.name));
        if (!device.usable.available)
            text += tr(" (not usable: %1)").arg(fontMetrics().elidedText(reason, Qt::ElideRight, 360));
        QAction *action = addAction(text, this, [this, id] { emit chosen(id); });
        action->setObjectName(id);
        action->setCheckable(true);
        action->setChecked(id == m_current);
        action->setEnabled(device.usable.available);
        action->setToolTip(device.usable.available ? tr("Runs the pipeline on this device") : reason);
    }
}

PresentMenu::PresentMenu(QWidget *parent) : QMenu(tr("Present path"), parent)
{
    setToolTipsVisible(true);
    auto *group = new QActionGroup(this);
    for (const PresentPath path : kPresentPaths) {
        QAction *action = addAction(presentPathLabel(path), this, [this, path] { emit chosen(path); });
        action->setCheckable(true);
        group->addAction(action);
        m_paths.append(action);
    }
}

void PresentMenu::show(PresentPath wanted, PresentPath inForce, bool glAvailable, const QString &reason)
{
    for (std::size_t i = 0; i < kPresentPaths.size(); ++i) {
        QAction *action = m_paths[static_cast<qsizetype>(i)];
        const PresentPath path = kPresentPaths[i];
        const bool needsGl = path == PresentPath::GlWidget || path == PresentPath::GlWindow;
        action->setChecked(path == wanted);
        action->setEnabled(glAvailable || !needsGl);
        action->setToolTip(action->isEnabled() ? QString() : reason);
        action->setText(path == inForce ? tr("%1 (in use)").arg(presentPathLabel(path)) : presentPathLabel(path));
    }
}

GpuTimeMenu::GpuTimeMenu(QWidget *parent) : QMenu(tr("GPU times"), parent)
{
    setToolTipsVisible(true);
    auto *group = new QActionGroup(this);
    for (const Choice<GpuTime> &choice : choices<GpuTime>()) {
        QAction *action =
            addAction(toQString(choice.label), this, [this, value = choice.value] { emit chosen(value); });
        action->setObjectName(toQString(choice.name));
        action->setCheckable(true);
        action->setToolTip(toQString(choice.help));
        group->addAction(action);
        m_sources.append(action);
    }
}

void GpuTimeMenu::show(const PipelineStatus &status)
{
    const auto all = choices<GpuTime>();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QAction *action = m_sources[static_cast<qsizetype>(i)];
        const Choice<GpuTime> &choice = all[i];
        const Availability available = availability(choice.value, status.config, status.facts);
        action->setEnabled(available.legal());
        action->setToolTip(toQString(available.legal() ? std::string(choice.help) : available.reason));
        action->setChecked(choice.value == status.config.gpuTime);
        const QString label = toQString(choice.label);
        action->setText(choice.value == status.gpuTime ? tr("%1 (in use)").arg(label) : label);
    }
}

} // namespace jetscope
