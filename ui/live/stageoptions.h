// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/filters.h"

#include <QWidget>

#include <optional>
#include <string>

class QFormLayout;

namespace jetscope {

/// A labelled box for each option of a stage: a number, or a list of words in which those are disabled that the stage
/// cannot take. Hidden where there are no options.
class StageOptions : public QWidget {
    Q_OBJECT
public:
    explicit StageOptions(QWidget *parent = nullptr);

    /// Shows the options of a filter. Boxes of the same stage stay, with the focus.
    void show(std::optional<Filter> filter);

signals:
    void wanted(const std::string &name); ///< The stage with another value, by its name.

private:
    bool isShown(const FilterRow &row) const;
    QWidget *makeBox(std::size_t option);
    QWidget *makeNumberBox(std::size_t option);
    QWidget *makeWordBox(std::size_t option);
    void setValues();
    void want(std::size_t option, double value);

    QFormLayout *m_rows;
    FilterRow m_row; ///< With the values of the boxes.
};

} // namespace jetscope
