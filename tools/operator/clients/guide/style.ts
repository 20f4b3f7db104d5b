/** Style sheet of the guide, for a screen and for paper. */
export const style = `
:root { color-scheme: light dark; --text: light-dark(#15181e, #e8ebf0); --muted: light-dark(#596273, #9aa5b4);
  --ground: light-dark(#ffffff, #0e1116); --raised: light-dark(#f3f5f8, #1a1f27); --edge: light-dark(#d5dae2, #303744); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--edge); }
h3 { font-size: .875rem; margin: 1rem 0 .25rem; color: var(--muted); }
code, pre { font: .875em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: .25rem 0 0; padding: .75rem; background: var(--raised); border: 1px solid var(--edge); border-radius: .375rem;
  overflow-x: auto; }
li { margin: .4rem 0; }
li pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .94em; }
td:first-child { min-width: 12.5ch; }
th { text-align: left; color: var(--muted); font-weight: 600; }
td { overflow-wrap: anywhere; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--edge); vertical-align: top; }
.muted { color: var(--muted); margin: 0; }
.note { padding: .75rem 1rem; border-left: .25rem solid #b45309; background: var(--raised); }
.line { border-bottom: 1px solid var(--text); padding-bottom: 1.5rem; }
@media print {
  :root { color-scheme: light; font-size: 10pt; }
  @page { margin: 18mm 16mm; }
  body { font-size: 1rem; background: none; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 18pt; }
  h2 { font-size: 13pt; margin-top: 16pt; }
  h2, h3 { break-after: avoid; }
  tr, li, .note { break-inside: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 7.5pt; background: none; }
  .wide { overflow: visible; }
}
`;
