// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/controlspanel.h"

#include "core/settings/settingtable.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "ui/live/filtereditor.h"
#include "ui/live/memorycards.h"
#include "ui/measure/baselinetable.h"
#include "ui/style/choicegroup.h"
#include "ui/style/foldinggroup.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>

#include <utility>

namespace jetscope {

ControlsPanel::ControlsPanel(QWidget *parent)
    : QScrollArea(parent),
      m_memory(new MemoryCards),
      m_waitInForce(new QLabel),
      m_filters(new FilterEditor),
      m_baseline(new BaselineTable)
{
    setObjectName(QStringLiteral("controls"));
    setAccessibleName(tr("Choices"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget;
    content->setObjectName(QStringLiteral("controlsContent"));
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(14, 10, 14, 12);
    m_column->setSpacing(5);
    m_waitInForce->setProperty("muted", true);

    addSections();
    m_column->addStretch();
    setWidget(content);
    content->installEventFilter(this);
    m_settled.setSingleShot(true);
    connect(&m_settled, &QTimer::timeout, this, &ControlsPanel::settle);
    connect(m_filters, &FilterEditor::changed, this, [this](const std::vector<Filter> &filters) {
        PipelineConfig config = m_config;
        config.filters = filters; // Not by their names, which may be those of newer ones.
        want(config);
    });
    setConfig({});
}

QSize ControlsPanel::minimumSizeHint() const
{
    if (m_minimumWidth == 0)
        m_minimumWidth = widthOfContent();
    return {m_minimumWidth, QScrollArea::minimumSizeHint().height()};
}

int ControlsPanel::widthOfContent() const
{
    return widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
}

bool ControlsPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        m_settled.start();
    return QScrollArea::eventFilter(watched, event);
}

/// Behind all that a change has posted: while a theme is taken, some buttons have the width of no theme, and a dock
/// that has grown for them does not become smaller again.
void ControlsPanel::settle()
{
    const int width = widthOfContent();
    if (std::exchange(m_minimumWidth, width) != width)
        updateGeometry();
}

/// Filters first: they are what the pipeline is for, and what is changed most.
void ControlsPanel::addSections()
{
    addSection("filters", tr("Filters"), m_filters);
    addSection("memory", tr("Input memory"), addGroup(m_memory));
    addSection("output", tr("Output to GL"), makeGrid("output", 2))->setFolded(true);
    addSection("sync", tr("Synchronization"), makeGrid("sync", 4));
    auto *stage = new QWidget;
    auto *stageColumn = makeInnerLayout<QVBoxLayout>(stage, 5);
    stageColumn->addWidget(makeGrid("cpu-stage", 2));
    stageColumn->addWidget(makeGrid("cpu-work", 3));
    addSection("cpu-stage", tr("CPU stage"), stage)->setFolded(true);
    FoldingGroup *baseline = addSection("baseline", tr("Now, against the pinned baseline"), m_baseline);
    connect(m_baseline, &BaselineTable::titled, baseline, &FoldingGroup::setValue);
    baseline->setValue(m_baseline->title());
    addSection("wait", tr("Waiting, in flight"), makeWaits())->setFolded(true);
    auto *share = new QWidget;
    auto *shareColumn = makeInnerLayout<QVBoxLayout>(share, 5);
    shareColumn->addWidget(makeGrid("gpu-share", 3));
    shareColumn->addWidget(makeGrid("priority", 3));
    shareColumn->addWidget(makeGrid("beside", 2));
    addSection("gpu-share", tr("Share of the GPU, load beside"), share)->setFolded(true);
}

FoldingGroup *ControlsPanel::addSection(const char *name, const QString &title, QWidget *content)
{
    auto *section = new FoldingGroup(QLatin1String(name), title, content);
    m_sections.push_back(section);
    m_column->addWidget(section);
    m_column->addSpacing(2);
    connect(section, &FoldingGroup::toggled, this, [this](bool folded, bool all) {
        for (FoldingGroup *each : m_sections)
            if (all)
                each->setFolded(folded);
    });
    return section;
}

QStringList ControlsPanel::folded() const
{
    QStringList names;
    for (const FoldingGroup *section : m_sections)
        if (section->isFolded())
            names.append(section->name());
    return names;
}

void ControlsPanel::setFolded(const QStringList &names)
{
    for (FoldingGroup *section : m_sections)
        section->setFolded(names.contains(section->name()));
}

ChoiceGroup *ControlsPanel::addGroup(ChoiceGroup *group)
{
    m_groups.push_back(group);
    connect(group, &ChoiceGroup::chosen, this, [this, group](int id) {
        want(group->setting(), group->items()[static_cast<std::size_t>(id)].name.toStdString());
    });
    return group;
}

ChoiceGroup *ControlsPanel::makeGrid(const char *key, int columns)
{
    return addGroup(new ChoiceGrid(*settingRow(key), columns));
}

QSpinBox *ControlsPanel::makeCount(const char *key, const QString &help)
{
    const SettingRow &setting = *settingRow(key);
    auto *count = new QSpinBox;
    count->setObjectName(QLatin1String(key));
    count->setRange(1, setting.most);
    count->setAccessibleName(toQString(setting.label));
    count->setToolTip(help);
    count->setAccessibleDescription(help);
    connect(count, &QSpinBox::valueChanged, this,
            [this, &setting](int value) { want(setting, std::to_string(value)); });
    return count;
}

QWidget *ControlsPanel::makeWaits()
{
    auto *waits = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(waits, 5);
    column->addWidget(makeGrid("wait", 4));
    column->addWidget(m_waitInForce);
    column->addWidget(makeCounts());
    return waits;
}

QWidget *ControlsPanel::makeCounts()
{
    auto *counts = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(counts);
    m_frames = makeCount("frames-in-flight", tr("More frames hide more waiting and cost latency and memory."));
    m_streams = makeCount(
        "streams",
        tr("Frame f runs on stream f mod N: with more streams, copies of one frame overlap kernels of another."));
    for (QSpinBox *count : {m_frames, m_streams}) {
        auto *label = new QLabel(count->accessibleName());
        label->setBuddy(count);
        row->addWidget(label);
        row->addWidget(count);
        row->addSpacing(8);
    }
    row->addStretch();
    return counts;
}

void ControlsPanel::want(const SettingRow &setting, const std::string &value)
{
    PipelineConfig config = m_config;
    if (setting.set(config, value).ok())
        want(config);
}

void ControlsPanel::want(const PipelineConfig &config)
{
    if (config == m_config)
        return;
    setConfig(config);
    emit wanted(config);
}

void ControlsPanel::setFacts(const DeviceFacts &facts)
{
    m_facts = facts;
    m_memory->setFacts(facts);
    m_filters->setFacts(facts);
    refreshAvailability();
}

void ControlsPanel::setConfig(const PipelineConfig &config)
{
    m_config = config;
    const QSignalBlocker quietFrames(m_frames);
    const QSignalBlocker quietStreams(m_streams);
    m_frames->setValue(config.framesInFlight);
    m_streams->setValue(config.streams);
    m_filters->setFilters(config.filters);
    refreshAvailability();
    showValues();
}

/// What the folded groups say.
void ControlsPanel::showValues()
{
    QStringList chain;
    for (const Filter filter : m_config.filters)
        chain.append(toQString(choiceOf(filter).label));
    const auto label = [this](const char *key) { return toQString(settingRow(key)->valueLabel(m_config)); };
    for (FoldingGroup *section : m_sections) {
        const QString name = section->name();
        if (name == QLatin1String("filters"))
            section->setValue(chain.isEmpty() ? tr("none") : chain.join(QStringLiteral(" → ")));
        else if (name == QLatin1String("cpu-stage") && m_config.cpuStage != CpuStagePlacement::Off)
            section->setValue(tr("%1 · %2").arg(label("cpu-work"), label("cpu-stage")));
        else if (name == QLatin1String("gpu-share"))
            section->setValue(m_config.beside == Beside::Nothing
                                  ? label("gpu-share")
                                  : tr("%1 · beside: %2").arg(label("gpu-share"), label("beside")));
        else if (name == QLatin1String("wait"))
            section->setValue(m_config.framesInFlight == 1
                                  ? tr("%1 · 1 frame").arg(label("wait"))
                                  : tr("%1 · %2 frames").arg(label("wait")).arg(m_config.framesInFlight));
        else if (name != QLatin1String("baseline"))
            section->setValue(label(name.toLatin1().constData()));
    }
}

void ControlsPanel::refreshAvailability()
{
    const Capability stage = cpuStageCapability();
    const Availability none{Availability::Level::Unavailable, stage.reason};
    for (ChoiceGroup *group : m_groups) {
        group->showConfig(m_config, m_facts);
        const std::string_view key = group->setting().key;
        if (stage.available || (key != "cpu-stage" && key != "cpu-work"))
            continue;
        for (const ChoiceItem &item : group->items())
            if (item.name != toQString(nameOf(CpuStagePlacement::Off)))
                group->setAvailability(item.id, none);
    }
}

void ControlsPanel::setWaitInForce(WaitPolicy policy)
{
    m_waitInForce->setText(tr("In force: %1").arg(toQString(choiceOf(policy).label)));
}

} // namespace jetscope
