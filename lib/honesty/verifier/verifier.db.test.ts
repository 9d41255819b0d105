import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { POST as collect } from "@/app/collect/reviews/route";
import * as figures from "@/app/honesty/[client_id]/figures.json/route";
import * as checkpoint from "@/app/honesty/[client_id]/log/checkpoint/route";
import * as key from "@/app/honesty/[client_id]/log/key/route";
import * as tile from "@/app/honesty/[client_id]/log/tile/[...path]/route";
import * as verifierPackage from "@/app/honesty/verifier.tgz/route";
import * as verifier from "@/app/honesty/verify.mjs/route";
import { systemActor } from "@/lib/accounts/actor";
import type { HonestyFigures } from "@/lib/display/honesty/schema";
import { appendEntries } from "@/lib/honesty/append-entries";
import { addKey, endKey } from "@/lib/honesty/change-keys";
import { computeFigures } from "@/lib/honesty/compute-figures";
import { verify } from "@/lib/honesty/verifier/run";
import type { Source } from "@/lib/honesty/verifier/source";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { call } from "@/lib/tools/test/call";
import { postJson } from "@/lib/tools/test/collection-rows";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

const actor = { kind: "user", id: "usr_1" } as const;

/** A store's log as the server gives it, with the figures of its page. */
function sourceOf({ id }: TestClient): Source {
  const name = `http://localhost:3000/honesty/${id}/log`;
  return {
    name,
    read: async (file) => {
      const { GET } = { checkpoint, key, "../figures.json": figures }[file] ?? tile;
      const response = await GET(new Request(`${name}/${file}`));
      return response.status === 404 ? undefined : Buffer.from(await response.arrayBuffer());
    },
  };
}

async function collected(shop: TestClient, number: number): Promise<string> {
  const response = await postJson(collect, "/collect/reviews", {
    client_id: shop.id,
    api_key: shop.publicKey,
    product_id: `P-${number}`,
    author: `Author ${number}`,
    author_email: `author-${number}@example.org`,
    score: 1 + (number % 5),
    content: `A lamp that shines ${number} times.`,
  });
  expect(response.status).toBe(201);
  const [row] = await rowsOf("select id from reviews where client_id = $1 order by created_at desc, id desc limit 1", [
    shop.id,
  ]);
  return row.id;
}

describe("the verifier", () => {
  it("is offered by the server, and cached", async () => {
    const { status, text, headers } = await call(verifier, "GET", "/honesty/verify.mjs");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(text).toBe(readFileSync(path.join(root, "lib/honesty/verifier/generated/verify.mjs"), "utf8"));
    const known = { "if-none-match": headers.get("etag") ?? "" };
    expect((await call(verifier, "GET", "/honesty/verify.mjs", { headers: known })).status).toBe(304);
  });

  it("is offered as a package, too", async () => {
    const { status, headers } = await call(verifierPackage, "GET", "/honesty/verifier.tgz?v=1");
    expect([status, headers.get("content-type")]).toEqual([200, "application/gzip"]);
  });

  it("finds that a real store's log fits, whatever happens to its reviews and keys", async () => {
    const shop = await aClient();
    const options = {
      key: [],
      state: path.join(temporaryFolder("state"), "state.json"),
      witness: true,
    };
    const verifyAgain = async () => {
      await appendEntries();
      return (await verify(sourceOf(shop), options)).join("\n");
    };
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) ids.push(await collected(shop, number));
    const [changed = "", deleted = "", first = "", second = ""] = ids;
    expect(await verifyAgain()).toMatch(/^OK\n/);

    for (const id of [changed, deleted, first, second])
      await decideItem(actor, shop.client, "review", id, { from: "pending", accepted: true });
    await decideItem(actor, shop.client, "review", changed, {
      from: "accepted",
      accepted: false,
      reject_reason: "profanity",
    });
    await decideItem(actor, shop.client, "review", changed, { from: "rejected", accepted: null });
    expect(await verifyAgain()).toContain("consistent with 1 remembered head\n");

    await deleteReview({ ...systemActor, ...actor }, shop.client, deleted);
    await eraseCompletely(shop.id, { by: "email", email: "author-2@example.org" });
    const [{ id: oldKey }] = await rowsOf(
      "select id from log_keys where retired_at is null order by created_at limit 1",
    );
    await addKey();
    expect(await verifyAgain()).toContain("consistent with 2 remembered heads");
    await endKey(oldKey);
    const report = await verifyAgain();
    expect(report).toContain("consistent with 3 remembered heads");
    for (const count of [
      "5 received",
      "4 published",
      "1 removed",
      "1 reopened",
      "1 deleted",
      "1 erased",
      "1 key_retired",
    ])
      expect(report).toContain(` ${count}`);
  });
});

describe("the figures of a store's page", () => {
  it("are computed again from the log, and one that was changed is named", async () => {
    const shop = await aClient();
    for (let number = 0; number < 3; number++) {
      const id = await collected(shop, number);
      await decideItem(actor, shop.client, "review", id, { accepted: number > 0 });
    }
    const source = sourceOf(shop);
    const verifyWith = (change: (figures: HonestyFigures) => void = () => {}) =>
      verify(
        {
          ...source,
          read: async (file) => {
            const content = await source.read(file);
            if (!content || file !== "../figures.json") return content;
            const published = JSON.parse(content.toString());
            change(published);
            return Buffer.from(JSON.stringify(published));
          },
        },
        { key: [], state: path.join(temporaryFolder("state"), "state.json"), witness: false },
      );
    await appendEntries();
    await computeFigures(shop.id);
    expect((await verifyWith()).join("\n")).toContain("the page's are right");
    // Entries that came later don't matter.
    await collected(shop, 4);
    await appendEntries();
    expect((await verifyWith()).join("\n")).toContain("the page's are right");
    const prettier = (figures: HonestyFigures) => {
      figures.reviews.rejected.stars[0] = 0;
    };
    await expect(verifyWith(prettier)).rejects.toThrow(
      "figures.reviews.rejected.stars.0 is 0 on the page, and 1 by the log, computed from its first 9 entries",
    );
    const invented = (figures: HonestyFigures) => {
      figures.checkpoint = figures.checkpoint.replace(/\n9\n/, "\n8\n");
    };
    await expect(verifyWith(invented)).rejects.toThrow("The figures' checkpoint is not valid");
  });
});
