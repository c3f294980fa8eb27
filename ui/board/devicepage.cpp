// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/devicepage.h"

#include "core/settings/capabilitytable.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "ui/board/extensionlist.h"
#include "ui/board/factgrid.h"
#include "ui/board/memorytableview.h"
#include "ui/hazards/attachdiagram.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>

#include <algorithm>

namespace jetscope {

namespace {

using State = FactRow::State;

FactRow plainRow(const QString &name, const QString &value)
{
    return {name.toStdString(), value.toStdString(), State::Plain, {}, {}, {}};
}

FactRow capabilityFact(const QString &name, const Capability &capability)
{
    return {name.toStdString(),
            DevicePage::tr(capability.available ? "yes" : "no").toStdString(),
            capability.available ? State::Good : State::Bad,
            capability.reason,
            {},
            {}};
}

FactSection deviceFacts(const DeviceFacts &facts)
{
    FactSection section = attributeSection(facts);
    section.title = "Device";
    const QString runsOn = facts.software
        ? DevicePage::tr("the CPU, with the memory rules of the named GPU; times are those of the CPU")
        : DevicePage::tr("the GPU");
    section.rows.insert(section.rows.begin(),
                        {plainRow(DevicePage::tr("name"), toQString(facts.name)),
                         plainRow(DevicePage::tr("id"), toQString(facts.id)),
                         plainRow(DevicePage::tr("executes on"), runsOn)});
    return section;
}

FactSection capabilityFacts(const DeviceFacts &facts)
{
    FactSection section{"capabilities", "What works", {}, {}};
    for (const CapabilityRow &row : capabilityTable())
        section.rows.push_back(capabilityFact(toQString(row.label), facts.*row.value));
    section.rows.push_back(capabilityFact(DevicePage::tr("times of device work by CUPTI"), facts.cupti));
    section.rows.push_back(capabilityFact(DevicePage::tr("CPU stage"), cpuStageCapability()));
    section.note = DevicePage::tr("Tried when the device was opened.").toStdString();
    return section;
}

FactSection screenFacts(const DevicePage::Content &content)
{
    FactSection section{"screen", "OpenGL ES and screen", {}, {}};
    section.rows = {plainRow(DevicePage::tr("present path in use"), content.presentPath),
                    plainRow(DevicePage::tr("reason"), content.presentNote),
                    capabilityFact(DevicePage::tr("textures shared with the window"),
                                   content.shareReason.isEmpty() ? Capability::yes()
                                                                 : Capability::no(content.shareReason.toStdString()))};
    if (!content.display)
        return section;
    const EglDisplay &display = *content.display;
    section.rows.push_back(plainRow(QStringLiteral("EGL"), toQString(display.vendor() + " " + display.version())));
    section.rows.push_back(plainRow(DevicePage::tr("renderer"), toQString(display.renderer())));
    section.rows.push_back(plainRow(DevicePage::tr("version"), toQString(display.glVersion())));
    section.rows.push_back(
        plainRow(DevicePage::tr("GL runs on"),
                 display.isSoftwareRasteriser() ? DevicePage::tr("the CPU") : DevicePage::tr("the GPU")));
    return section;
}

FactSection sourceFacts(const PipelineStatus &status)
{
    FactSection section{"source", "Source", {}, {}};
    const QString format = QStringLiteral("%1×%2 %3")
                               .arg(status.source.layout.width)
                               .arg(status.source.layout.height)
                               .arg(toQString(pixelFormatName(status.source.layout.format)));
    section.rows = {plainRow(DevicePage::tr("description"), toQString(status.source.description)),
                    plainRow(DevicePage::tr("address"), toQString(status.source.uri)),
                    plainRow(DevicePage::tr("picture format"), format)};
    return section;
}

/// Everything that a page shows of a section, to detect changes.
QString fingerprintOf(const FactSection &section)
{
    std::string text = section.note;
    for (const FactRow &row : section.rows)
        text += '\n' + row.name + '\t' + row.value + '\t' + row.detail + '\t' + row.command;
    return toQString(text);
}

/// The attributes that decide the tables.
QString fingerprintOf(const DeviceFacts &facts)
{
    return fingerprintOf(attributeSection(facts)) + toQString(facts.id) + toQString(facts.hostRegister.reason)
        + toQString(facts.managedMemory.reason);
}

} // namespace

DevicePage::DevicePage(std::function<PlatformFacts()> read, QWidget *parent)
    : QWidget(parent), m_read(std::move(read)), m_titles(new QListWidget), m_pages(new QStackedWidget)
{
    setAccessibleName(tr("Device"));
    m_titles->setAccessibleName(tr("Sections"));
    m_titles->setToolTip(tr("Selects what is shown of the device"));
    m_titles->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *row = makeInnerLayout<QHBoxLayout>(this, 0);
    row->addWidget(m_titles);
    row->addWidget(m_pages, 1);
    for (const QString &title : {tr("Board"), tr("Device"), tr("What works"), tr("Memory"), tr("Attachments"),
                                 tr("Memory limits"), tr("CUDA features"), tr("Permissions"), tr("Profiling"),
                                 tr("Libraries"), tr("Processes"), tr("OpenGL ES"), tr("Extensions"), tr("Source")})
        page(title);
    m_extensions = new ExtensionList;
    page(tr("Extensions"))->setWidget(m_extensions);
    connect(m_titles, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    m_titles->setCurrentRow(0);
    setFocusProxy(m_titles);
}

QScrollArea *DevicePage::page(const QString &title)
{
    const QList<QListWidgetItem *> known = m_titles->findItems(title, Qt::MatchExactly);
    if (!known.isEmpty())
        return static_cast<QScrollArea *>(m_pages->widget(m_titles->row(known.first())));
    auto *area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    area->setAccessibleName(title);
    auto *empty = new QLabel(tr("What is found appears here. Facts of the device and of GL are read when a pipeline is "
                                "open: choose a source above."));
    empty->setProperty("muted", true);
    empty->setMargin(fontMetrics().height());
    empty->setWordWrap(true);
    empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    area->setWidget(empty);
    m_titles->addItem(title);
    m_pages->addWidget(area);
    return area;
}

void DevicePage::setPage(const QString &title, const QString &fingerprint, const std::function<QWidget *()> &make)
{
    if (m_fingerprints.value(title) == fingerprint)
        return; // Keeps the scroll position and the focus.
    m_fingerprints.insert(title, fingerprint);
    QScrollArea *area = page(title);
    const int scrolled = area->verticalScrollBar()->value();
    area->setWidget(make());
    area->verticalScrollBar()->setValue(scrolled);
}

void DevicePage::show(const Content &content)
{
    m_content = content;
    if (isVisible())
        fill();
}

void DevicePage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    int width = 0;
    for (int i = 0; i < m_titles->count(); ++i) {
        QListWidgetItem *item = m_titles->item(i);
        width = std::max(width, fontMetrics().horizontalAdvance(item->text()));
        item->setSizeHint({0, fontMetrics().height() * 4 / 3}); // Room for the descenders of the selected title.
    }
    m_titles->setFixedWidth(width + m_titles->verticalScrollBar()->sizeHint().width() + fontMetrics().height());
    if (!m_reading) {
        m_reading = true;
        m_background.start([this, read = m_read](const Worker::Reply &reply) {
            reply.post([this, platform = read()] { takePlatform(platform); });
        });
    }
    fill();
}

void DevicePage::takePlatform(PlatformFacts platform)
{
    m_platform = std::move(platform);
    fill();
}

void DevicePage::fill()
{
    if (m_platform)
        fillMachine();
    if (m_content)
        fillDevice();
}

void DevicePage::fillMachine()
{
    const auto set = [this](const QString &title, const FactSection &section) {
        setPage(title, fingerprintOf(section), [&] { return new FactGrid(section); });
    };
    const std::string extensions = m_content && m_content->display ? m_content->display->extensions() : std::string();
    set(tr("Board"), identitySection(m_platform->board));
    set(tr("Permissions"), permissionSection(*m_platform));
    set(tr("Profiling"), profilingSection(*m_platform));
    set(tr("Libraries"), librarySection(*m_platform));
    set(tr("Processes"), sharingSection(*m_platform, extensions));
}

void DevicePage::fillDevice()
{
    const DeviceFacts &facts = m_content->status.facts;
    const auto set = [this](const QString &title, const FactSection &section) {
        setPage(title, fingerprintOf(section), [&] { return new FactGrid(section); });
    };
    set(tr("Device"), deviceFacts(facts));
    set(tr("What works"), capabilityFacts(facts));
    setPage(tr("Memory"), fingerprintOf(facts), [&] { return new MemoryTableView(facts); });
    setPage(tr("Attachments"), fingerprintOf(facts), [&] { return new AttachPage(facts); });
    if (m_platform)
        set(tr("Memory limits"), limitSection(facts, *m_platform));
    set(tr("CUDA features"), featureSection(facts));
    set(tr("OpenGL ES"), screenFacts(*m_content));
    set(tr("Source"), sourceFacts(m_content->status));
    const QString names = m_content->display
        ? toQString(m_content->display->extensions() + " " + m_content->display->glExtensions())
        : QString();
    if (m_fingerprints.value(tr("Extensions")) == names && !names.isEmpty())
        return;
    m_fingerprints.insert(tr("Extensions"), names);
    m_extensions->show(names, {});
}

QStringList DevicePage::sectionTitles() const
{
    QStringList titles;
    for (int i = 0; i < m_titles->count(); ++i)
        titles.append(m_titles->item(i)->text());
    return titles;
}

void DevicePage::selectSection(const QString &title)
{
    m_titles->setCurrentRow(static_cast<int>(sectionTitles().indexOf(title)));
}

} // namespace jetscope
