/** The style of the page: light and dark by the reader's system, narrow screens, and paper. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --sheet: #f5f7f9; --ink: #1b1f24; --faint: #57606a; --rule: #d0d7de; --link: #0550ae;
  --ok: #0b5cad; --failed: #b3261e; --unknown: #6b3fa0; --core: #9a6700;
  --fault: #8a5a00; --fault-wash: #fff1d6;
  --pass: #116329; --pass-wash: #dafbe1; --fail: #a40e26; --fail-wash: #ffebe9;
  --partial: #7a4d00; --partial-wash: #fff4d1; --inconclusive: #4a3aa7; --inconclusive-wash: #eeebff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1117; --sheet: #161b22; --ink: #e6edf3; --faint: #9da7b3; --rule: #3d444d; --link: #79b8ff;
    --ok: #6cb6ff; --failed: #ff8f85; --unknown: #cda8ff; --core: #f2cc60;
    --fault: #e3b341; --fault-wash: #2e2510;
    --pass: #56d364; --pass-wash: #0f2a17; --fail: #ff9a93; --fail-wash: #3a1216;
    --partial: #e3b341; --partial-wash: #2e2510; --inconclusive: #b9acff; --inconclusive-wash: #221d44;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 1280px; margin: 0 auto; padding: 0 20px; }
nav { margin-top: 16px; }
main { padding-bottom: 64px; }
h1 { font-size: 1.7rem; margin: 24px 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; margin: 40px 0 12px; padding-top: 12px; border-top: 1px solid var(--rule); }
h3 { font-size: 1.15rem; margin: 32px 0 8px; overflow-wrap: anywhere; }
h4 { font-size: 1rem; margin: 24px 0 8px; }
p, li, td, th, dd, figcaption { unicode-bidi: isolate; overflow-wrap: anywhere; }
p { margin: 8px 0; max-width: 95ch; }
ul, ol { padding-left: 22px; margin: 8px 0; }
li { margin: 2px 0; }
a { color: var(--link); }
code, pre { font: 0.88em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; unicode-bidi: isolate; }
code { background: var(--sheet); padding: 1px 4px; border-radius: 4px; }
pre { background: var(--sheet); border: 1px solid var(--rule); border-radius: 6px; padding: 10px 12px; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
.skip { position: absolute; left: -999em; }
.skip:focus { left: 12px; top: 12px; padding: 8px 12px; background: var(--paper); z-index: 9; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 6px 18px; }
nav .scenarios { display: grid; gap: 6px; }
.lead { font-size: 1.12rem; }
.verdict { display: inline-block; padding: 0 8px; border-radius: 6px; border: 1px solid currentColor; white-space: nowrap;
  font-size: 0.92em; line-height: 1.5; }
.verdict.pass { color: var(--pass); background: var(--pass-wash); }
.verdict.fail { color: var(--fail); background: var(--fail-wash); border-width: 2px; }
.verdict.partial { color: var(--partial); background: var(--partial-wash); border-style: dashed; }
.verdict.inconclusive { color: var(--inconclusive); background: var(--inconclusive-wash); border-style: dashed; }
.verdict.none { color: var(--faint); background: var(--sheet); border-style: dotted; }
.scroll { overflow-x: auto; margin: 8px 0; }
table { border-collapse: collapse; font-size: 0.88rem; min-width: min(100%, 480px); }
th, td { text-align: left; vertical-align: top; padding: 4px 10px; border-bottom: 1px solid var(--rule); min-width: 5ch;
  max-width: 60ch; font-variant-numeric: tabular-nums; }
thead th { background: var(--sheet); white-space: nowrap; }
tbody th { font-weight: 600; }
summary { cursor: pointer; padding: 4px 0; color: var(--link); width: fit-content; }
figure { margin: 20px 0; border: 1px solid var(--rule); border-radius: 8px; padding: 12px 14px; }
figcaption strong { margin-right: 4px; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 18px; font-size: 0.85rem; color: var(--faint); }
.legend svg { vertical-align: -2px; }
.remark { font-size: 0.85rem; color: var(--faint); }
.panel { display: flex; align-items: flex-start; }
.axis { flex: none; }
.area { flex: 1; min-width: 0; overflow-x: auto; overflow-y: hidden; }
.area > svg { display: block; }
[data-zoom="2"] .area > svg { width: 200%; } [data-zoom="5"] .area > svg { width: 500%; }
[data-zoom="20"] .area > svg { width: 2000%; }
.zoom { font-size: 0.85rem; color: var(--faint); }
.zoom select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--faint); border-radius: 4px; padding: 2px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); direction: ltr; unicode-bidi: isolate; }
svg .axis text, svg.axis text, svg text.small { fill: var(--faint); font-size: 11px; }
svg text.call { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12px; }
.definitions { position: absolute; }
.grid { stroke: var(--rule); stroke-width: 1; opacity: 0.6; }
.hatch-line { stroke: var(--fault); stroke-width: 1.4; fill: none; opacity: 0.42; }
.band { fill: url(#hatch); stroke: var(--fault); stroke-opacity: 0.5; stroke-width: 1; }
.band.unproven { fill: none; stroke-dasharray: 3 3; stroke-opacity: 0.9; }
.band.injected { fill: var(--fault); fill-opacity: 0.12; stroke: none; }
.band.named { stroke-opacity: 1; }
.fault text { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; font-weight: 600; }
.bar.ok { fill: var(--ok); }
.bar.failed { fill: var(--paper); stroke: var(--failed); stroke-width: 1.3; }
.bar.unknown { fill: var(--paper); stroke: var(--unknown); stroke-width: 1.3; stroke-dasharray: 2 2; }
.mark.ok { fill: var(--ok); }
.mark.failed { fill: none; stroke: var(--failed); stroke-width: 1.8; }
.mark.unknown { fill: var(--paper); stroke: var(--unknown); stroke-width: 1.5; }
.mark-arrow { fill: var(--ink); }
.point .mark.ok { opacity: 0.6; }
.halo { fill: none; stroke: var(--core); stroke-width: 2.5; }
.line { fill: none; stroke: var(--ink); stroke-width: 1.6; }
.line.p50 { stroke-width: 2.4; } .line.p95 { stroke-dasharray: 7 3; } .line.p99 { stroke-dasharray: 2 2.5; }
.line.max { stroke: var(--faint); stroke-width: 1; }
.line.ok { stroke: var(--ok); stroke-width: 2.2; }
.line.failed { stroke: var(--failed); stroke-dasharray: 7 3; }
.line.unknown { stroke: var(--unknown); stroke-dasharray: 2 2.5; }
.lines { pointer-events: none; overflow: visible; }
.stretch { fill: transparent; }
.stretch:hover, .stretch.told { fill: var(--ink); fill-opacity: 0.1; }
.op:hover .bar, .op.told .bar, .op:hover .mark, .op.told .mark { stroke: var(--ink); stroke-width: 2.5; opacity: 1; }
.fault:hover .band, .fault.told .band { stroke-width: 3; }
.lane { stroke: var(--faint); stroke-width: 1; } .lane.node { stroke-dasharray: 6 3; }
.answer { stroke: var(--faint); stroke-width: 1.2; stroke-dasharray: 2 3; }
.node-dot { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; }
.scroll > svg text { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
.scroll > svg { display: block; }
.cycle-node { fill: var(--sheet); stroke: var(--ink); }
.cycle-edge { fill: none; stroke: var(--ink); stroke-width: 1.6; }
.cycle-number { fill: var(--paper); stroke: var(--ink); }
#reading { position: fixed; z-index: 5; max-width: min(460px, calc(100vw - 16px)); padding: 6px 10px; background: var(--ink); color: var(--paper);
  border-radius: 6px; font-size: 0.85rem; pointer-events: none; overflow-wrap: anywhere; unicode-bidi: isolate; }
#reading:empty { padding: 0; }
@media (max-width: 640px) {
  header, main { padding-left: 12px; padding-right: 12px; }
  figure { padding: 10px 8px; margin-left: -4px; margin-right: -4px; }
  th, td { padding: 4px 6px; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --sheet: #f5f7f9; --ink: #000; --faint: #444; --rule: #bbb; --link: #000;
    --ok: #0b5cad; --failed: #b3261e; --unknown: #6b3fa0; --core: #9a6700; --fault: #8a5a00;
    --pass: #116329; --pass-wash: #fff; --fail: #a40e26; --fail-wash: #fff; --partial: #7a4d00; --partial-wash: #fff;
    --inconclusive: #4a3aa7; --inconclusive-wash: #fff; }
  body { font-size: 10pt; }
  header, main { max-width: none; padding: 0; }
  .skip, .zoom, #reading { display: none; }
  .scroll, .area { overflow: visible; }
  table { font-size: 7.5pt; width: 100%; min-width: 0; } th, td { min-width: 0; padding: 2px 4px; }
  figure { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
  .scroll > svg { max-width: 100%; height: auto; }
  * { print-color-adjust: exact; }
}
`
