import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { aClient, rowsOf } from "@/lib/tools/test/factories";

const migration = readFileSync(
  path.join(root, "prisma/migrations/20261123050300_places_for_offsets/migration.sql"),
  "utf8",
);

/** Minutes that a zone is ahead of UTC, as the language and as the database know it. */
async function ahead(zone: string): Promise<[number, number]> {
  const at = new Date("2026-01-15T00:00:00Z");
  const told = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(at);
  const [, sign = "+", hours = "0", minutes = "0"] =
    /GMT(?:([+-])(\d\d):(\d\d))?/.exec(told.find(({ type }) => type === "timeZoneName")?.value ?? "") ?? [];
  const [{ n }] = await rowsOf(
    "select extract(epoch from ($1::timestamptz at time zone $2) - ($1::timestamptz at time zone 'UTC'))::int / 60 as n",
    [at, zone],
  );
  return [(sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)), n];
}

it("gives each offset a place that is as far ahead, and leaves places as they are", async () => {
  const offsets: Record<string, number | null> = {
    "+05:30": 330,
    "+0545": 345,
    "+02": 120,
    "-03:00": -180,
    "-0930": -570,
    "+00:00": 0,
    "+01:17": null, // nobody keeps it
  };
  const shops = await Promise.all(Object.keys(offsets).map(() => aClient()));
  const zones = [...Object.keys(offsets), "Europe/Stockholm"];
  const settled = await aClient();
  for (const [index, { id }] of [...shops, settled].entries())
    await rowsOf("update clients set config = $2 where id = $1", [
      id,
      JSON.stringify({ time_zone: zones[index], max_items: 3 }),
    ]);
  await rowsOf(migration);
  for (const [index, minutes] of Object.values(offsets).entries()) {
    const [{ config }] = await rowsOf("select config from clients where id = $1", [shops[index]?.id]);
    expect(config.max_items).toBe(3);
    if (minutes === null) expect(config).not.toHaveProperty("time_zone");
    else expect([config.time_zone, ...(await ahead(config.time_zone))]).toEqual([expect.any(String), minutes, minutes]);
    expect(String(config.time_zone)).not.toMatch(/^[+-]/);
  }
  expect((await rowsOf("select config from clients where id = $1", [settled.id]))[0].config.time_zone).toBe(
    "Europe/Stockholm",
  );
});
