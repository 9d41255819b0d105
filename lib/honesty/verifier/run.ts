import { existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseVerifier } from "@/lib/honesty/log/signed-note";
import { Counts, ItemRules, KeyRules } from "@/lib/honesty/verifier/checks";
import { FiguresCheck, readFigures } from "@/lib/honesty/verifier/figures-check";
import { Mismatch } from "@/lib/honesty/verifier/mismatch";
import { folderSource, type Source, webSource } from "@/lib/honesty/verifier/source";
import { State } from "@/lib/honesty/verifier/state";
import { compareSummaries } from "@/lib/honesty/verifier/summaries";
import { type Check, readEntries, readHead, readKeys } from "@/lib/honesty/verifier/verify-log";

const usage = `Verifies a store's log of what it does with reviews.

  node verify.mjs <address of the log or of the store's page, or folder>

  --key KEY          the key that must sign the log (name+id+base64), more than once for several; else those
                     remembered, else the log's own
  --state FILE       where heads of logs are remembered; default: verify-state.json in this folder
  --witness          remember all heads, not only the last one: a forked history shows where it was forked
  --summaries URL    compare with the store's API: https://…/v1/summaries?client_id=…&token=…

Prints OK, or the first thing that doesn't fit and exits with 1.`;

/** How a run ended: the exit code, and what it prints. */
export type Outcome = { code: 0 | 1 | 2; text: string };

/** Runs the verifier with a command line's arguments. `stateFile` is where heads are remembered by default. */
export async function run(args: string[], stateFile: string): Promise<Outcome> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        key: { type: "string", multiple: true, default: [] },
        state: { type: "string", default: stateFile },
        witness: { type: "boolean", default: false },
        summaries: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const [place] = positionals;
    if (values.help) return { code: 0, text: usage };
    if (!place || positionals.length > 1) return { code: 2, text: usage };
    return { code: 0, text: (await verify(await sourceOf(place), values)).join("\n") };
  } catch (error) {
    if (error instanceof Mismatch)
      return { code: 1, text: [`DOES NOT FIT: ${error.message}`, ...error.evidence].join("\n\n") };
    return { code: 1, text: `COULD NOT VERIFY: ${error instanceof Error ? error.message : error}` };
  }
}

/** `key`: verifier keys; `state`: the file with what is remembered; `witness`: all heads are; `summaries`: an address. */
export type Options = { key: string[]; state?: string; witness: boolean; summaries?: string };

/** Verifies a log. Returns the lines of the report. Throws a `Mismatch` that names the first thing that doesn't fit. */
export async function verify(source: Source, options: Options): Promise<string[]> {
  const state = new State(options.state);
  const given = options.key.map(parseVerifier);
  const published = await readFigures(source);
  const head = await readHead(source, async (origin) => {
    state.checkName(origin, source.name);
    const known = given.length > 0 ? given : state.keysOf(origin);
    return known.length > 0 ? known : readKeys(source);
  });
  const remembered = state.headsOf(head.origin);
  const figures = published && new FiguresCheck(published, head.origin, head.known);
  const isNewKey = given.length === 0 && remembered.length === 0;

  const items = new ItemRules();
  const keys = new KeyRules();
  const counts = new Counts();
  const checks: Check[] = [items, keys, counts, ...(figures ? [figures] : [])];
  const heads = figures ? [...remembered, figures.head] : remembered;
  for await (const { index, entry } of readEntries(source, head, heads))
    for (const check of checks) check.add(entry, index);
  for (const check of checks) await check.end(head);
  if (options.summaries) await compareSummaries(options.summaries, items.publishedReviews());

  state.remember(head, source.name, keys.keys, options.witness);
  return [
    "OK",
    `log      ${head.origin}`,
    ...(isNamedAfter(head.origin, source.name) ? [] : [`         not named after its address, ${source.name}`]),
    `size     ${head.size}`,
    `root     ${head.root.toString("base64")}`,
    ...head.signedBy.map(({ text }) => `key      ${text}${isNewKey ? " (as the log says; give it with --key)" : ""}`),
    `history  ${remembered.length === 0 ? "nothing was remembered of this log" : `consistent with ${remembered.length} remembered ${remembered.length === 1 ? "head" : "heads"}`}`,
    `figures  ${figures ? "the page's are right" : "there are none to compare"}`,
    ...[...counts.byType].map(([type, count]) => `         ${String(count).padStart(8)} ${type}`),
  ];
}

/** Logs are named after their address. One that moved, or is a copy in a folder, keeps its name. */
const isNamedAfter = (origin: string, name: string): boolean =>
  !/^https?:/.test(name) || origin === name.replace(/^https?:\/\//, "");

async function sourceOf(place: string): Promise<Source> {
  if (existsSync(place) && statSync(place).isDirectory()) return folderSource(place);
  if (!/^https?:\/\//.test(place)) throw new Error(`${place} is neither a folder nor an address with https://.`);
  return webSource(place);
}
