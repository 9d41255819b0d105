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
export async function queryCost(statement: Statement): Promise<{ read: number; sorted: number; seqScans: string[] }> {
  const { tables, sorted, seqScans } = await costByTable(statement);
  return { read: sum(tables), sorted, seqScans };
}

/** The rows read by table. */
type TableCosts = Record<string, number>;
const sum = (tables: TableCosts) => Math.round(Object.values(tables).reduce((total, rows) => total + rows, 0));

async function costByTable({ text, values }: Statement) {
  const [row] = await rowsOf(`explain (analyze, format json) ${text}`, values);
  const tables: TableCosts = {};
  let sorted = 0;
  const seqScans: string[] = [];
  const visit = (node: Node) => {
    const loops = Number(node["Actual Loops"]);
    const times = (member: string) => loops * Number(node[member] ?? 0);
    if (node["Relation Name"]) {
      const name = String(node["Relation Name"]);
      const read = times("Actual Rows") + times("Rows Removed by Filter") + times("Rows Removed by Index Recheck");
      tables[name] = (tables[name] ?? 0) + read;
      if (node["Node Type"] === "Seq Scan") seqScans.push(name);
    }
    if (node["Sort Key"]) sorted += times("Actual Rows");
    for (const plan of node.Plans ?? []) visit(plan);
  };
  visit(row["QUERY PLAN"][0].Plan);
  return { tables, sorted: Math.round(sorted), seqScans };
}

/**
 * The total cost of all statements that `work` sends through the pool, also by table, the tables read by sequential
 * scans, and its result. `work` is a function of lib, with everything that its list costs.
 */
export async function totalQueryCost<T>(
  work: () => Promise<T>,
): Promise<{ read: number; tables: TableCosts; sorted: number; whole: string[]; result: T }> {
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
  let result: T;
  try {
    result = await work();
  } finally {
    db.query = query;
  }
  if (sent.length === 0) throw new Error("Nothing was sent through the pool.");
  const total = { tables: {} as TableCosts, sorted: 0, whole: [] as string[], result };
  for (const statement of sent) {
    const { tables, sorted, seqScans } = await costByTable(statement);
    for (const [name, rows] of Object.entries(tables)) total.tables[name] = (total.tables[name] ?? 0) + rows;
    total.sorted += sorted;
    total.whole.push(...seqScans);
  }
  return { ...total, read: sum(total.tables) };
}
