import { describe, expect, it } from "vitest";
import * as accountRoute from "@/app/portal/api/v1/account/route";
import * as itemRoute from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as queueRoute from "@/app/portal/api/v1/queue/route";
import * as searchRoute from "@/app/portal/api/v1/search/route";
import { listLibrary, scopeOf } from "@/lib/moderation/library/list-library";
import { readLibraryFilter } from "@/lib/moderation/library/values";
import { setClient } from "@/lib/settings/set-client";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf, someReviews, type TestClient, type TestMember } from "@/lib/tools/test/factories";

type Shown = { id: string; score: number | null; stars_hidden: boolean };

const hideOwn = (person: TestMember, hide_stars: boolean) =>
  call(accountRoute, "PUT", "/portal/api/v1/account", { ...person, body: { hide_stars } });

async function aShop(config = {}) {
  const shop = await aClient({ config });
  const person = await aMember(shop);
  const [pending = "", accepted = ""] = await someReviews(shop.id, [
    { score: 1, title: "Broken zipper", accepted: null },
    { score: 2, title: "Loose zipper", accepted: true },
  ]);
  return { shop, person, pending, accepted };
}

const queued = async ({ id }: TestClient, person: TestMember): Promise<Shown[]> =>
  (await call(queueRoute, "GET", `/portal/api/v1/queue?client_id=${id}&status=all`, person)).json.data;

describe("hidden stars", () => {
  it("are those of reviews that aren't decided, for a person who wants it so", async () => {
    const { shop, person, pending, accepted } = await aShop();
    const other = await aMember(shop);
    expect((await hideOwn(person, true)).status).toBe(204);
    const shown = (items: Shown[]) =>
      Object.fromEntries(items.map((item) => [item.id, [item.score, item.stars_hidden]]));
    expect(shown(await queued(shop, person))).toEqual({ [pending]: [null, true], [accepted]: [2, false] });
    expect(shown(await queued(shop, other))).toEqual({ [pending]: [1, false], [accepted]: [2, false] });
    await hideOwn(person, false);
    expect(shown(await queued(shop, person))).toEqual({ [pending]: [1, false], [accepted]: [2, false] });
  });

  it("are a store's setting for everyone, public in its log, and shown once the review is decided", async () => {
    const { shop, person, pending, accepted } = await aShop();
    await rowsOf("update reviews set customer_id = 'c1' where client_id = $1", [shop.id]);
    await setClient(shop.id, { config: { hide_stars: true } });
    const [{ facts }] = await rowsOf(
      "select facts from moderation_events where client_id = $1 and action = 'settings' order by id desc limit 1",
      [shop.id],
    );
    expect(facts.settings.hide_stars).toBe(true);
    const path = (id: string) => `/portal/api/v1/queue/review/${id}?client_id=${shop.id}`;
    const detail = async (id: string) => (await call(itemRoute, "GET", path(id), person)).json.data;
    expect((await detail(pending)).item).toMatchObject({ score: null, stars_hidden: true });
    // The author's other reviews don't tell it either.
    expect((await detail(accepted)).context.others).toMatchObject([{ id: pending, score: null }]);
    await call(itemRoute, "PUT", path(pending), { ...person, body: { accepted: false, reject_reason: "spam" } });
    expect((await detail(pending)).item).toMatchObject({ score: 1, stars_hidden: false });
  });

  it("are hidden in search results, and can't be filtered or sorted by in the review list", async () => {
    const { shop, person, pending, accepted } = await aShop({ hide_stars: true });
    const found = (await call(searchRoute, "GET", `/portal/api/v1/search?client_id=${shop.id}&q=zipper`, person)).json
      .data;
    expect(found.map(({ id, score }: Shown) => [id, score])).toEqual(
      expect.arrayContaining([
        [pending, null],
        [accepted, 2],
      ]),
    );
    const actor = { id: person.id, role: "moderator" } as const;
    const listed = async (query: string) => {
      const search = new URLSearchParams(query);
      const filter = readLibraryFilter((name) => search.get(name));
      const { items } = await listLibrary(actor, shop, await scopeOf(actor, shop, filter), undefined);
      return items.map(({ id, score }) => [id, score]);
    };
    const all = await listed("");
    expect(all).toEqual(
      expect.arrayContaining([
        [pending, null],
        [accepted, 2],
      ]),
    );
    for (const query of ["stars=1", "sort=lowest", "sort=highest", "score_change=up"])
      expect(await listed(query)).toEqual(all);
    expect(await listed("stars=1&status=pending")).toEqual([[pending, null]]);
    expect(await listed("stars=2&status=pending")).toEqual([[pending, null]]);
    expect(await listed("stars=1&status=accepted")).toEqual([]);
    expect(await listed("stars=2&status=accepted")).toEqual([[accepted, 2]]);
  });
});
