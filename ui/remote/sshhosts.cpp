// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sshhosts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace jetscope {

namespace {

constexpr int kMaxDepth = 16; ///< Of files that include files; ssh has the same limit.
constexpr qsizetype kMaxFiles = 100;
constexpr qint64 kMaxBytes = 1 << 20;
constexpr qsizetype kMaxHosts = 1000;

/// The words of a line: separated by blanks or one "=", in double quotes if they contain blanks.
QStringList wordsOf(const QString &line)
{
    QStringList words;
    QString word;
    bool quoted = false;
    for (const QChar c : line) {
        if (c == u'"') {
            quoted = !quoted;
        } else if (!quoted && (c.isSpace() || (c == u'=' && words.size() + (word.isEmpty() ? 0 : 1) <= 1))) {
            if (!word.isEmpty())
                words.append(word);
            word.clear();
        } else if (!quoted && c == u'#' && word.isEmpty()) {
            break;
        } else {
            word += c;
        }
    }
    if (!word.isEmpty())
        words.append(word);
    return words;
}

/// Reads files, each once: of several that include each other as well.
class HostList {
public:
    explicit HostList(const QString &configPath) : m_folder(QFileInfo(configPath).dir()) { addFile(configPath, 0); }

    QStringList hosts;

private:
    void addFile(const QString &path, int depth);
    void addHost(const QString &word);
    QStringList includedFiles(QString pattern) const;

    const QDir m_folder;
    QStringList m_read;
};

/// Relative names are in the user's folder of ssh.
QStringList HostList::includedFiles(QString pattern) const
{
    if (pattern.startsWith(QLatin1String("~/")))
        pattern = QDir::home().filePath(pattern.mid(2));
    const QFileInfo file(QDir::isAbsolutePath(pattern) ? pattern : m_folder.filePath(pattern));
    QStringList paths;
    const QFileInfoList found = QDir(file.path()).entryInfoList({file.fileName()}, QDir::Files, QDir::Name);
    for (const QFileInfo &each : found)
        paths.append(each.filePath());
    return paths;
}

void HostList::addHost(const QString &word)
{
    const bool isPattern = word.contains(u'*') || word.contains(u'?') || word.startsWith(u'!');
    if (!isPattern && !word.startsWith(u'-') && !hosts.contains(word) && hosts.size() < kMaxHosts)
        hosts.append(word);
}

void HostList::addFile(const QString &path, int depth)
{
    QFile file(path);
    // A pipe or a device would be waited for.
    if (m_read.contains(path) || m_read.size() >= kMaxFiles || !QFileInfo(path).isFile()
        || !file.open(QIODevice::ReadOnly))
        return;
    m_read.append(path);
    const QStringList lines = QString::fromUtf8(file.read(kMaxBytes)).split(u'\n');
    for (const QString &line : lines) {
        const QStringList words = wordsOf(line);
        const QString keyword = words.value(0).toLower();
        for (const QString &word : words.mid(1)) {
            if (keyword == QLatin1String("host"))
                addHost(word);
            else if (keyword == QLatin1String("include") && depth < kMaxDepth)
                for (const QString &included : includedFiles(word))
                    addFile(included, depth + 1);
        }
    }
}

} // namespace

QStringList sshHosts(const QString &configPath)
{
    return HostList(configPath).hosts;
}

} // namespace jetscope
