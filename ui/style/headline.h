// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace jetscope {

struct Verdict;

/// The line at the head of a workspace, with the verdict on what is open; a stroke in the colour of what limits the
/// frame rate stands before it.
class HeadLine : public QWidget {
    Q_OBJECT
public:
    explicit HeadLine(QWidget *parent = nullptr);

    void setVerdict(const Verdict &verdict);
    void setWarning(const QString &sentence, bool isWarning); ///< In place of a verdict.
    QString verdictText() const;

protected:
    QWidget *verdict() const { return m_line; }
    static QLabel *makeLabel(const char *objectName);

private:
    class Stroke;
    void setSentence(const QString &sentence);

    QWidget *m_line;
    Stroke *m_stroke;
    QLabel *m_verdict;
};

} // namespace jetscope
