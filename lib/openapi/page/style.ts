/** The style of the page; it follows the reader's preference for light or dark. */
export const style = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1f2328, #d9dee3); --faint: light-dark(#5b6570, #98a2ad); --line: light-dark(#d8dee4, #343b43);
  --page: light-dark(#fff, #14181c); --panel: light-dark(#f6f8fa, #1b2026); --link: light-dark(#0a58a8, #79b8ff);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--text); background: var(--page); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, .path, .method, i, b { font-family: ui-monospace, 'DejaVu Sans Mono', Consolas, monospace; font-size: .9em; }
code { background: var(--panel); border-radius: 3px; padding: .1em .3em; }
nav { position: fixed; inset: 0 auto 0 0; width: 21rem; overflow: auto; padding: 1rem; font-size: 13px;
  background: var(--panel); border-right: 1px solid var(--line); }
nav h2 { margin: 1.1rem 0 .2rem; font-size: 13px; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; padding: .12rem 0; color: var(--text); }
main { margin-left: 21rem; padding: 1rem 2.5rem 6rem; max-width: 78rem; }
h1 { margin: 0; }
h2 { margin: 3rem 0 0; }
h3 { margin: 0 0 .4rem; font-size: 1.05rem; overflow-wrap: anywhere; }
h4 { margin: 1.1rem 0 .3rem; font-size: .8rem; color: var(--faint); text-transform: uppercase; letter-spacing: .04em; }
h4 code { text-transform: none; letter-spacing: 0; }
p { margin: .3rem 0; max-width: 48rem; }
section { margin: 1rem 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 6px; }
section:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.summary { font-weight: 600; }
.method { display: inline-block; min-width: 3.9em; font-weight: 700; }
.get { color: light-dark(#0a58a8, #79b8ff); } .post { color: light-dark(#1a7f37, #6fdd8b); }
.put { color: light-dark(#9a6700, #e3b341); } .delete { color: light-dark(#cf222e, #ff8182); }
.method, nav .method { text-transform: uppercase; }
.schema { background: var(--panel); border-radius: 4px; padding: .4rem .8rem; margin: 0; list-style: none; }
.schema ul { list-style: none; margin: .1rem 0 .1rem .3rem; padding-left: .9rem; border-left: 1px solid var(--line); }
.schema .or { margin: .4rem 0 0; padding-left: .8rem; border-left: 3px solid var(--line); }
.row { padding: .12rem 0; overflow-wrap: anywhere; }
.row p { color: var(--faint); font-size: .9em; margin: 0; }
.row i { font-style: normal; color: var(--faint); }
.row em { font-style: normal; font-size: .8em; color: light-dark(#cf222e, #ff8182); }
.row small { color: var(--faint); margin-left: .4rem; }
table { border-collapse: collapse; }
td { padding: .15rem .8rem .15rem 0; vertical-align: top; }
td code { margin-right: .1rem; }
@media (max-width: 60rem) {
  nav { position: static; width: auto; border: 0; border-bottom: 1px solid var(--line); }
  main { margin: 0; padding: 1rem; }
}
@media print { nav { display: none; } main { margin: 0; } section { break-inside: avoid; } }
`;
