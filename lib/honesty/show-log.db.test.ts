import { describe, expect, it } from "vitest";
import * as checkpoint from "@/app/honesty/[client_id]/log/checkpoint/route";
import * as key from "@/app/honesty/[client_id]/log/key/route";
import * as tile from "@/app/honesty/[client_id]/log/tile/[...path]/route";
import { appendEntries } from "@/lib/honesty/append-entries";
import { openCheckpoint } from "@/lib/honesty/log/checkpoint";
import { parseVerifier } from "@/lib/honesty/log/signed-note";
import { leafHash, readBundle, rootOf, tilePath } from "@/lib/honesty/log/tree";
import { call, serverKind } from "@/lib/tools/test/call";
import { aClient, rowsOf } from "@/lib/tools/test/factories";

async function aLog(count: number) {
  const shop = await aClient();
  await rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
     select $1, 'review', 'r' || n, 'author', 'submitted' from generate_series(1, $2) n`,
    [shop.id, count - 3],
  );
  await appendEntries();
  return `/honesty/${shop.id}/log`;
}
const get = (at: string, path: string, headers: Record<string, string> = {}) =>
  call(path === "checkpoint" ? checkpoint : path === "key" ? key : tile, "GET", `${at}/${path}`, { headers });

describe.runIf(serverKind === null)("the log's files", () => {
  it("give everything that is needed to verify the log", async () => {
    const at = await aLog(600);
    const known = (await get(at, "key")).text.trimEnd().split("\n").map(parseVerifier);
    const head = await get(at, "checkpoint");
    expect(head.headers.get("cache-control")).toBe("no-cache");
    const { size, root } = openCheckpoint(head.text, known);
    expect(size).toBe(600);
    const bytes = async (path: string) => {
      const [module, url] = [tile, `http://localhost:3000${at}/${path}`];
      const response = await module.GET(new Request(url));
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toContain("immutable");
      return Buffer.from(await response.arrayBuffer());
    };
    expect(await rootOf(size, (level, n, width) => bytes(tilePath(level, n, width)))).toEqual(root);
    const leaves = await Promise.all(
      [256, 256, 88].map(async (width, n) => readBundle(await bytes(tilePath("entries", n, width))).map(leafHash)),
    );
    for (const [n, hashes] of leaves.entries())
      expect(Buffer.concat(hashes)).toEqual(await bytes(tilePath(0, n, hashes.length)));
  });

  it("stay the same while the log grows, and are 404 until they exist", async () => {
    const at = await aLog(10);
    const early = await get(at, "tile/entries/000.p/10");
    const missing = [
      "tile/entries/000.p/11",
      "tile/entries/000",
      "tile/entries/001.p/1",
      "tile/0/000.p/11",
      "tile/1/000.p/1",
    ];
    for (const path of missing) expect((await get(at, path)).status, path).toBe(404);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
       select client_id, 'review', 'more' || n, 'author', 'submitted' from generate_series(1, 300) n, logs where origin like $1`,
      [`%${at}`],
    );
    await appendEntries();
    expect((await get(at, "tile/entries/000.p/10")).text).toBe(early.text);
    for (const path of missing) expect((await get(at, path)).status, path).toBe(200);
  });

  it("have no others: wrong paths, unknown stores and stores without a log are 404", async () => {
    const at = await aLog(5);
    for (const path of [
      "tile/0/0",
      "tile/0/000.p/0",
      "tile/0/000.p/256",
      "tile/64/000",
      "tile/entries/x000/001",
      "tile/a/000",
      "tile/0",
    ])
      expect((await get(at, path)).status, path).toBe(404);
    for (const path of ["checkpoint", "key", "tile/entries/000.p/1"]) {
      expect((await get("/honesty/unknown/log", path)).status, path).toBe(404);
      expect((await get(`/honesty/${(await aClient()).id}/log`, path)).status, path).toBe(404);
    }
  });

  it("are revalidated by their ETag", async () => {
    const at = await aLog(5);
    const etag = (await get(at, "tile/entries/000.p/5")).headers.get("etag") ?? "";
    expect((await get(at, "tile/entries/000.p/5", { "if-none-match": etag })).status).toBe(304);
  });
});
