import { availableParallelism, cpus } from "node:os";
import type { Imports } from "@/lib/tools/bench/imports";
import { growthFactor, type Lists, type Pair } from "@/lib/tools/bench/lists";
import type { CaseResult, Result } from "@/lib/tools/bench/measure";
import type { Planning } from "@/lib/tools/bench/planning";
import type { Portal } from "@/lib/tools/bench/portal";
import type { Synchronization } from "@/lib/tools/bench/synchronize";
import type { Uploads } from "@/lib/tools/bench/upload";

export type Report = {
  machine: { cpus: number; model: string; node: string; postgres: string };
  rows: number;
  rounds: number;
  seconds: number;
  connections: number;
  cases: CaseResult[];
  /** null if not selected */
  synchronization: Synchronization | null;
  /** null if not selected */
  uploads: Uploads | null;
  /** null if not selected */
  portal: Portal | null;
  /** null if not selected */
  planning: Planning | null;
  /** null if not selected */
  lists: Lists | null;
  /** null if not selected */
  imports: Imports | null;
};

export const machine = (postgres: string): Report["machine"] => ({
  cpus: availableParallelism(),
  model: cpus()[0]?.model ?? "unknown",
  node: process.version,
  postgres,
});

const headings = ["", "", "req/s", "p50 ms", "p99 ms", "CPU", "CPU pg", "CPU load", "other status", "Candor is"];

/** The report as text: one line per server, the ratio next to each yardstick. */
export function formatReport({
  machine,
  rows,
  rounds,
  seconds,
  connections,
  cases,
  synchronization,
  uploads,
  portal,
  planning,
  lists,
  imports,
}: Report): string {
  const lines = cases.flatMap(({ name, servers, ratios }) =>
    Object.entries(servers).map(([server, result], index) => [
      index === 0 ? name : "",
      server,
      ...resultCells(result),
      server in ratios ? `${ratios[server as keyof typeof ratios].toFixed(2)} ×` : "",
    ]),
  );
  return [
    `${machine.cpus} × ${machine.model}, Node ${machine.node}, PostgreSQL ${machine.postgres}`,
    `${rows} reviews, ${connections} connections, medians of ${rounds} rounds of ${seconds} s, servers taking turns; CPU in cores`,
    "",
    ...(cases.length > 0 ? [...alignColumns([headings, ...lines]), ""] : []),
    ...(synchronization ? [...alignColumns(synchronizationLines(synchronization)), ""] : []),
    ...(uploads ? [...alignColumns(uploadLines(uploads)), ""] : []),
    ...(portal ? [...alignColumns(portalLines(portal)), ""] : []),
    ...(planning ? [...alignColumns(planningLines(planning)), ""] : []),
    ...(lists ? [...alignColumns(listLines(lists)), ""] : []),
    ...(imports ? [...alignColumns(importLines(imports)), ""] : []),
    ...cases.map(({ name, about }) => `${name}: ${about}`),
    ...(planning ? [`${planning.name}: ${planning.about}; ${planning.rounds} rounds`] : []),
    ...(lists ? [`${lists.name}: ${lists.about}; rows made in ${lists.fillSeconds.toFixed(0)} s`] : []),
    ...(synchronization
      ? [
          `${synchronization.name}: ${synchronization.about}; ${synchronization.rows} rows a pass, ${synchronization.rounds} passes`,
        ]
      : []),
    ...(uploads
      ? [`${uploads.name}: ${uploads.about}; ${(uploads.bytes / 2 ** 20).toFixed(1)} MB, ${uploads.rounds} rounds`]
      : []),
    ...(portal
      ? [
          `${portal.name}: ${portal.about}; ${portal.decisions} decisions each, ${portal.pendingReviews} reviews waiting`,
        ]
      : []),
    ...(imports ? [`${imports.name}: ${imports.about}; ${imports.rows} rows, ${imports.rounds} rounds`] : []),
    "plain: bare node:http, pg rows, JSON.stringify; a write is one insert. limit: bare node:http, Candor's own statements and technique.",
    "Neither checks a key, limits, logs or validates more than its case says; Candor does all of it, as in production but for RATE_LIMITS=off.",
  ].join("\n");
}

