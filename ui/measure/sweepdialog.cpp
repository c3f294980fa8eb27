// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/sweepdialog.h"

#include "core/measure/method/turns.h"
#include "core/measure/report/reporttext.h"
#include "core/settings/settingtable.h"
#include "gpu/measure/stretchrunner.h"
#include "gpu/sources/framesource.h"
#include "ui/measure/measurement.h"
#include "ui/style/choicegroup.h"
#include "ui/style/fittingscroll.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kBoxColumns = 4;
constexpr int kDefaultRounds = 5;
constexpr int kDefaultSeconds = 120;
constexpr double kUnknownFrameMs = 10; ///< Taken where no frame time is known yet.
constexpr std::array kSweepSizes = {SweepSize{640, 480}, SweepSize{1280, 720}, SweepSize{1920, 1080},
                                    SweepSize{3840, 2160}};

QLabel *heading(const QString &text)
{
    auto *label = new QLabel(text.toUpper());
    label->setProperty("section", true);
    return label;
}

/// "about 50 s", "about 4 min".
QString roughTime(std::int64_t ns)
{
    const double seconds = static_cast<double>(ns) / 1e9;
    if (seconds < 90)
        return SweepDialog::tr("about %1 s").arg(std::max(1.0, std::round(seconds)));
    if (seconds < 5400)
        return SweepDialog::tr("about %1 min").arg(std::round(seconds / 60));
    return SweepDialog::tr("about %1 h").arg(seconds / 3600, 0, 'f', 1);
}

/// The availability of a value beside the output and the synchronization that suit it best: what one combination
/// forbids another one may allow.
Availability bestAvailability(const SweepBase &base, const SettingRow &row, const std::string &value)
{
    PipelineConfig with = base.config;
    static_cast<void>(row.set(with, value)); // A value of the table, here and below.
    Availability best = availability(with, base.facts);
    for (const Choice<OutputKind> &output : choices<OutputKind>())
        for (const Choice<SyncMode> &sync : choices<SyncMode>()) {
            with.output = output.value;
            with.sync = sync.value;
            static_cast<void>(row.set(with, value));
            if (Availability found = availability(with, base.facts); found.level < best.level)
                best = std::move(found);
        }
    return best;
}

} // namespace

std::vector<std::string> SweepDialog::Boxes::checked() const
{
    std::vector<std::string> values;
    for (const auto &[value, box] : all)
        if (box->isChecked())
            values.push_back(value);
    return values;
}

SweepDialog::SweepDialog(SweepBase base, AskForFile ask, QWidget *parent)
    : QDialog(parent),
      m_base(std::move(base)),
      m_ask(std::move(ask)),
      m_byRounds(new QRadioButton(tr("Rounds"))),
      m_byTime(new QRadioButton(tr("Time"))),
      m_rounds(new QSpinBox),
      m_seconds(new QSpinBox),
      m_file(new QLineEdit(m_base.file)),
      m_summary(new QLabel),
      m_warning(new QLabel)
{
    setWindowTitle(tr("Sweep"));
    setObjectName(QStringLiteral("sweepDialog"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setIcon(QIcon());
    m_start = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
    m_start->setObjectName(QStringLiteral("startSweep"));
    m_start->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (!canStart())
            return;
        const SweepWish wanted = wish();
        accept();
        emit started(wanted);
    });
    auto *about = new QLabel(tr("Measures every combination of the checked choices on %1, in rounds of shuffled order.")
                                 .arg(toQString(m_base.facts.name))
                             + u' ' + Measurement::closesThePipeline());
    about->setWordWrap(true);
    for (QLabel *label : {m_summary, m_warning})
        label->setWordWrap(true);
    m_warning->setProperty("trend", "warn");
    m_warning->setObjectName(QStringLiteral("sweepWarning"));
    auto *wishes = new QWidget;
    auto *rows = makeInnerLayout<QVBoxLayout>(wishes, 8);
    rows->addWidget(about);
    for (QWidget *row : {makeBoxes("memory"), makeBoxes("output"), makeBoxes("sync"), makeBoxes("wait"), makeSizes(),
                         makeLength(), makeFile()})
        rows->addWidget(row);
    rows->addStretch();
    auto *column = new QVBoxLayout(this);
    column->addWidget(new FittingScroll(wishes), 1);
    column->addWidget(m_summary);
    column->addWidget(m_warning);
    column->addWidget(buttons);
    refresh();
    resize(sizeOnScreen(*this));
}

