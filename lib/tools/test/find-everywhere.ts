import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";

/**
 * Finds each text, ignoring case, in every row of every table of every schema (also in byte columns), and in the name
 * and content of every file below the data folder. Returns the tables and files for each text.
 */
export async function findEverywhere(texts: string[]): Promise<Record<string, string[]>> {
  const places = (await readAllData()).map(([place, lines]) => [place, lower(lines.join("\n"))] as const);
  const found = texts.map((text) => {
    const forms = [text, Buffer.from(text).toString("latin1"), Buffer.from(text).toString("hex")].map(lower);
    return [
      text,
      places.flatMap(([place, content]) => (forms.some((form) => content.includes(form)) ? [place] : [])),
    ] as const;
  });
  return Object.fromEntries(found);
}

/** All tables with their rows, and all files with their names and bytes, as text. */
async function readAllData(): Promise<[place: string, lines: string[]][]> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
  );
  const places: [string, string[]][] = [];
  for (const { name } of tables) {
    const { rows } = await pool().query<{ line: string }>(`select t::text as line from ${name} t`);
    places.push([name, rows.map(({ line }) => line)]);
  }
  for (const [file, bytes] of filesIn(env().DATA_DIR)) places.push([file, [`${file} ${bytes.toString("latin1")}`]]);
  return places;
}

/** Every file below a folder, by its path. */
export function filesIn(folder: string): [file: string, bytes: Buffer][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file)]);
}

const lower = (text: string): string => text.toLowerCase();

/**
 * Every row of every table that contains one of the texts, as text, in order: equal before and after means untouched.
 */
export async function rowsContaining(texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [place, lines] of await readAllData())
    for (const line of lines)
      if (texts.some((text) => lower(line).includes(lower(text)))) found.push(`${place} ${line}`);
  return found.sort();
}
