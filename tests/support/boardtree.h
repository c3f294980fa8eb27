// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <QTemporaryDir>

#include <map>
#include <string>
#include <vector>

namespace jetscope::testing {

/// What Jetscope should read from the tree of a board.
struct BoardExpectation {
    std::string model;
    std::string module;
    std::string chip;
    std::string l4t;
    std::string jetpack;
    std::string kernel;
    std::string powerMode;
    /// By the name of the item. What is not listed here is not compared.
    std::map<std::string, double> values;
    std::vector<std::string> unknown; ///< Items that are listed, but without a value.
    std::vector<std::string> energy;  ///< Items whose power is integrated.
};

/// A board as a table of files below the root folder, and what follows from them. The paths and texts follow NVIDIA's
/// documentation and published logs: none of them was copied from a device by the authors of Jetscope.
struct BoardExample {
    QString name;
    std::vector<std::pair<QString, QByteArray>> files;
    BoardExpectation expected;
};
const std::vector<BoardExample> &boardExamples();

/// A folder with files like those of a kernel.
class BoardTree {
public:
    BoardTree() = default;
    explicit BoardTree(const BoardExample &example);
    void write(const QString &path, const QByteArray &content);
    void remove(const QString &path);
    QString path(const QString &name) const { return m_folder.filePath(name); }
    std::string root() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

} // namespace jetscope::testing
