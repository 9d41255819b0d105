import { createHash } from "node:crypto";
import { Agent, get } from "node:http";
import { comparableData, type ServerName, servers } from "@/lib/tools/bench/cases";
import { median } from "@/lib/tools/bench/measure";
import { residentMemoryOf } from "@/lib/tools/bench/processes";
import { readerClient } from "@/lib/tools/bench/seed";

// What a store's system does to fetch everything: page after page over one connection, until there is no next one.

export const SYNCHRONIZE = "synchronize";
const FIRST_PAGE = "/v1/reviews?limit=1000";
/** A pass reads all rows, so it runs in fewer rounds than other cases. */
const MAX_ROUNDS = 3;

/** Bytes of memory a server had when the measured passes began, and its peak after any page of them. */
type Memory = { begin: number | null; peak: number | null };
export type Synchronization = {
  name: typeof SYNCHRONIZE;
  about: string;
  /** rows of one pass */
  rows: number;
  rounds: number;
  /** `perSecond`: rows, the median of the rounds */
  servers: Record<ServerName, { perSecond: number; memory: Memory }>;
  /** Candor's rows per second divided by a yardstick's: the median of the rounds' ratios */
  ratios: Record<Exclude<ServerName, "candor">, number>;
};

type Target = { port: number; pid: number };

/**
 * Fetches all reviews from each server in turn. The first pass of each isn't measured: it warms the server's memory and
 * verifies that all return the same rows. Throws if they don't, or if a pass ends early.
 */
export async function measureSynchronization(
  targets: Record<ServerName, Target>,
  maxRounds: number,
): Promise<Synchronization> {
  const rounds = Math.min(maxRounds, MAX_ROUNDS);
  const first = {
    candor: await verifyPass(targets.candor),
    plain: await verifyPass(targets.plain),
    limit: await verifyPass(targets.limit),
  };
  const { rows, pages, digest } = first.candor;
  if (servers.some((name) => first[name].digest !== digest))
    throw new Error(`${SYNCHRONIZE}: the servers return different rows.`);

  const memory = (name: ServerName): Memory => {
    const begin = residentMemoryOf(targets[name].pid);
    return { begin, peak: begin };
  };
  const memories = {
    candor: memory("candor"),
    plain: memory("plain"),
    limit: memory("limit"),
  };
  const perSecond: Record<ServerName, number[]> = {
    candor: [],
    plain: [],
    limit: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < servers.length; turn += 1) {
      const name = servers[(round + turn) % servers.length] as ServerName;
      const { port, pid } = targets[name];
      const began = performance.now();
      let seen = 0;
      await fetchAllPages(port, () => {
        seen += 1;
        const now = residentMemoryOf(pid);
        if (now !== null) memories[name].peak = Math.max(memories[name].peak ?? 0, now);
      });
      perSecond[name].push((rows / (performance.now() - began)) * 1000);
      if (seen !== pages) throw new Error(`${SYNCHRONIZE}: ${name} returned ${seen} pages instead of ${pages}.`);
    }
  }
  const of = (name: ServerName) => ({
    perSecond: median(perSecond[name]),
    memory: memories[name],
  });
  const ratio = (name: ServerName) =>
    median(perSecond.candor.map((own, round) => own / (perSecond[name][round] as number)));
  return {
    name: SYNCHRONIZE,
    about: `GET ${FIRST_PAGE} and every links.next, one connection, one request at a time`,
    rows,
    rounds,
    servers: { candor: of("candor"), plain: of("plain"), limit: of("limit") },
    ratios: { plain: ratio("plain"), limit: ratio("limit") },
  };
}

/** A pass whose rows are compared, not measured. */
async function verifyPass({ port }: Target): Promise<{ rows: number; pages: number; digest: string }> {
  const hash = createHash("sha256");
  let rows = 0;
  let pages = 0;
  await fetchAllPages(port, (body) => {
    const text = body.toString("utf8");
    rows += (JSON.parse(text) as { data: unknown[] }).data.length;
    pages += 1;
    hash.update(comparableData(text));
  });
  return { rows, pages, digest: hash.digest("hex") };
}

async function fetchAllPages(port: number, onPage: (body: Buffer) => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let address: string | null = FIRST_PAGE; address !== null; ) {
      const body = await fetchPage(agent, port, address);
      onPage(body);
      address = nextPath(body);
    }
  } finally {
    agent.destroy();
  }
}

const fetchPage = (agent: Agent, port: number, address: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${readerClient.secretKey}` };
    get({ agent, host: "127.0.0.1", port, path: address, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        answer.statusCode === 200
          ? resolve(Buffer.concat(chunks))
          : reject(new Error(`${SYNCHRONIZE}: ${address} responded with ${answer.statusCode}.`)),
      );
    }).on("error", reject);
  });

/**
 * Path of the next page. Only the end of the response is parsed, where the links are: parsing it all would cost as much
 * as creating it.
 */
function nextPath(body: Buffer): string | null {
  const links = /"links":(\{[^{}]*\})\}\s*$/.exec(body.toString("latin1", Math.max(0, body.length - 2_000)))?.[1];
  if (links === undefined) throw new Error(`${SYNCHRONIZE}: a page without links.`);
  const { next } = JSON.parse(links) as { next?: string };
  if (next === undefined) return null;
  const { pathname, search } = new URL(next);
  return pathname + search;
}
