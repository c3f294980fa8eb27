// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/devicepage.h"

#include "gpu/cpustage/cpuanalysis.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"

#include <QHeaderView>
#include <QScrollBar>

namespace jetscope {

DevicePage::DevicePage(QWidget *parent) : QTreeWidget(parent)
{
    setAccessibleName(tr("Device"));
    setHeaderLabels({tr("Property"), tr("Value")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
}

QTreeWidgetItem *DevicePage::section(const QString &title)
{
    auto *item = new QTreeWidgetItem(this, {title});
    QFont bold = font();
    bold.setBold(true);
    item->setFont(0, bold);
    item->setFirstColumnSpanned(true);
    item->setExpanded(true);
    return item;
}

void DevicePage::row(QTreeWidgetItem *section, const QString &name, const QString &value)
{
    auto *item = new QTreeWidgetItem(section, {name, value});
    item->setToolTip(1, value);
}

void DevicePage::capability(QTreeWidgetItem *section, const QString &name, const Capability &capability)
{
    row(section, name, capability.available ? tr("yes") : tr("no: %1").arg(toQString(capability.reason)));
}

void DevicePage::showDevice(const DeviceFacts &facts)
{
    const auto yesNo = [](bool value) { return value ? tr("yes") : tr("no"); };
    QTreeWidgetItem *device = section(tr("Device"));
    row(device, tr("Name"), toQString(facts.name));
    row(device, tr("Id"), toQString(facts.id));
    row(device, tr("Executes on"),
        facts.software ? tr("the CPU, with the memory rules of the named GPU; times are those of the CPU")
                       : tr("the GPU"));
    row(device, tr("Integrated with the CPU"), yesNo(facts.integrated));
    row(device, tr("Compute capability"), QStringLiteral("%1.%2").arg(facts.computeMajor).arg(facts.computeMinor));
    row(device, tr("CPU may access managed memory while kernels run"), yesNo(facts.concurrentManagedAccess));
    row(device, tr("GPU can access pageable memory"), yesNo(facts.pageableMemoryAccess));
    row(device, tr("CPU caches pinned memory"), yesNo(facts.cpuCachesPinned()));
    row(device, tr("GPU caches pinned memory"), yesNo(facts.gpuCachesPinned()));
}

void DevicePage::showCapabilities(const DeviceFacts &facts)
{
    QTreeWidgetItem *can = section(tr("Capabilities (tested at start)"));
    capability(can, tr("Mapped host memory"), facts.mapHostMemory);
    capability(can, tr("Managed memory"), facts.managedMemory);
    capability(can, tr("Registered host memory"), facts.hostRegister);
    capability(can, tr("EGLImage registration"), facts.eglImage);
    capability(can, tr("EGLSync to event and back"), facts.eglSync);
    capability(can, tr("GL interop"), facts.glInterop);
    capability(can, tr("EGLStream"), facts.eglStream);
    capability(can, tr("NvBufSurface"), facts.nvBuf);
    capability(can, tr("CPU stage"), cpuStageCapability());
}

void DevicePage::showGl(const Content &content)
{
    QTreeWidgetItem *gl = section(tr("OpenGL ES and the screen"));
    row(gl, tr("Present path in use"), content.presentPath);
    row(gl, tr("Reason"), content.presentNote);
    row(gl, tr("Textures shared with the window"),
        content.shareReason.isEmpty() ? tr("yes") : tr("no: %1").arg(content.shareReason));
    if (!content.display)
        return;
    row(gl, tr("EGL"), toQString(content.display->vendor()) + u' ' + toQString(content.display->version()));
    row(gl, tr("Renderer"), toQString(content.display->renderer()));
    row(gl, tr("Version"), toQString(content.display->glVersion()));
    row(gl, tr("GL runs on"), content.display->isSoftwareRasteriser() ? tr("the CPU") : tr("the GPU"));
}

void DevicePage::show(const Content &content)
{
    const int scrolled = verticalScrollBar()->value();
    clear();
    showDevice(content.status.facts);
    showCapabilities(content.status.facts);
    showGl(content);
    QTreeWidgetItem *source = section(tr("Source"));
    row(source, tr("Description"), toQString(content.status.source.description));
    row(source, tr("Address"), toQString(content.status.source.uri));
    row(source, tr("Picture format"),
        QStringLiteral("%1×%2 %3")
            .arg(content.status.source.layout.width)
            .arg(content.status.source.layout.height)
            .arg(toQString(pixelFormatName(content.status.source.layout.format))));
    verticalScrollBar()->setValue(scrolled);
}

} // namespace jetscope