/// Each choice is open: all legal values are checked at first. Unsafe values are checked by the user only.
QWidget *SweepDialog::makeBoxes(const char *key)
{
    const SettingRow &row = *settingRow(key);
    Boxes &boxes = m_boxes.emplace_back();
    boxes.key = key;
    auto *group = new QWidget;
    auto *grid = makeInnerLayout<QGridLayout>(group, 2);
    grid->setHorizontalSpacing(10);
    grid->addWidget(heading(toQString(row.label)), 0, 0, 1, kBoxColumns);
    int place = 0;
    for (const SettingValue &value : row.values()) {
        const Availability found = bestAvailability(m_base, row, value.name);
        auto *box = new QCheckBox(toQString(value.label));
        box->setObjectName(toQString(value.name));
        box->setToolTip(ChoiceGroup::explanation(toQString(value.help), found));
        box->setEnabled(!found.unavailable());
        box->setChecked(found.legal());
        connect(box, &QCheckBox::toggled, this, &SweepDialog::refresh);
        boxes.all.emplace_back(value.name, box);
        grid->addWidget(box, 1 + place / kBoxColumns, place % kBoxColumns);
        ++place;
    }
    return group;
}

QWidget *SweepDialog::makeSizes()
{
    auto *group = new QWidget;
    auto *grid = makeInnerLayout<QGridLayout>(group, 2);
    grid->setHorizontalSpacing(10);
    grid->addWidget(heading(tr("Frame sizes (none checked: the source's own)")), 0, 0, 1, kBoxColumns);
    int column = 0;
    for (const SweepSize &size : kSweepSizes) {
        auto *box = new QCheckBox(QStringLiteral("%1×%2").arg(size.width).arg(size.height));
        const Result<std::string> address = sourceWithSize(m_base.on.source, size.width, size.height);
        box->setEnabled(address.ok());
        box->setToolTip(address.ok() ? tr("Asks the source for frames of this size")
                                     : toQString(address.error().message()));
        connect(box, &QCheckBox::toggled, this, &SweepDialog::refresh);
        m_sizes.emplace_back(size, box);
        grid->addWidget(box, 1, column++);
    }
    return group;
}

QWidget *SweepDialog::makeLength()
{
    auto *row = new QWidget;
    auto *grid = makeInnerLayout<QGridLayout>(row, 4);
    grid->addWidget(heading(tr("Length")), 0, 0, 1, 5);
    m_rounds->setRange(static_cast<int>(kMinRounds), 1000);
    m_rounds->setValue(kDefaultRounds);
    m_rounds->setAccessibleName(tr("Rounds"));
    m_rounds->setToolTip(tr("Each round measures every combination once; more rounds tell smaller differences from "
                            "noise. A sweep ends earlier when nothing more can be told."));
    m_seconds->setRange(1, 1'000'000);
    m_seconds->setValue(kDefaultSeconds);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setAccessibleName(tr("Time in seconds"));
    m_seconds->setToolTip(tr("As many rounds as fit, but 4 at least: fewer give no verdict"));
    m_byRounds->setChecked(true);
    grid->addWidget(m_byRounds, 1, 0);
    grid->addWidget(m_rounds, 1, 1);
    grid->addWidget(m_byTime, 1, 2);
    grid->addWidget(m_seconds, 1, 3);
    grid->setColumnStretch(4, 1);
    for (QRadioButton *button : {m_byRounds, m_byTime})
        connect(button, &QRadioButton::toggled, this, &SweepDialog::refresh);
    for (QSpinBox *box : {m_rounds, m_seconds})
        connect(box, &QSpinBox::valueChanged, this, &SweepDialog::refresh);
    return row;
}

QWidget *SweepDialog::makeFile()
{
    auto *group = new QWidget;
    auto *grid = makeInnerLayout<QGridLayout>(group, 4);
    grid->addWidget(heading(tr("File")), 0, 0, 1, 2);
    m_file->setObjectName(QStringLiteral("sweepFile"));
    m_file->setAccessibleName(tr("New file for the results"));
    m_file->setToolTip(tr("Each result is in this file as soon as it is measured"));
    auto *browse = new QPushButton(tr("Choose…"));
    browse->setAutoDefault(false);
    grid->addWidget(m_file, 1, 0);
    grid->addWidget(browse, 1, 1);
    connect(m_file, &QLineEdit::textChanged, this, &SweepDialog::refresh);
    connect(browse, &QPushButton::clicked, this, [this] {
        if (const QString path = m_ask(m_file->text()); !path.isEmpty())
            m_file->setText(path);
    });
    return group;
}

