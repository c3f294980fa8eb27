// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/sweeppicker.h"

#include "core/settings/settingtable.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kSliderWidth = 64;
constexpr int kMinBoxWidth = 64;

QString sizeWords(const SweepSize &size)
{
    return size.width == 0 ? SweepPicker::tr("own size") : QStringLiteral("%1×%2").arg(size.width).arg(size.height);
}

/// Fills a box and keeps its text if it is still there. A box with one entry is hidden with its label.
void fillBox(QComboBox *box, QLabel *label, const QStringList &texts)
{
    const QSignalBlocker quiet(box);
    const QString before = box->currentText();
    QStringList present;
    for (int i = 0; i < box->count(); ++i)
        present += box->itemText(i);
    if (present != texts) {
        box->clear();
        box->addItems(texts);
        box->setCurrentIndex(std::max(0, box->findText(before)));
    }
    box->setVisible(texts.size() > 1);
    label->setVisible(texts.size() > 1);
}

template <class Text>
QStringList distinct(const std::vector<SweepCell> &cells, Text text)
{
    QStringList texts;
    for (const SweepCell &cell : cells)
        if (const QString value = text(cell); !texts.contains(value))
            texts += value;
    return texts;
}

} // namespace

SweepPicker::SweepPicker(QWidget *parent) : QWidget(parent)
{
    auto *row = makeInnerLayout<QHBoxLayout>(this, 6);
    QLabel *metricLabel = nullptr; // Stays hidden: the names of metrics need no label, and small windows need the room.
    m_metric = addBox(QStringLiteral("metric"), tr("Metric"), tr("The figure that the cells show and are ranked by"),
                      &metricLabel);
    m_metric->show();
    m_sizeLabel = new QLabel;
    m_size = new QSlider(Qt::Horizontal);
    m_size->setObjectName(QStringLiteral("size"));
    m_size->setFixedWidth(kSliderWidth);
    m_size->setPageStep(1);
    m_size->setTickPosition(QSlider::TicksBelow);
    m_size->setTickInterval(1);
    m_size->setAccessibleName(tr("Frame size"));
    m_size->setToolTip(tr("Frame size: combinations of different sizes are never compared with each other"));
    m_size->hide();
    m_sizeLabel->hide();
    row->addWidget(m_size);
    row->addWidget(m_sizeLabel);
    for (const bool isWork : {true, false})
        for (const SettingRow &setting : settingTable())
            if (setting.isSwept() && setting.isWork() == isWork && setting.key != "memory" && setting.key != "sync")
                addAxis(setting); // The others are the table's.
    connect(m_metric, &QComboBox::activated, this, [this] { emit metricChosen(metric()); });
    connect(m_size, &QSlider::valueChanged, this, &SweepPicker::userChose);
    for (const auto *boxes : {&m_works, &m_axes})
        for (const Axis &axis : *boxes)
            connect(axis.box, &QComboBox::activated, this, &SweepPicker::userChose);
}

QComboBox *SweepPicker::addBox(const QString &name, const QString &label, const QString &toolTip, QLabel **labelled)
{
    auto *text = new QLabel(label);
    text->setProperty("muted", true);
    auto *box = new QComboBox;
    box->setObjectName(name);
    box->setAccessibleName(label);
    box->setToolTip(toolTip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMinimumWidth(kMinBoxWidth); // In a narrow window the text is elided.
    connect(box, &QComboBox::currentTextChanged, box, [box, toolTip](const QString &chosen) {
        box->setToolTip(chosen.isEmpty() ? toolTip : toolTip + QStringLiteral(": ") + chosen);
    });
    text->setBuddy(box);
    text->setVisible(labelled == nullptr);
    box->setVisible(labelled == nullptr);
    layout()->addWidget(text);
    layout()->addWidget(box);
    if (labelled)
        *labelled = text;
    return box;
}

void SweepPicker::addAxis(const SettingRow &row)
{
    Axis axis{&row, nullptr, nullptr};
    QString help = toQString(row.help);
    help[0] = help[0].toUpper();
    axis.box = addBox(toQString(row.key), toQString(row.shortLabel), help, &axis.label);
    (row.isWork() ? m_works : m_axes).push_back(axis);
}

/// The value of the axis in a combination.
QString SweepPicker::Axis::text(const SweepCell &cell) const
{
    return toQString(row->isWork() ? row->work.of(cell.config) : row->valueLabel(cell.config));
}

QComboBox *SweepPicker::box(const QString &name) const
{
    return findChild<QComboBox *>(name);
}

void SweepPicker::show(std::shared_ptr<const SweepReport> report, bool isOther)
{
    m_report = std::move(report);
    m_isUsersChoice = m_isUsersChoice && !isOther;
    fillMetrics();
    fillWorkloads();
    if (!m_isUsersChoice)
        showBest();
    else
        fillAxes();
}

/// Metrics without a figure in any cell are left out, but for the one that is shown.
void SweepPicker::fillMetrics()
{
    const std::vector<Figure> &known = m_report->metrics;
    std::vector<Figure> offered;
    for (const Figure figure : sweepFigures())
        if (figure == m_report->metric || std::find(known.begin(), known.end(), figure) != known.end())
            offered.push_back(figure);
    std::vector<Figure> present;
    for (int i = 0; i < m_metric->count(); ++i)
        present.push_back(static_cast<Figure>(m_metric->itemData(i).toInt()));
    const QSignalBlocker quiet(m_metric);
    if (offered != present) { // The list may be open while the file grows.
        m_metric->clear();
        for (const Figure metric : offered)
            m_metric->addItem(toQString(rowOf(metric).label), static_cast<int>(metric));
    }
    m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(m_report->metric)));
}

