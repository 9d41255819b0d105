import { describe, expect, it } from "vitest";
import type { Methods } from "@/lib/http/methods";
import { call, pathOf, readAll } from "@/lib/test/call";
import { aClient, type TestClient } from "@/lib/test/factories";

type Row = { id: string; updated_at: string };

/**
 * What decisions 4 promises those who copy a list: passes end and skip nothing that stayed, and either documented way of
 * going on ends with every row in its last state. `make` adds rows and answers their ids; `change` changes one visibly,
 * differently for each `turn`.
 */
export function describeSynchronisation(
  module: Partial<Methods>,
  path: string,
  make: (clientId: string, rows: { created_at?: Date; updated_at?: Date }[]) => Promise<string[]>,
  change: (client: TestClient, id: string, turn: number) => Promise<unknown>,
): void {
  const many = (count: number) => Array.from({ length: count }, () => ({}));
  const byId = (one: Row, other: Row) => (one.id < other.id ? -1 : 1);

  describe("synchronisation", () => {
    it.each([`${path}?limit=3`, `${path}?limit=3&updated_after=2026-01-01`])(
      "%s ends under steady writing and skips nothing that stayed",
      async (address) => {
        const busy = await aClient();
        const there = (await make(busy.id, many(30))).sort();
        const seen = await readAll(module, address, { key: busy.key }, () => make(busy.id, many(4)));
        expect(seen.length).toBeLessThan(40);
        const ids = seen.map(({ id }) => id);
        expect(ids.filter((id) => there.includes(id)).sort()).toEqual(there);
      },
    );

    it("tells no later change than the pass began, so that going on from the latest seen loses nothing", async () => {
      const busy = await aClient();
      const noon = new Date("2026-03-01T12:00:00.500Z");
      const [first = "", ...rest] = await make(
        busy.id,
        Array.from({ length: 4 }, (_, index) => ({ created_at: new Date(noon.getTime() + index), updated_at: noon })),
      );
      const page = await call(module, "GET", `${path}?limit=1`, { key: busy.key });
      const after = new URL(page.json.links.next).searchParams.get("after") as string;
      const began = JSON.parse(Buffer.from(after, "base64url").toString())[1] as string;
      // Whole seconds are printed: wait until a change would tell a later one than the beginning.
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      for (const id of [first, ...rest]) await change(busy, id, 0);
      const pages = await readAll(module, pathOf(page.json.links.next), { key: busy.key });
      expect(pages.map(({ id }) => id)).toEqual(rest);
      const now = new Map<string, Row>(
        (await readAll(module, path, { key: busy.key })).map((row: Row) => [row.id, row]),
      );
      for (const row of pages as Row[]) {
        const current = now.get(row.id) as Row;
        expect(Date.parse(row.updated_at)).toBeLessThanOrEqual(Date.parse(began));
        expect({ ...row, updated_at: "" }).toEqual({ ...current, updated_at: "" });
        expect(current.updated_at > row.updated_at).toBe(true);
      }
    });

    it.each(["start of the last fetch", "latest updated_at seen"])(
      "ends with every row in its last state, going on from the %s",
      async (practice) => {
        const busy = await aClient();
        const kept = new Map<string, Row>();
        let known = await make(busy.id, many(12));
        let writing = true;
        const write = async () => {
          for (let turn = 0; writing; turn += 1) {
            if (turn % 3 === 0) known = [...known, ...(await make(busy.id, [{}]))];
            await change(busy, known[(turn * 7) % known.length] as string, turn);
          }
        };
        const writers = [write(), write(), write()];
        const second = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;
        let from: string | undefined;
        for (let round = 0; round < 6; round += 1) {
          if (round === 5) {
            writing = false;
            await Promise.all(writers);
          }
          const started = second(new Date());
          const rows: Row[] = await readAll(module, `${path}?limit=5${from ? `&updated_after=${from}` : ""}`, {
            key: busy.key,
          });
          for (const row of rows) kept.set(row.id, row);
          from = practice.startsWith("start")
            ? started
            : rows
                .map((row) => row.updated_at)
                .sort()
                .at(-1);
        }
        const truth: Row[] = await readAll(module, `${path}?limit=1000`, { key: busy.key });
        expect([...kept.values()].sort(byId)).toEqual(truth.sort(byId));
      },
    );
  });
}
