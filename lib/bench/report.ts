import { availableParallelism, cpus } from "node:os";
import type { Measured, Result } from "@/lib/bench/measure";

export type Report = {
  machine: { cpus: number; model: string; node: string; postgres: string };
  rows: number;
  rounds: number;
  seconds: number;
  connections: number;
  cases: Measured[];
};

export const machine = (postgres: string): Report["machine"] => ({
  cpus: availableParallelism(),
  model: cpus()[0]?.model ?? "unknown",
  node: process.version,
  postgres,
});

const headings = ["", "", "req/s", "p50 ms", "p99 ms", "CPU", "CPU pg", "CPU load", "other status", "Candor is"];

/** The report for people: one line a server, the ratio beside each yardstick. */
export function table({ machine, rows, rounds, seconds, connections, cases }: Report): string {
  const lines = cases.flatMap(({ name, servers, ratios }) =>
    Object.entries(servers).map(([server, result], index) => [
      index === 0 ? name : "",
      server,
      ...numbersOf(result),
      server in ratios ? `${ratios[server as keyof typeof ratios].toFixed(2)} ×` : "",
    ]),
  );
  const widths = headings.map((heading, at) =>
    Math.max(...[headings, ...lines].map((line) => (line[at] ?? heading).length)),
  );
  const print = (line: string[]) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd();
  return [
    `${machine.cpus} × ${machine.model}, Node ${machine.node}, PostgreSQL ${machine.postgres}`,
    `${rows} reviews, ${connections} connections, medians of ${rounds} rounds of ${seconds} s, servers taking turns; CPU in cores`,
    "",
    ...[headings, ...lines].map(print),
    "",
    ...cases.map(({ name, about }) => `${name}: ${about}`),
    "plain: bare node:http, pg rows, JSON.stringify; a write is one insert. limit: bare node:http, Candor's own statements and technique.",
    "Neither checks a key, limits, logs or validates more than its case says; Candor does all of it, as in production but for RATE_LIMITS=off.",
  ].join("\n");
}

function numbersOf({ perSecond, p50, p99, cpu, unexpected }: Result): string[] {
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
