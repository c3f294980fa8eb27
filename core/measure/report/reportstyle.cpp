// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/htmlparts.h"

namespace jetscope {

// Every background of the heat map keeps WCAG AA contrast with `--text`.
const char *const kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f8; --card: #ffffff; --border: #c6ccd2; --text: #1c2126; --muted: #57606a; --accent: #3f6600;
  --good: #3b6300; --good-fill: #e4f2cc; --bad: #a52a22; --bad-fill: #fadfdc; --band: #ebedf0; --wait: #b5b9bd;
  --h0: #7fbdf0; --h1: #a5cff1; --h2: #cce1f3; --h3: #e7eef4; --h4: #f3ede5; --h5: #f3dcc1; --h6: #f2c490; --h7: #f2ac5e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1b1f24; --border: #343b44; --text: #dfe4ea; --muted: #949da8; --accent: #8fd414;
    --good: #9ad63c; --good-fill: #28350f; --bad: #f28b82; --bad-fill: #4a2023; --band: #23282f; --wait: #4a525c;
    --h0: #0b5c94; --h1: #164d75; --h2: #203f56; --h3: #28343f; --h4: #333332; --h5: #47392a; --h6: #62411e; --h7: #7d4a12;
  }
}
@media print {
  :root {
    --page: #ffffff; --card: #ffffff; --border: #a9b0b7; --text: #1c2126; --muted: #4a525c; --accent: #3f6600;
    --good: #3b6300; --good-fill: #e4f2cc; --bad: #a52a22; --bad-fill: #fadfdc; --band: #f1f3f5; --wait: #b5b9bd;
    --h0: #7fbdf0; --h1: #a5cff1; --h2: #cce1f3; --h3: #e7eef4; --h4: #f3ede5; --h5: #f3dcc1; --h6: #f2c490; --h7: #f2ac5e;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--page); color: var(--text);
  font: 15px/1.5 Inter, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 0; }
h2 { font-size: 1.15rem; margin: 0 0 .6rem; }
h3 { font-size: 1rem; margin: 1rem 0 .4rem; }
p { margin: .4rem 0; max-width: 60rem; }
ul { margin: .4rem 0; padding-left: 1.3rem; }
.muted, figcaption, caption { color: var(--muted); font-size: .9rem; }
.verdict { font-size: 1.1rem; border-left: 4px solid var(--accent); padding: .3rem .8rem; background: var(--good-fill); }
.verdict.failed { border-color: var(--bad); background: var(--bad-fill); }
.bad { color: var(--bad); }
section { background: var(--card); border: 1px solid var(--border); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .4rem 1.2rem; margin: .4rem 0; }
dt { color: var(--muted); font-size: .85rem; }
dd { margin: 0; }
pre { overflow-x: auto; background: var(--band); border-radius: 6px; padding: .7rem; margin: .4rem 0; }
code { font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
.scroll { overflow-x: auto; margin: .5rem 0; }
.scroll:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; padding: 0 0 .3rem; }
th, td { padding: .3rem .55rem; border-bottom: 1px solid var(--border); text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-weight: 600; font-size: .85rem; white-space: nowrap; vertical-align: bottom; }
tbody th { font-weight: 500; }
td.n, th.n { text-align: right; white-space: nowrap; }
td small { display: block; color: var(--muted); font-size: .85em; }
table.cells { width: 100%; }
table.cells thead th { white-space: normal; }
table.cells tbody th { min-width: 12rem; overflow-wrap: break-word; }
.scroll tbody th { position: sticky; left: 0; background: var(--card); }
table.heat { border-spacing: 3px; }
table.heat th { border: 0; }
table.heat td { border: 1px solid transparent; border-radius: 5px; text-align: center; white-space: nowrap; min-width: 5.2rem; }
table.heat td b { font-weight: 600; display: block; }
table.heat td span { font-size: .85em; display: block; }
table.heat td.best { border: 2px solid var(--text); }
table.heat td.tie { border: 1px dashed var(--muted); }
.h0 { background: var(--h0); } .h1 { background: var(--h1); } .h2 { background: var(--h2); } .h3 { background: var(--h3); }
.h4 { background: var(--h4); } .h5 { background: var(--h5); } .h6 { background: var(--h6); } .h7 { background: var(--h7); }
td.none { color: var(--muted); background: repeating-linear-gradient(135deg, var(--band) 0 5px, transparent 5px 10px); }
td.failed { background: var(--bad-fill); color: var(--bad); }
tr.best th, tr.best td { background: var(--good-fill); }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1rem; }
.multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.2rem, 1fr)); gap: .6rem .5rem; }
td.interval { min-width: 10rem; vertical-align: middle; }
tbody th[scope="rowgroup"] { padding-top: .9rem; font-weight: 600; }
figure { margin: .5rem 0; }
.grid figure { max-width: 28rem; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 11px Inter, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--text); }
svg text.m { fill: var(--muted); }
svg text.b { fill: #101418; pointer-events: none; }
svg text.w { fill: var(--text); pointer-events: none; }
svg .axis { stroke: var(--border); stroke-width: 1; }
svg .frame { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 3 3; }
svg .band { fill: var(--band); }
svg .bar { fill: #76b900; }
svg .p { stroke: var(--text); stroke-width: 1; stroke-dasharray: 4 2; }
svg .hazard { fill: var(--bad); }
.wide svg { min-width: 58rem; }
svg .bounded { fill-opacity: .45; stroke: var(--text); stroke-dasharray: 3 2; }
.k-capture { fill: #36dff8; background: #36dff8; } .k-copy { fill: #f7bd74; background: #f7bd74; }
.k-kernel { fill: #76b900; background: #76b900; } .k-cpu { fill: #4aa3df; background: #4aa3df; }
.k-draw { fill: #a95ef4; background: #a95ef4; } .k-tool { fill: #7b838d; background: #7b838d; }
.k-wait { fill: var(--wait); background: var(--wait); } .k-unknown { fill: var(--border); background: var(--border); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; list-style: none; padding: 0; margin: .3rem 0; font-size: .85rem; }
.legend i, .key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin-right: .35rem; vertical-align: -1px; }
footer { margin: 1rem 0; }
@media (max-width: 480px) {
  body { padding: .6rem; }
  section { padding: .7rem; }
  .scroll tbody th { max-width: 36vw; white-space: normal; }
  table.cells tbody th { min-width: 0; }
  dl { grid-template-columns: 1fr; }
}
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  section { border: 0; padding: 0; margin: 0 0 6mm; break-inside: auto; }
  h2, h3 { break-after: avoid; }
  tr, figure, .verdict, dl div { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll, pre { overflow: visible; }
  .scroll tbody th { position: static; }
  .wide svg { min-width: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  table.heat { font-size: 8pt; break-inside: avoid; }
  table.heat th, table.heat td { padding: .1rem .3rem; }
  table.cells { font-size: 8pt; }
  table.cells th, table.cells td { padding: .1rem .3rem; line-height: 1.25; }
}
)css";

} // namespace jetscope