/** Time until the next item, with the initial list and with a long one. */
const portalLines = ({ name, withLongList, pages, firstLoads, ...short }: Portal): string[][] => [
  ["", "", "p50 ms", "p95 ms", "longest ms"],
  ...[["list of 30 and more", short] as const, [`list of ${withLongList.items}`, withLongList] as const].map(
    ([list, { median, p95, max }], index) => [
      index === 0 ? name : "",
      list,
      ...[median, p95, max].map((time) => time.toFixed(1)),
    ],
  ),
  ...pages.map(({ page, median }) => ["", `page: ${page}`, median.toFixed(0), "", ""]),
  ["first load", "", "kB script", "files", "usable ms"],
  ...firstLoads.map(({ path, scriptBytes, files, usableMs }) => [
    "",
    path,
    (scriptBytes / 1000).toFixed(1),
    String(files),
    usableMs?.toFixed(0) ?? "",
  ]),
];

/** Rows of a feed per second, and the peak memory of the importing process. */
const importLines = ({ name, candor, yardstick, ratio, peakBytes }: Imports): string[][] => [
  ["", "", "rows/s", "RSS peak MB", "Candor is"],
  [name, "candor", candor.toFixed(0), (peakBytes / 1_000_000).toFixed(0), ""],
  ["", "COPY + merge", yardstick.toFixed(0), "–", `${ratio.toFixed(2)} ×`],
];

/** Each server's memory next to its speed: it should not grow during a pass over all reviews. */
function synchronizationLines({ name, servers, ratios }: Synchronization): string[][] {
  const megabytes = (bytes: number | null) => (bytes === null ? "–" : (bytes / 2 ** 20).toFixed(0));
  return [
    ["", "", "rows/s", "RSS begin MB", "RSS peak MB", "Candor is"],
    ...Object.entries(servers).map(([server, { perSecond, memory }], index) => [
      index === 0 ? name : "",
      server,
      perSecond.toFixed(0),
      megabytes(memory.begin),
      megabytes(memory.peak),
      server in ratios ? `${ratios[server as keyof typeof ratios].toFixed(2)} ×` : "",
    ]),
  ];
}

/** Time per photo, and its effect on concurrent readers. */
function uploadLines({ name, withoutReaders, whileReading, readers, cpu, memory }: Uploads): string[][] {
  const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
  const seen = ({ perSecond, p50, p99 }: Uploads["readers"]["before"]) => [perSecond.toFixed(0), ms(p50), ms(p99)];
  return [
    ["", "", "ms", "longest ms", "CPU s", "RSS + MB", "readers/s", "p50 ms", "p99 ms"],
    [
      name,
      "alone",
      ms(withoutReaders.median),
      ms(withoutReaders.max),
      cpu === null ? "–" : cpu.toFixed(2),
      memory === null ? "–" : (memory / 2 ** 20).toFixed(0),
      ...seen(readers.before),
    ],
    ["", "while others read", ms(whileReading.median), ms(whileReading.max), "", "", ...seen(readers.duringUploads)],
  ];
}

function planningLines({ name, items, due, limit, decided, seconds, ratios }: Planning): string[][] {
  const line = (what: string, durationSeconds: number, ratio?: number, note = "") => [
    note,
    what,
    durationSeconds.toFixed(3),
    ratio === undefined ? "" : `${ratio.toFixed(2)} ×`,
  ];
  return [
    [`${items} open order items, ${due.items} of ${due.people} people due`, "", "seconds", "of bare"],
    line("bare SQL that finds all due items", seconds.bare, undefined, name),
    line("finding all people with one", seconds.find, ratios.find),
    line(`deciding on ${decided} of them`, seconds.decide),
    line(`bare SQL that finds and writes ${limit}`, seconds.bareRun),
    line(`a run that finds, decides and claims ${limit}`, seconds.run, ratios.run),
    line("an hour later, nothing new", seconds.idle),
    line("all asked for", seconds.nothing),
  ];
}

/** Each list's pages with few and many rows, and the ratio of their times. */
function listLines({ rows, lists }: Lists): string[][] {
  const cells = (pair: Pair | null) =>
    pair ? [pair.few.toFixed(1), pair.many.toFixed(1), `${growthFactor(pair).toFixed(1)} ×`] : ["", "", ""];
  return [
    ["page", "list", `ms at ${rows.few}`, `ms at ${rows.many}`, "", "far in: ms", "ms", ""],
    ...lists.map(({ page, name, first, midPage }, at) => [
      page === lists[at - 1]?.page ? "" : page,
      name,
      ...cells(first),
      ...cells(midPage),
    ]),
  ];
}

/** Aligns cells in columns: the first two left, the others right. */
function alignColumns(lines: string[][]): string[] {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function resultCells({ perSecond, p50, p99, cpu, unexpected }: Result): string[] {
  const cores = (value: number | null) => (value === null ? "–" : value.toFixed(2));
  return [
    perSecond.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(1),
    cores(cpu.server),
    cores(cpu.postgres),
    cores(cpu.load),
    String(unexpected),
  ];
}
