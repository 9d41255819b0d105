import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { appendEntries } from "@/lib/honesty/append-entries";
import { entriesOfRow } from "@/lib/honesty/entries-of-row";
import type { Entry } from "@/lib/honesty/entry";
import { writeSteps } from "@/lib/honesty/fixtures/write-steps";
import { logSource } from "@/lib/honesty/log-source";
import { readEntries, readHead } from "@/lib/honesty/read-log";
import { verify } from "@/lib/honesty/verifier/run";
import { pool } from "@/lib/platform/db/pool";
import { aClient, rowsOf } from "@/lib/tools/test/factories";
import { selectRows } from "./sql";

const script = path.join(import.meta.dirname, "fixtures/write-and-append-process.ts");
const KILLS = 50;
/** Processes at a time: while some start, others write. */
const LANES = 3;
const MAX_MILLISECONDS = 1_500;

/** What the processes said was committed: the number of steps by the item's reference. */
const committed = new Map<string, number>();

/** Starts a process and kills it at a random moment after its first commit. */
async function killOne(clientIds: string[]): Promise<void> {
  const child = spawn(process.execPath, ["--import", "tsx", script, ...clientIds], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout);
  const closed = once(lines, "close");
  lines.on("line", (line) => {
    const [reference = "", steps] = line.split(" ");
    committed.set(reference, Number(steps));
  });
  await Promise.race([once(lines, "line"), exited]);
  await sleep(randomInt(MAX_MILLISECONDS));
  child.kill("SIGKILL");
  await Promise.all([exited, closed]);
  expect(child.signalCode).toBe("SIGKILL");
}

/** Appends until the position has reached the history's last row. */
async function finishAppending(): Promise<void> {
  await expect
    .poll(
      async () => {
        await appendEntries();
        const [{ left }] = await rowsOf(
          "select count(*)::int as left from moderation_events where id > (select event from log_position)",
        );
        return left;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
}

/** What stays of an entry when its item is deleted. */
const essence = (entry: Entry) => [entry.at, entry.type, "item" in entry ? entry.item : "", "by" in entry && entry.by];

it("has each committed row once and in order, if processes that write and append are killed at any time", async () => {
  const shops = await Promise.all([aClient(), aClient(), aClient()]);
  const clientIds = shops.map(({ id }) => id);
  let kills = 0;
  let appended = 0;
  const lane = async () => {
    while (kills++ < KILLS) await killOne(clientIds);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const id of clientIds) appended += (await readHead(id))?.size ?? 0;
  await finishAppending();

  const ofItems = new Map<string, string[]>();
  let total = 0;
  for (const id of clientIds) {
    const { size = 0 } = (await readHead(id)) ?? {};
    const entries = await Array.fromAsync(readEntries(id, size));
    // As the rows are in the history, whatever the processes have done in which order.
    const rows = (await selectRows(pool(), 0, 1_000_000)).filter(({ client_id }) => client_id === id);
    const opening = entries.findIndex(({ type }) => type === "settings");
    expect(entries.slice(opening).map(essence)).toEqual(rows.flatMap((row) => entriesOfRow(row)).map(essence));
    expect(await verifiedSize(id)).toBe(size);
    for (const entry of entries)
      if ("item" in entry) ofItems.set(entry.item, [...(ofItems.get(entry.item) ?? []), entry.type]);
    total += size;
  }
  // As the processes saw it: what was committed is in the log, and at most the step in which they were killed.
  for (const [reference, steps] of committed)
    expect([steps, steps + 1].map((count) => writeSteps.slice(0, count).flat())).toContainEqual(ofItems.get(reference));
  // All of it was written under way: appending at the end had little left to do.
  expect(committed.size).toBeGreaterThan(KILLS);
  expect(appended).toBeGreaterThan(total / 2);
  console.log(`${KILLS} kills, ${committed.size} items, ${total} entries, ${total - appended} appended at the end`);
}, 600_000);

async function verifiedSize(clientId: string): Promise<number> {
  const report = await verify(logSource(clientId), { key: [], witness: false });
  expect(report[0]).toBe("OK");
  return Number(report.find((line) => line.startsWith("size"))?.split(/\s+/)[1]);
}
