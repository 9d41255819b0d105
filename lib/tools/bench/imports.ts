import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { median } from "@/lib/tools/bench/measure";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

// A whole catalog into an empty client. Candor reads a CSV feed, validates and corrects every value, stages, compares
// and merges. The yardstick only copies the final values into a staging table and merges them with one statement.

export const IMPORT = "import products";
const MAX_ROUNDS = 2;

export type Imports = {
  name: typeof IMPORT;
  about: string;
  rows: number;
  rounds: number;
  /** rows per second, medians of the rounds */
  candor: number;
  yardstick: number;
  /** Candor's rate divided by the yardstick's: the median of the rounds' ratios */
  ratio: number;
  /** peak memory of an importing process in bytes */
  peakBytes: number;
};

/** `settings`: environment of the measured process, including the database. */
export async function measureImports(
  url: string,
  settings: Record<string, string>,
  { rows, maxRounds }: { rows: number; maxRounds: number },
): Promise<Imports> {
  const rounds = Math.min(maxRounds, MAX_ROUNDS);
  const folder = mkdtempSync(path.join(os.tmpdir(), "candor-bench-import-"));
  const [feed, ready] = [path.join(folder, "feed.csv"), path.join(folder, "ready.copy")];
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await pipeline(Readable.from(lines(HEADER, rows, csvLine)), createWriteStream(feed));
    await pipeline(Readable.from(lines("", rows, copyLine)), createWriteStream(ready));
    const rates: Record<"candor" | "yardstick", number[]> = { candor: [], yardstick: [] };
    let peakBytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      const runCandor = async () => {
        const { took, peak: maxPeak } = await importOnce(db, `import-${round}.bench.example`, feed, rows, settings);
        rates.candor.push((rows / took) * 1000);
        peakBytes = Math.max(peakBytes, maxPeak);
      };
      const runYardstick = async () => {
        rates.yardstick.push((rows / (await copyAndMerge(db, `copy-${round}.bench.example`, ready, rows))) * 1000);
      };
      // In alternating order, so that each runs after the other equally often.
      for (const next of round % 2 === 0 ? [runYardstick, runCandor] : [runCandor, runYardstick]) await next();
    }
    return {
      name: IMPORT,
      about:
        "a CSV feed into an empty client; the yardstick is COPY of ready values into a staging table and one merge",
      rows,
      rounds,
      candor: median(rates.candor),
      yardstick: median(rates.yardstick),
      ratio: median(rates.candor.map((own, round) => own / (rates.yardstick[round] as number))),
      peakBytes,
    };
  } finally {
    await db.end();
    rmSync(folder, { recursive: true });
  }
}

async function makeClient(db: pg.Client, id: string): Promise<void> {
  await db.query(
    "insert into clients (id, account_id, display_name, email_name, public_key) values ($1, 'acc_bench', $1, $1, $2)",
    [id, `pk_${id}`],
  );
  await db.query("checkpoint");
}

async function importOnce(
  db: pg.Client,
  client: string,
  file: string,
  rows: number,
  settings: Record<string, string>,
): Promise<{ took: number; peak: number }> {
  await makeClient(db, client);
  const program = ["--import", "tsx", "lib/tools/bench/import-process.ts", client, file];
  const { PATH = "", HOME = "" } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: "production", ...settings },
    maxBuffer: 64 * 1024 * 1024,
  });
  const done = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { created: number; took: number; peak: number };
  if (done.created !== rows) throw new Error(`${IMPORT}: ${done.created} of ${rows} products were imported.`);
  return done;
}

/** Returns milliseconds. */
async function copyAndMerge(db: pg.Client, client: string, file: string, rows: number): Promise<number> {
  await makeClient(db, client);
  const columns = "id, family_id, brand, name, category, url, image_url, gtin14s, properties";
  const startedAt = performance.now();
  await db.query(`create temporary table staging as select ${columns} from products limit 0`);
  await pipeline(createReadStream(file), db.query(copyFrom(`copy staging (${columns}) from stdin`)));
  const { rowCount } = await db.query(
    `insert into products (client_id, ${columns}, updated_at) select $1, ${columns}, now() from staging
     on conflict (client_id, id) do update set (family_id, brand, name, category, url, image_url, gtin14s, properties, updated_at) =
       (excluded.family_id, excluded.brand, excluded.name, excluded.category, excluded.url, excluded.image_url, excluded.gtin14s, excluded.properties, now())`,
    [client],
  );
  const durationMs = performance.now() - startedAt;
  await db.query("drop table staging");
  if (rowCount !== rows) throw new Error(`${IMPORT}: the yardstick merged ${rowCount} of ${rows} products.`);
  return durationMs;
}

const HEADER = "id,title,link,image_link,item_group_id,brand,gtin,product_type,price\n";
const name = (at: number) => `Lantern ${at}, shaded`;
const csvLine = (at: number) =>
  `LAN-${at},"${name(at)}",https://lanterna.example/p/${at},https://lanterna.example/i/${at}.jpg,F-${at >> 2},Lanterna,4006381333931,Lighting > Number ${at % 100},12.00 EUR\n`;
const copyLine = (at: number) =>
  `LAN-${at}\tF-${at >> 2}\tLanterna\t${name(at)}\tLighting > Number ${at % 100}\thttps://lanterna.example/p/${at}\thttps://lanterna.example/i/${at}.jpg\t{04006381333931}\t{"price":"12.00 EUR"}\n`;

function* lines(head: string, rows: number, line: (at: number) => string): Generator<string> {
  let text = head;
  for (let at = 0; at < rows; at += 1) {
    text += line(at);
    if (text.length < 60_000) continue;
    yield text;
    text = "";
  }
  yield text;
}