Figure SweepPicker::metric() const
{
    return m_metric->count() > 0 ? static_cast<Figure>(m_metric->currentData().toInt()) : Figure::Period;
}

void SweepPicker::fillWorkloads()
{
    const std::vector<SweepCell> &cells = m_report->sweep.plan.cells;
    const SweepSize before = m_sizes.empty() ? SweepSize() : m_sizes[static_cast<std::size_t>(m_size->value())];
    m_sizes.clear();
    for (const SweepCell &cell : cells)
        if (std::find(m_sizes.begin(), m_sizes.end(), cell.size()) == m_sizes.end())
            m_sizes.push_back(cell.size());
    std::sort(m_sizes.begin(), m_sizes.end(), [](const SweepSize &a, const SweepSize &b) {
        return std::int64_t{a.width} * a.height < std::int64_t{b.width} * b.height;
    });
    const QSignalBlocker quiet(m_size);
    m_size->setRange(0, static_cast<int>(m_sizes.size()) - 1);
    const auto kept = std::find(m_sizes.begin(), m_sizes.end(), before);
    m_size->setValue(kept == m_sizes.end() ? 0 : static_cast<int>(kept - m_sizes.begin()));
    m_size->setVisible(m_sizes.size() > 1);
    m_sizeLabel->setVisible(m_sizes.size() > 1);
    for (const Axis &work : m_works)
        fillBox(work.box, work.label, distinct(cells, [&](const SweepCell &cell) { return work.text(cell); }));
    showSize();
}

void SweepPicker::showSize()
{
    if (!m_sizes.empty())
        m_sizeLabel->setText(sizeWords(m_sizes[static_cast<std::size_t>(m_size->value())]));
    m_size->setAccessibleDescription(m_sizeLabel->text());
}

std::size_t SweepPicker::workloadPlace() const
{
    const std::vector<SweepWorkload> &workloads = m_report->workloads;
    for (std::size_t i = 0; i < workloads.size(); ++i) {
        if (workloads[i].summary.rows.empty())
            continue;
        const SweepCell &cell = m_report->sweep.plan.cells[workloads[i].summary.rows.front().cell];
        if (cell.size() == m_sizes[static_cast<std::size_t>(m_size->value())]
            && std::all_of(m_works.begin(), m_works.end(),
                           [&](const Axis &work) { return work.box->currentText() == work.text(cell); }))
            return i;
    }
    return workloads.size();
}

const SweepWorkload *SweepPicker::workload() const
{
    const std::size_t place = m_report ? workloadPlace() : 0;
    return m_report && place < m_report->workloads.size() ? &m_report->workloads[place] : nullptr;
}

/// The tables of the workload decide which values the other settings have.
void SweepPicker::fillAxes()
{
    const SweepWorkload *shown = workload();
    m_map = shown ? heatMapOf(*m_report, *shown) : HeatMap();
    std::vector<SweepCell> settings;
    for (const HeatTable &table : m_map.tables)
        settings.push_back(table.settings);
    for (const Axis &axis : m_axes)
        fillBox(axis.box, axis.label, distinct(settings, [&](const SweepCell &cell) { return axis.text(cell); }));
}

/// Chooses the table of the best combination of the workload.
void SweepPicker::showBest()
{
    fillAxes();
    const SweepWorkload *shown = workload();
    const SweepRow *leader = shown ? shown->leader() : nullptr;
    if (!leader)
        return;
    for (const Axis &axis : m_axes)
        axis.box->setCurrentText(axis.text(m_report->sweep.plan.cells[leader->cell]));
}

const HeatTable *SweepPicker::table() const
{
    for (const HeatTable &table : m_map.tables)
        if (std::all_of(m_axes.begin(), m_axes.end(),
                        [&](const Axis &axis) { return axis.box->currentText() == axis.text(table.settings); }))
            return &table;
    return m_map.tables.empty() ? nullptr : &m_map.tables.front();
}

void SweepPicker::userChose()
{
    m_isUsersChoice = true;
    showSize();
    fillAxes();
    emit changed();
}

} // namespace jetscope