SweepWish SweepDialog::wish() const
{
    SweepWish wish;
    wish.on = m_base.on;
    wish.choices.base = m_base.config;
    for (const Boxes &boxes : m_boxes)
        wish.choices.lists[boxes.key].named = boxes.checked();
    for (const auto &[size, box] : m_sizes)
        if (box->isChecked())
            wish.choices.sizes.push_back(size);
    if (m_byTime->isChecked())
        wish.seconds = static_cast<std::uint64_t>(m_seconds->value());
    else
        wish.rounds = static_cast<std::uint64_t>(m_rounds->value());
    wish.file = m_file->text();
    if (!wish.file.isEmpty() && QFileInfo(wish.file).suffix().isEmpty())
        wish.file += QStringLiteral(".jscope");
    return wish;
}

QString SweepDialog::fileProblem() const
{
    const QFileInfo file(wish().file);
    if (m_file->text().trimmed().isEmpty())
        return tr("Enter the name of a new file for the results.");
    if (file.exists())
        return tr("%1 exists already: enter another name.").arg(file.fileName());
    if (!file.absoluteDir().exists())
        return tr("The folder %1 does not exist: choose another one.").arg(file.absolutePath());
    return {};
}

void SweepDialog::refresh()
{
    m_rounds->setEnabled(m_byRounds->isChecked());
    m_seconds->setEnabled(m_byTime->isChecked());
    const bool nothing =
        std::any_of(m_boxes.begin(), m_boxes.end(), [](const Boxes &boxes) { return boxes.checked().empty(); });
    m_warning->clear();
    if (nothing) {
        m_summary->setText(tr("Check one value of each choice at least."));
    } else if (const Result<SweepPlan> plan = planSweep(wish().choices, m_base.facts); plan.ok()) {
        showPlan(plan.value());
        if (const QString problem = fileProblem(); !problem.isEmpty())
            m_warning->setText(problem);
        m_start->setEnabled(fileProblem().isEmpty());
        m_warning->setVisible(!m_warning->text().isEmpty());
        return;
    } else {
        m_summary->setText(toQString(plan.error().text));
    }
    m_warning->hide();
    m_start->setEnabled(false);
}

void SweepDialog::showPlan(const SweepPlan &plan)
{
    const double frameMs = m_base.frameMs > 0 ? m_base.frameMs : kUnknownFrameMs;
    const std::int64_t roundNs =
        expectedNs(StretchLimits(), std::llround(frameMs * 1e6)) * static_cast<std::int64_t>(plan.cells.size());
    QStringList reasons;
    for (const LeftOutReason &reason : plan.reasons())
        reasons += tr("%1 left out: %2").arg(reason.cells).arg(toQString(reason.reason));
    QString text = toQString(counted(plan.cells.size(), "combination"));
    if (!plan.leftOut.empty())
        text += tr(", %1 left out").arg(plan.leftOut.size());
    const auto fewest = static_cast<std::int64_t>(kMinRounds);
    if (m_byRounds->isChecked())
        text += tr(" · %1 for %2 rounds at the present frame time")
                    .arg(roughTime(roundNs * m_rounds->value()))
                    .arg(m_rounds->value());
    else
        text += tr(" · %1 for each round at the present frame time").arg(roughTime(roundNs));
    m_summary->setText(text);
    m_summary->setToolTip(reasons.join(u'\n'));
    if (m_byTime->isChecked() && roundNs * fewest > std::int64_t{m_seconds->value()} * 1'000'000'000)
        m_warning->setText(tr("%1 s are too short: a verdict needs %2 rounds, which take %3 and are measured all the "
                              "same. Check fewer values, or give more time.")
                               .arg(m_seconds->value())
                               .arg(fewest)
                               .arg(roughTime(roundNs * fewest)));
}

QString SweepDialog::summary() const
{
    return m_summary->text();
}

QString SweepDialog::warning() const
{
    return m_warning->isHidden() ? QString() : m_warning->text();
}

bool SweepDialog::canStart() const
{
    return m_start->isEnabled();
}

} // namespace jetscope
