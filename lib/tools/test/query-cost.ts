import { type Db, pool } from "@/lib/platform/db/pool";
import { rowsOf } from "@/lib/tools/test/factories";

type Statement = { text: string; values?: unknown[] };
type Node = Record<string, unknown> & { Plans?: Node[] };

/** The statement that `work` would send to the database. It isn't executed. */
export async function captureStatement(work: (db: Db) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = [];
  await work({ query: async (statement: Statement) => ({ rows: [], sent: sent.push(statement) }) } as unknown as Db);
  if (sent.length !== 1) throw new Error(`${sent.length} statements were sent.`);
  return sent[0] as Statement;
}

/**
 * The cost of a statement in PostgreSQL: rows read from tables, including those filtered out, and rows sorted. For
 * tests of guaranteed costs: rows instead of time, which depends on the machine's load.
 */
export async function queryCost({
  text,
  values,
}: Statement): Promise<{ read: number; sorted: number; seqScans: string[] }> {
  const [row] = await rowsOf(`explain (analyze, format json) ${text}`, values);
  let read = 0;
  let sorted = 0;
  const seqScans: string[] = [];
  const visit = (node: Node) => {
    const loops = Number(node["Actual Loops"]);
    const times = (member: string) => loops * Number(node[member] ?? 0);
    if (node["Relation Name"])
      read += times("Actual Rows") + times("Rows Removed by Filter") + times("Rows Removed by Index Recheck");
    if (node["Node Type"] === "Seq Scan") seqScans.push(String(node["Relation Name"]));
    if (node["Sort Key"]) sorted += times("Actual Rows");
    for (const plan of node.Plans ?? []) visit(plan);
  };
  visit(row["QUERY PLAN"][0].Plan);
  return { read: Math.round(read), sorted: Math.round(sorted), seqScans };
}

/**
 * The total cost of all statements that `work` sends through the pool, and the tables read by sequential scans. `work`
 * is a function of lib, with everything that its list costs.
 */
export async function totalQueryCost(
  work: () => Promise<unknown>,
): Promise<{ read: number; sorted: number; whole: string[] }> {
  const db = pool();
  const query = db.query;
  const sent: Statement[] = [];
  // Records the statement and executes it.
  db.query = function noted(this: typeof db, ...given: unknown[]) {
    const [first, values] = given as [string | Statement, unknown[] | undefined];
    sent.push(
      typeof first === "string" ? { text: first, values } : { text: first.text, values: first.values ?? values },
    );
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof db.query;
  try {
    await work();
  } finally {
    db.query = query;
  }
  if (sent.length === 0) throw new Error("Nothing was sent through the pool.");
  const sum = { read: 0, sorted: 0, whole: [] as string[] };
  for (const statement of sent) {
    const { read, sorted, seqScans } = await queryCost(statement);
    sum.read += read;
    sum.sorted += sorted;
    sum.whole.push(...seqScans);
  }
  return sum;
}
