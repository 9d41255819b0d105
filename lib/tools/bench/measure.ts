import { type Case, type ServerName, servers } from "@/lib/tools/bench/cases";
import { type LoadResult, load } from "@/lib/tools/bench/load";
import { cpuOf, cpuOfPostgres } from "@/lib/tools/bench/processes";

export const CONNECTIONS = 16;

/** One server in one case: medians over the rounds. CPU in cores (1 = one core fully used), null if unknown. */
export type Result = LoadResult & {
  cpu: { server: number | null; postgres: number | null; load: number | null };
};
export type CaseResult = {
  name: string;
  about: string;
  servers: Record<ServerName, Result>;
  /** Candor's requests per second divided by a yardstick's: the median of the rounds' ratios */
  ratios: Record<Exclude<ServerName, "candor">, number>;
};

type Target = { port: number; pid: number };
type RoundOptions = { rounds: number; seconds: number };

/**
 * Measures a case in short rounds. In each round every server runs once, in rotating order, so that other load on the
 * machine affects all of them. Ratios are computed within a round.
 */
export async function measure(
  benchCase: Case,
  targets: Record<ServerName, Target>,
  postgres: number | null,
  { rounds, seconds }: RoundOptions,
): Promise<CaseResult> {
  const seen: Record<ServerName, Result[]> = { candor: [], plain: [], limit: [] };
  // A warm-up round that doesn't count.
  for (const name of servers) await measureRound(benchCase, targets[name], postgres, seconds);
  for (let round = 0; round < rounds; round += 1) {
    for (let position = 0; position < servers.length; position += 1) {
      const name = servers[(round + position) % servers.length] as ServerName;
      seen[name].push(await measureRound(benchCase, targets[name], postgres, seconds));
    }
  }
  const ratio = (name: ServerName) =>
    median(seen.candor.map((own, round) => own.perSecond / (seen[name][round] as Result).perSecond));
  return {
    name: benchCase.name,
    about: benchCase.description,
    servers: { candor: medians(seen.candor), plain: medians(seen.plain), limit: medians(seen.limit) },
    ratios: { plain: ratio("plain"), limit: ratio("limit") },
  };
}

async function measureRound(
  benchCase: Case,
  { port, pid }: Target,
  postgres: number | null,
  seconds: number,
): Promise<Result> {
  const read = () => ({
    at: performance.now(),
    server: cpuOf(pid),
    postgres: cpuOfPostgres(postgres),
    load: cpuOf(process.pid),
  });
  let begin = read();
  let end = begin;
  const seen = await load({
    port,
    requests: benchCase.requests,
    connections: CONNECTIONS,
    expected: benchCase.expected,
    warmUpMs: 300,
    measureMs: seconds * 1000,
    onPhase: (moment) => {
      if (moment === "begin") begin = read();
      else end = read();
    },
  });
  const coresUsed = (part: "server" | "postgres" | "load") => {
    const [before, after] = [begin[part], end[part]];
    return before === null || after === null ? null : (after - before) / ((end.at - begin.at) / 1000);
  };
  return { ...seen, cpu: { server: coresUsed("server"), postgres: coresUsed("postgres"), load: coresUsed("load") } };
}

function medians(results: Result[]): Result {
  const medianOf = (value: (result: Result) => number) => median(results.map(value));
  const cores = (part: keyof Result["cpu"]) =>
    results[0]?.cpu[part] === null ? null : medianOf((result) => result.cpu[part] ?? 0);
  return {
    perSecond: medianOf((result) => result.perSecond),
    p50: medianOf((result) => result.p50),
    p99: medianOf((result) => result.p99),
    unexpected: results.reduce((sum, result) => sum + result.unexpected, 0),
    cpu: { server: cores("server"), postgres: cores("postgres"), load: cores("load") },
  };
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
