// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/controlspanel.h"

#include "gpu/cpustage/cpuanalysis.h"
#include "ui/live/filtereditor.h"
#include "ui/live/memorycards.h"
#include "ui/measure/baselinetable.h"
#include "ui/style/choicegroup.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>

namespace jetscope {

ControlsPanel::ControlsPanel(QWidget *parent)
    : QScrollArea(parent),
      m_memory(new MemoryCards),
      m_output(new ChoiceGrid(tr("Output to GL"), choiceItems<OutputKind>(), 2)),
      m_sync(new ChoiceGrid(tr("Synchronization"), choiceItems<SyncMode>(), 3)),
      m_wait(new ChoiceGrid(tr("Wait policy"), choiceItems<WaitPolicy>(), 4)),
      m_waitInForce(new QLabel),
      m_filters(new FilterEditor),
      m_placement(new ChoiceGrid(tr("CPU stage"), choiceItems<CpuStagePlacement>(), 2)),
      m_work(new ChoiceGrid(tr("Work of the CPU stage"), choiceItems<CpuWork>(), 3)),
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

    addSection(tr("Input memory"), m_memory);
    addSection(tr("Output to GL"), m_output);
    addSection(tr("Synchronization"), m_sync);
    auto *stage = new QWidget;
    auto *stageColumn = makeInnerLayout<QVBoxLayout>(stage, 5);
    stageColumn->addWidget(m_placement);
    stageColumn->addWidget(m_work);
    addSection(tr("CPU stage"), stage);
    addSection(tr("Now, against pinned baseline A"), m_baseline);
    addSection(tr("While the CPU waits"), m_wait);
    m_column->addWidget(m_waitInForce);
    m_column->addSpacing(4);
    addSection(tr("In flight"), makeCounts());
    addSection(tr("Filters"), m_filters);
    m_column->addStretch();
    setWidget(content);
    content->installEventFilter(this);
    connectChoices();
    setConfig({});
}

QSize ControlsPanel::minimumSizeHint() const
{
    const int bar = verticalScrollBar()->sizeHint().width();
    return {widget()->minimumSizeHint().width() + bar, QScrollArea::minimumSizeHint().height()};
}

bool ControlsPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

void ControlsPanel::addSection(const QString &title, QWidget *content)
{
    auto *label = new QLabel(title.toUpper());
    label->setProperty("section", true);
    label->setAccessibleName(title);
    m_column->addWidget(label);
    m_column->addWidget(content);
    m_column->addSpacing(4);
}

QSpinBox *ControlsPanel::makeCount(int maximum, const char *name, const QString &label, const QString &help)
{
    auto *count = new QSpinBox;
    count->setObjectName(QLatin1String(name));
    count->setRange(1, maximum);
    count->setAccessibleName(label);
    count->setToolTip(help);
    count->setAccessibleDescription(help);
    return count;
}

QWidget *ControlsPanel::makeCounts()
{
    auto *counts = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(counts);
    m_frames = makeCount(kMaxFramesInFlight, "framesInFlight", tr("Frames in flight"),
                         tr("More frames hide more waiting and cost latency and memory."));
    m_streams = makeCount(
        kMaxStreams, "streams", tr("Streams"),
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

template <class Change>
void ControlsPanel::want(Change change)
{
    PipelineConfig config = m_config;
    change(config);
    if (config == m_config)
        return;
    setConfig(config);
    emit wanted(config);
}

void ControlsPanel::connectChoices()
{
    connect(m_memory, &ChoiceGroup::chosen, this,
            [this](int id) { want([id](PipelineConfig &config) { config.memory = static_cast<MemoryKind>(id); }); });
    connect(m_output, &ChoiceGroup::chosen, this,
            [this](int id) { want([id](PipelineConfig &config) { config.output = static_cast<OutputKind>(id); }); });
    connect(m_sync, &ChoiceGroup::chosen, this,
            [this](int id) { want([id](PipelineConfig &config) { config.sync = static_cast<SyncMode>(id); }); });
    connect(m_wait, &ChoiceGroup::chosen, this,
            [this](int id) { want([id](PipelineConfig &config) { config.wait = static_cast<WaitPolicy>(id); }); });
    connect(m_placement, &ChoiceGroup::chosen, this, [this](int id) {
        want([id](PipelineConfig &config) { config.cpuStage = static_cast<CpuStagePlacement>(id); });
    });
    connect(m_work, &ChoiceGroup::chosen, this,
            [this](int id) { want([id](PipelineConfig &config) { config.cpuWork = static_cast<CpuWork>(id); }); });
    connect(m_frames, &QSpinBox::valueChanged, this,
            [this](int value) { want([value](PipelineConfig &config) { config.framesInFlight = value; }); });
    connect(m_streams, &QSpinBox::valueChanged, this,
            [this](int value) { want([value](PipelineConfig &config) { config.streams = value; }); });
    connect(m_filters, &FilterEditor::changed, this, [this](const std::vector<Filter> &filters) {
        want([&filters](PipelineConfig &config) { config.filters = filters; });
    });
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
    m_memory->setCurrent(static_cast<int>(config.memory));
    m_output->setCurrent(static_cast<int>(config.output));
    m_sync->setCurrent(static_cast<int>(config.sync));
    m_wait->setCurrent(static_cast<int>(config.wait));
    m_placement->setCurrent(static_cast<int>(config.cpuStage));
    m_work->setCurrent(static_cast<int>(config.cpuWork));
    const QSignalBlocker quietFrames(m_frames);
    const QSignalBlocker quietStreams(m_streams);
    m_frames->setValue(config.framesInFlight);
    m_streams->setValue(config.streams);
    m_filters->setFilters(config.filters);
    refreshAvailability();
}

template <class T>
void ControlsPanel::refreshGroup(ChoiceGroup *group)
{
    for (const Choice<T> &choice : choices<T>())
        group->setAvailability(static_cast<int>(choice.value), availability(choice.value, m_config, m_facts));
}

void ControlsPanel::refreshAvailability()
{
    refreshGroup<MemoryKind>(m_memory);
    refreshGroup<OutputKind>(m_output);
    refreshGroup<SyncMode>(m_sync);
    refreshGroup<CpuStagePlacement>(m_placement);
    const Capability stage = cpuStageCapability();
    const Availability work =
        stage.available ? Availability{} : Availability{Availability::Level::Unavailable, stage.reason};
    for (const Choice<CpuWork> &choice : choices<CpuWork>())
        m_work->setAvailability(static_cast<int>(choice.value), work);
    if (stage.available)
        return;
    for (const Choice<CpuStagePlacement> &choice : choices<CpuStagePlacement>())
        if (choice.value != CpuStagePlacement::Off)
            m_placement->setAvailability(static_cast<int>(choice.value), work);
}

void ControlsPanel::setWaitInForce(WaitPolicy policy)
{
    m_waitInForce->setText(tr("In force: %1").arg(toQString(choiceOf(policy).label)));
}

} // namespace jetscope
