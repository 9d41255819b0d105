import { beforeEach, describe, expect, it } from "vitest";
import * as feedback from "@/app/collect/feedback/[token]/route";
import { votePage } from "@/lib/forms/vote/vote-page";
import { languages } from "@/lib/platform/i18n/languages";
import { findTarget } from "@/lib/reviews/votes/cast-vote";
import { call } from "@/lib/tools/test/call";
import { aClient, rowsOf, someReviews, type TestClient } from "@/lib/tools/test/factories";

let shop: TestClient;
let path = "";
beforeEach(async () => {
  shop = await aClient({ display_name: "Lamp & Shade" });
  const [id] = await someReviews(shop.id, [{ accepted: true }]);
  const [{ feedback_token: token }] = await rowsOf(
    "select feedback_token from reviews where client_id = $1 and id = $2",
    [shop.id, id],
  );
  path = `/collect/feedback/${token}`;
});
const votes = async () => {
  const [{ up, down, flags }] = await rowsOf(
    "select votes_up as up, votes_down as down, flag_count as flags from reviews where client_id = $1",
    [shop.id],
  );
  return [up, down, flags];
};
const open = (query: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  call(feedback, method, `${path}?${query}`, { headers });
const allowOnly = (...origins: string[]) =>
  rowsOf("update clients set allowed_origins = $2 where id = $1", [shop.id, origins]);

const origin = "https://shop.example";
const asScript = { "Sec-Fetch-Dest": "script", "Sec-Fetch-Mode": "no-cors", Referer: `${origin}/lamp?x=1` };
const asFetch = { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", Origin: origin };

describe("GET {feedback_url}", () => {
  it.each<[who: string, query: string, headers: Record<string, string>]>([
    ["an email scanner or another program", "type=up", {}],
    ["a program that claims an origin", "type=up&callback=f", { Origin: origin, Referer: origin }],
    ["a person", "type=up&callback=f", { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" }],
    ["a frame", "type=up", { "Sec-Fetch-Dest": "iframe" }],
    ["an image", "type=up&callback=f", { "Sec-Fetch-Dest": "image", Referer: origin }],
    ["a script element without a callback", "type=up", asScript],
    ["a prefetching script", "type=up&callback=f", { ...asScript, "Sec-Purpose": "prefetch;prerender" }],
    ["an older prefetch", "type=up", { ...asFetch, Purpose: "prefetch" }],
    ["a prefetch of Firefox", "type=up", { ...asFetch, "X-Moz": "prefetch" }],
    ["a fetch without an origin", "type=up", { "Sec-Fetch-Dest": "empty" }],
  ])("shows %s a page and counts nothing", async (_, query, headers) => {
    const answer = await open(query, headers);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.text).toContain("Mark this review as helpful?");
    expect(answer.text).toContain("Lamp &amp; Shade");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(await votes()).toEqual([0, 0, 0]);
  });

  it("counts for scripts of any page if the store lists no origins", async () => {
    const script = await open("type=up&callback=app.voted", asScript);
    expect([script.status, script.text, script.headers.get("content-type")]).toEqual([
      200,
      '/**/app.voted({"counted":true});',
      "text/javascript; charset=utf-8",
    ]);
    expect(await votes()).toEqual([1, 0, 0]);
    // The same address changes its vote.
    const fetched = await open("type=down", asFetch);
    expect([fetched.status, fetched.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(await votes()).toEqual([0, 1, 0]);
    expect((await open("type=up&voter_id=a", asFetch)).status).toBe(204);
    expect((await open("type=reset&voter_id=a", asFetch)).status).toBe(204);
    expect((await open("type=bad&comment=Spam", asFetch)).status).toBe(204);
    expect(await votes()).toEqual([0, 1, 1]);
  });

  it("counts only for scripts of pages that the store lists", async () => {
    await allowOnly(origin);
    expect((await open("type=up&callback=f", { ...asScript, Referer: "https://shop.example.evil/" })).status).toBe(403);
    expect((await open("type=up", { ...asFetch, Origin: "null" })).status).toBe(403);
    const { Referer: _, ...withoutReferrer } = asScript;
    expect((await open("type=up&callback=f", withoutReferrer)).text).toContain("<!doctype html>");
    expect(await votes()).toEqual([0, 0, 0]);
    expect((await open("type=up&callback=f", asScript)).status).toBe(200);
    expect((await open("type=up&voter_id=a", asFetch)).status).toBe(204);
    expect(await votes()).toEqual([2, 0, 0]);
  });

  it("HEAD changes nothing", async () => {
    expect([(await open("type=up", asFetch, "HEAD")).status, await votes()]).toEqual([200, [0, 0, 0]]);
  });

  it("refuses scripts a missing type, and asks people for it", async () => {
    for (const query of ["", "type=best", "type=reset"]) {
      const refused = await open(query, asFetch);
      expect([refused.status, refused.json.errors[0].code]).toEqual([400, "invalid_parameter"]);
      const page = await open(query);
      expect(page.text).toContain("Was this review helpful?");
      expect(page.text).toContain('<button name="type" value="up">Helpful</button>');
      expect(page.text).toContain('<button name="type" value="down">Not helpful</button>');
    }
    expect(await votes()).toEqual([0, 0, 0]);
  });

  it("shows the review that it is about, as text", async () => {
    await rowsOf(
      "update reviews set product_name = 'Oak <lamp>', title = 'Warm', extract = 'Steady & bright.', lang = 'sv', score = 4 where client_id = $1",
      [shop.id],
    );
    for (const query of ["", "type=up", "type=bad"]) {
      const { text } = await open(query);
      for (const part of [
        '<div class="label">Review of Oak &lt;lamp&gt;</div>',
        'aria-label="4 / 5"',
        '<p lang="sv">Warm</p>',
        '<p lang="sv">Steady &amp; bright.</p>',
      ])
        expect(text).toContain(part);
    }
  });

  it("is a page for unknown links and hidden reviews, and an error for scripts", async () => {
    await rowsOf("update reviews set accepted = null, accepted_at = null where client_id = $1", [shop.id]);
    const page = await open("type=up");
    expect([page.status, page.text]).toEqual([404, expect.stringContaining("This link doesn’t work")]);
    expect((await open("type=up", asFetch)).json.errors[0].code).toBe("not_found");
  });

  it("is in the reader's language, for every type", async () => {
    const pages = new Set<string>();
    for (const language of languages)
      for (const type of ["up", "down", "bad", "reset&voter_id=a", ""]) {
        const { text } = await open(`type=${type}`, { "Accept-Language": language });
        expect(text).toContain(`<html lang="${language}">`);
        pages.add(/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? "");
      }
    expect(pages.size).toBe(languages.length * 5);
  });
});

describe("the page's button", () => {
  /** What a browser sends when the page's only form is submitted, by the button with a value of `type` if it has several. */
  async function submit(query: string, headers: Record<string, string> = {}, type?: string) {
    const { text } = await open(query);
    expect(text).toContain('<form method="post" action="?">');
    const fields = [...text.matchAll(/<input type="hidden" name="(.*?)" value="(.*?)">/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    return call(feedback, "POST", path, {
      body: new URLSearchParams([...(fields as string[][]), ...(type ? [["type", type]] : [])]).toString(),
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Dest": "document",
        Origin: "http://localhost:3000",
        ...headers,
      },
    });
  }

  it("votes and reports with the link's type and voter id, also if the store lists origins", async () => {
    await allowOnly(origin);
    for (const query of ["type=up&voter_id=a", "type=down", "type=bad"]) {
      const answer = await submit(query);
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("Thank you!")]);
    }
    expect(await votes()).toEqual([1, 1, 1]);
    await submit("type=reset&voter_id=a");
    expect(await votes()).toEqual([0, 1, 1]);
  });

  it("votes for the link's voter also if the link names no type", async () => {
    for (const [type, counts] of [
      ["up", [1, 0, 0]],
      ["down", [0, 1, 0]],
    ] as const) {
      expect((await submit("voter_id=a", {}, type)).text).toContain("Thank you!");
      expect(await votes()).toEqual(counts);
    }
    await submit("type=reset&voter_id=a");
    expect(await votes()).toEqual([0, 0, 0]);
  });

  it("is followed by a page if the review was hidden meanwhile", async () => {
    const hide = "update reviews set accepted = null, accepted_at = null where client_id = $1";
    const { text } = await open("type=up");
    expect(text).toContain("<form");
    await rowsOf(hide, [shop.id]);
    const answer = await call(feedback, "POST", path, {
      body: "type=up",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Dest": "document",
        Origin: "http://localhost:3000",
      },
    });
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining("This link doesn’t work")]);
  });

  it("is followed by thanks if the review was hidden after its vote was counted", async () => {
    const review = await findTarget(path.slice("/collect/feedback/".length));
    await rowsOf("update reviews set accepted = null, accepted_at = null where client_id = $1", [shop.id]);
    const { options } = await votePage(review, "done", null);
    expect(options.status ?? 200).toBe(200);
  });

  it("sends no comment of the link, which its visitor didn't write", async () => {
    expect((await open("type=bad&comment=Off+topic")).text).not.toContain("Off topic");
    expect((await submit("type=bad&comment=Off+topic")).status).toBe(200);
    expect(await rowsOf("select comment from flags where client_id = $1", [shop.id])).toEqual([{ comment: null }]);
  });

  it("is followed by a page only from our page: a store's form or script stays where it is", async () => {
    await allowOnly(origin);
    const senders: Record<string, string>[] = [{ Origin: origin }, { "Sec-Fetch-Dest": "empty" }];
    for (const headers of senders) {
      const answer = await submit("type=up", headers);
      expect([answer.status, answer.text]).toEqual([204, ""]);
    }
    expect(await votes()).toEqual([1, 0, 0]);
  });

  it("is refused from a page of another origin", async () => {
    await allowOnly(origin);
    for (const foreign of ["https://evil.example", "null"])
      expect((await submit("type=up", { Origin: foreign })).status).toBe(403);
    expect(await votes()).toEqual([0, 0, 0]);
  });
});
