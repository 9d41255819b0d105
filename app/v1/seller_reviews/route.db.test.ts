import { describe, expect, it } from "vitest";
import * as sellerReviews from "@/app/v1/seller_reviews/route";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { call } from "@/lib/tools/test/call";
import { describeContributionList } from "@/lib/tools/test/contributions";
import { aClient, aResponse, rowsOf, someSellerReviews, type TestClient } from "@/lib/tools/test/factories";

const noon = new Date("2026-03-01T12:00:00.500Z");
const later = new Date("2026-03-02T12:00:00Z");

const only = async (client: TestClient) => {
  const { json, status } = await call(sellerReviews, "GET", "/v1/seller_reviews", { key: client.key });
  expect({ status, rows: json.data.length }).toEqual({ status: 200, rows: 1 });
  return json.data[0];
};

describe("seller reviews over the API", () => {
  it("returns exactly the documented fields", async () => {
    const own = await aClient();
    const words = 'Quick "post",\n\\ \u2028 灯 💡 ","updated_at":"2001-01-01T00:00:00Z';
    const image: StoredImage = {
      token: "a".repeat(32),
      key: "b".repeat(32),
      format: "jpeg",
      width: 4000,
      height: 3000,
      sizes: { icon: [100, 100], medium: [1600, 1200], large: [3840, 2880] },
    };
    await someSellerReviews(own.id, [
      {
        id: "00000000000000aa",
        author: words,
        author_email: "Ada@Example.org",
        score: 4,
        title: "Good",
        extract: words,
        answers: { delivery: "fast", updated_at: "x" },
        images: JSON.stringify([image]),
        lang: "sv",
        date: "2026-02-03",
        order_id: "o-1",
        customer_id: "buyer-77",
        verified_buyer: true,
        verified_email: true,
        votes_up: 3,
        votes_down: 1,
        accepted: true,
        accepted_at: noon,
        updated_at: later,
      },
    ]);
    const address = (size: string) => `http://localhost:3000/images/${image.key}/${size}.jpg`;
    expect(await only(own)).toEqual({
      id: "00000000000000aa",
      author: words,
      score: 4,
      score_max: 5,
      date: "2026-02-03",
      extract: words,
      lang: "sv",
      verified_buyer: true,
      votes_up: 3,
      votes_down: 1,
      responses: [],
      images: [
        {
          token: image.token,
          format: "jpeg",
          width: 4000,
          height: 3000,
          icon: address("icon"),
          icon_width: 100,
          icon_height: 100,
          medium: address("medium"),
          medium_width: 1600,
          medium_height: 1200,
          large: address("large"),
          large_width: 3840,
          large_height: 2880,
        },
      ],
      properties: { delivery: "fast", updated_at: "x", title: "Good" },
      order_id: "o-1",
      customer_id: "buyer-77",
      updated_at: "2026-03-02T12:00:00Z",
      accepted: true,
      accepted_at: "2026-03-01T12:00:00Z",
      author_email: "Ada@Example.org",
      portal_url: `http://localhost:3000/portal/seller_reviews/00000000000000aa?client_id=${own.id}`,
    });
  });

  it("returns null for unset fields", async () => {
    const own = await aClient();
    await someSellerReviews(own.id, [{ author: null, extract: "", accepted: false }]);
    expect(await only(own)).toMatchObject({
      author: null,
      extract: "",
      lang: null,
      responses: [],
      images: [],
      properties: {},
      order_id: null,
      customer_id: null,
      accepted: false,
      accepted_at: null,
      author_email: null,
    });
  });

  it("returns the store's replies, oldest first, until they are deleted", async () => {
    const own = await aClient();
    const [id = ""] = await someSellerReviews(own.id, [{ updated_at: noon }]);
    const second = await aResponse(own.id, "seller_review", id, { extract: "second", created_at: later });
    await aResponse(own.id, "seller_review", id, { extract: "first", lang: null, created_at: noon });
    const shown = await only(own);
    expect(shown.responses).toEqual([
      { author: "Shop", date: "2026-01-16", extract: "first", lang: null, updated_at: expect.stringMatching(/Z$/) },
      { author: "Shop", date: "2026-01-16", extract: "second", lang: "en", updated_at: expect.stringMatching(/Z$/) },
    ]);
    expect(shown.updated_at > "2026-03-02").toBe(true);
    await rowsOf("update responses set extract = 'reworded' where client_id = $1 and id = $2", [own.id, second]);
    expect((await only(own)).responses[1].extract).toBe("reworded");
    await rowsOf("delete from responses where client_id = $1", [own.id]);
    expect((await only(own)).responses).toEqual([]);
  });

  it("updates updated_at only with changes visible to readers", async () => {
    const own = await aClient();
    await someSellerReviews(own.id, [{ updated_at: noon }]);
    const change = (columns: string) => rowsOf(`update seller_reviews set ${columns} where client_id = $1`, [own.id]);
    await change("flag_count = 3, author_ip = '203.0.113.9', decided_at = now(), extract = extract");
    expect((await only(own)).updated_at).toBe("2026-03-01T12:00:00Z");
    await change("votes_up = votes_up + 1");
    expect((await only(own)).updated_at > "2026-03-02").toBe(true);
  });

  it("returns both of two replies that are written concurrently", async () => {
    const own = await aClient();
    const [id = ""] = await someSellerReviews(own.id, [{}]);
    const texts = Array.from({ length: 12 }, (_, index) => `reply ${index}`);
    await Promise.all(texts.map((extract) => aResponse(own.id, "seller_review", id, { extract })));
    const { responses } = await only(own);
    expect(responses.map(({ extract }: { extract: string }) => extract).sort()).toEqual(texts.sort());
  });
});

describeContributionList("seller_reviews", sellerReviews, someSellerReviews, (client, id, turn) =>
  rowsOf("update seller_reviews set extract = $3, votes_up = votes_up + 1 where client_id = $1 and id = $2", [
    client.id,
    id,
    `Turn ${turn}`,
  ]),
);
