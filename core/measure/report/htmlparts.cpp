// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/htmlparts.h"

#include "core/measure/report/reporttext.h"

namespace jetscope {

std::string elementHtml(std::string_view name, std::string_view text, std::string_view className)
{
    std::string html = "<" + std::string(name);
    if (!className.empty())
        html += " class=\"" + std::string(className) + "\"";
    return html + ">" + htmlText(text) + "</" + std::string(name) + ">";
}

std::string pageBegin(std::string_view titleText, std::string_view subtitleText)
{
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<meta name=\"color-scheme\" content=\"light dark\"/>\n";
    html += elementHtml("title", std::string(titleText) + " – Jetscope report") + "\n<style>\n" + kReportStyle
        + "</style>\n</head>\n<body>\n<header>\n" + elementHtml("h1", titleText) + "\n";
    if (!subtitleText.empty())
        html += paragraphHtml(subtitleText, "muted");
    return html + "</header>\n<main>\n";
}

std::string pageEnd(std::string_view programText)
{
    const std::string program(programText.empty() ? "Jetscope" : programText);
    return "</main>\n<footer>\n" + paragraphHtml("Measured by " + program + ". This page needs no network.", "muted")
        + "</footer>\n</body>\n</html>\n";
}

std::string sectionHtml(std::string_view headingText, const std::string &html)
{
    return "<section>\n" + elementHtml("h2", headingText) + "\n" + html + "</section>\n";
}

std::string subsectionHtml(std::string_view headingText, const std::string &html)
{
    return "<div class=\"part\">\n" + elementHtml("h3", headingText) + "\n" + html + "</div>\n";
}

std::string paragraphHtml(std::string_view text, std::string_view className)
{
    return elementHtml("p", text, className) + "\n";
}

std::string factsHtml(const std::vector<std::pair<std::string, std::string>> &rows)
{
    std::string html = "<dl>\n";
    for (const auto &[label, text] : rows)
        if (!text.empty())
            html += "<div>" + elementHtml("dt", label) + elementHtml("dd", text) + "</div>\n";
    return html + "</dl>\n";
}

std::string scrollingHtml(std::string_view labelText, const std::string &html)
{
    return "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + htmlText(labelText) + "\">\n" + html
        + "</div>\n";
}

std::string tableHtml(std::string_view labelText, const std::vector<HtmlColumn> &columns, const std::string &rows)
{
    std::string html = "<table>\n<thead><tr>";
    for (const HtmlColumn &column : columns)
        html += (column.isNumber ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">") + htmlText(column.text)
            + "</th>";
    return scrollingHtml(labelText, html + "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>\n");
}

std::string figureHtml(const std::string &picture, const std::string &caption)
{
    return "<figure>\n" + picture + "<figcaption>" + caption + "</figcaption>\n</figure>\n";
}

std::string codeHtml(std::string_view text)
{
    return "<pre tabindex=\"0\"><code>" + htmlText(text) + "</code></pre>\n";
}

} // namespace jetscope
