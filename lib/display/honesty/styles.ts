import type { Brand } from "@/lib/forms/brand";

/** The page's styles, in the colors of the other pages for customers. */
export const styles = (accent: Brand["accent"]): string => `
@font-face { font-family: "Inter Variable"; font-style: normal; font-display: swap; font-weight: 100 900; src: url("/fonts/inter-latin-opsz-normal.woff2") format("woff2-variations"); }
:root { color-scheme: light dark; --surface: #faf8f5; --raised: #ffffff; --ink: #1d1b18; --muted: #6a645b; --line: #e6e1d8; --accent: #2950b4; --published: #2f7d5b; --against: #b3472c; --pending: #8b8478; }
@media (prefers-color-scheme: dark) { :root { --surface: #151412; --raised: #1d1b19; --ink: #efebe4; --muted: #a9a296; --line: #322f2b; --accent: #9db8ff; --published: #5fb58d; --against: #e58a6c; --pending: #837c72; } }
* { box-sizing: border-box; margin: 0; }
body { padding: 24px 16px 48px; background: var(--surface); color: var(--ink); font: 16px/1.55 "Inter Variable", ui-sans-serif, system-ui, sans-serif; }
main { display: flex; flex-direction: column; gap: 16px; max-width: 44rem; margin: 0 auto; }
.shop { font-size: 17px; font-weight: 600; }
.shop a { color: inherit; text-decoration: none; }
.shop img { max-height: 40px; max-width: 200px; object-fit: contain; vertical-align: middle; }
h1 { font-size: 28px; font-weight: 650; line-height: 1.2; letter-spacing: -0.018em; text-wrap: balance; }
h2 { font-size: 20px; font-weight: 600; line-height: 1.3; text-wrap: balance; }
h3 { font-size: 16px; font-weight: 600; margin-bottom: 4px; }
section { display: flex; flex-direction: column; gap: 14px; padding: 20px; background: var(--raised); border: 1px solid var(--line); border-radius: 14px; overflow-wrap: anywhere; }
section:first-of-type { ${accent ? `border-top: 4px solid ${accent.color};` : ""} }
.note { color: var(--muted); font-size: 14px; }
.facts { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.fact .label { color: var(--muted); font-size: 14px; }
.fact .value { font-size: 26px; font-weight: 650; line-height: 1.25; }
ul, ol { padding: 0; list-style: none; }
.chart { display: grid; gap: 8px; }
.chart li { display: grid; grid-template-columns: 2.6em 1fr 6.5em; gap: 10px; align-items: center; font-variant-numeric: tabular-nums; }
.chart .count { font-size: 14px; text-align: right; }
.bar { display: flex; gap: 2px; height: 18px; border-radius: 4px; overflow: hidden; background: var(--line); }
.bar span { min-width: 3px; }
.published { background: var(--published); } .against { background: var(--against); } .pending { background: var(--pending); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-top: 12px; font-size: 14px; }
.key { display: inline-block; width: 11px; height: 11px; margin-right: 6px; border-radius: 3px; }
dl div { display: flex; gap: 16px; justify-content: space-between; padding: 7px 0; border-top: 1px solid var(--line); }
dl div:first-child { border-top: 0; }
dt { flex: 1; color: var(--muted); }
dd { margin: 0; max-width: 55%; text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 15px; font-variant-numeric: tabular-nums; }
th { font-weight: 400; text-align: left; }
thead th { color: var(--muted); font-size: 13px; vertical-align: bottom; }
th, td { padding: 7px 0 7px 10px; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 0; }
td, thead th:not(:first-child) { text-align: right; }
td, thead th { overflow-wrap: normal; word-break: keep-all; }
td { white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
summary { cursor: pointer; color: var(--accent); padding: 4px 0; }
.changes li { padding: 8px 0; border-top: 1px solid var(--line); }
.changes strong { font-weight: 600; }
pre { padding: 10px 12px; overflow-x: auto; border-radius: 8px; background: var(--surface); border: 1px solid var(--line); font: 13px/1.5 ui-monospace, monospace; }
a { color: var(--accent); text-underline-offset: 3px; }
.links, nav { display: flex; flex-wrap: wrap; gap: 4px 20px; }
.links a, nav a { display: inline-block; padding: 4px 0; }
nav { justify-content: center; font-size: 14px; }
nav a[aria-current] { color: var(--muted); text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (min-width: 40rem) { body { padding-top: 48px; } section { padding: 28px 32px; } h1 { font-size: 34px; } .fact .value { font-size: 30px; } }
`;
