import { beforeEach, describe, expect, it } from "vitest";
import * as feedbackRoute from "@/app/collect/feedback/[token]/route";
import { GET as list } from "@/app/onpage/[client_id]/reviews/list.json/route";
import type { DisplayReviewList } from "@/lib/display/schema";
import { pool } from "@/lib/platform/db/pool";
import { forgetAddresses } from "@/lib/reviews/votes/forget-addresses";
import { get, makeClient, setAccepted, statusAndFields } from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { countBlockedQueries } from "@/lib/tools/test/factories";
import { serve } from "@/lib/tools/test/test-server";

const { POST: feedback } = feedbackRoute;
const shop = "voted.example";
let token = "";
beforeEach(async () => {
  await emptyDatabase();
  await makeClient(shop);
  token = `token-${Math.random().toString(36).slice(2)}`;
  await pool().query(
    `insert into reviews (client_id, id, source, product_id, score, date, feedback_token, accepted, accepted_at)
     values ($1, 'r', 'web', 'p', 5, '2026-01-01', $2, true, now())`,
    [shop, token],
  );
});

const send = (fields: Record<string, string>, address = "203.0.113.1", to = token) =>
  feedback(
    new Request(`http://localhost/collect/feedback/${to}`, { method: "POST", body: new URLSearchParams(fields) }),
    { address },
  );
const votes = async () => {
  const { rows } = await pool().query("select votes_up, votes_down from reviews where id = 'r'");
  const counted = await pool().query(
    "select count(*) filter (where value = 1)::int as votes_up, count(*) filter (where value = -1)::int as votes_down from votes",
  );
  expect(counted.rows[0]).toEqual(rows[0]); // The counters must equal a recount.
  return [rows[0].votes_up, rows[0].votes_down];
};

describe("POST {feedback_url}", () => {
  it("counts one vote per voter, who may change or remove it", async () => {
    expect([(await send({ type: "up", voter_id: "a" })).status, await votes()]).toEqual([204, [1, 0]]);
    await send({ type: "up", voter_id: "a" });
    await send({ type: "up", voter_id: "b" });
    expect(await votes()).toEqual([2, 0]);
    await send({ type: "down", voter_id: "a" });
    expect(await votes()).toEqual([1, 1]);
    await send({ type: "reset", voter_id: "a" });
    await send({ type: "reset", voter_id: "nobody" });
    expect(await votes()).toEqual([1, 0]);
  });

  it("counts one vote a day per address without a voter id, which it can change", async () => {
    for (const type of ["up", "down", "up", "up"]) expect((await send({ type })).status).toBe(204);
    expect(await votes()).toEqual([1, 0]);
    await send({ type: "down" });
    expect(await votes()).toEqual([0, 1]);
    await send({ type: "down", voter_id: "" }, "203.0.113.2");
    expect(await votes()).toEqual([0, 2]);
    expect(await statusAndFields(await send({ type: "reset" }))).toEqual([406, ["voter_id"]]);
    // A change doesn't make the vote younger: the next day starts 24 hours after the first.
    await pool().query("update votes set created_at = created_at - interval '25 hours', voter = voter || '0'");
    await send({ type: "up" });
    expect(await votes()).toEqual([1, 2]);
  });

  it("changes one address's vote once, even for concurrent ones", async () => {
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 12 }, (_, n) => send({ type: (n + round) % 2 ? "up" : "down" })));
      expect((await votes()).reduce((sum, n) => sum + n, 0)).toBe(1);
    }
  });

  it("forgets the address after 24 hours, and counts on", async () => {
    await send({ type: "up" });
    await send({ type: "down" }, "203.0.113.2");
    await send({ type: "up", voter_id: "a" });
    const voters = async () =>
      (await pool().query("select voter from votes order by voter")).rows.map(({ voter }) => voter);
    const before = await voters();
    expect([await forgetAddresses(), await voters()]).toEqual([0, before]);
    await pool().query("update votes set created_at = created_at - interval '24 hours 1 minute'");
    expect([await forgetAddresses(1), await forgetAddresses(), await forgetAddresses()]).toEqual([1, 1, 0]);
    const after = await voters();
    const kept = before.filter((voter) => !voter.includes("."));
    expect(kept).toHaveLength(1);
    expect(after.filter((voter) => before.includes(voter))).toEqual(kept);
    for (const hash of before.filter((voter) => voter.includes(".")).map((voter) => voter.split(".")[0]))
      expect(after.join()).not.toContain(hash);
    expect(await votes()).toEqual([2, 1]);
    await send({ type: "down", voter_id: "a" });
    await send({ type: "up" });
    expect(await votes()).toEqual([2, 2]);
  });

  it("forgets the address of reports after 24 hours, and counts them on", async () => {
    await send({ type: "bad", comment: "Spam." });
    await send({ type: "bad", voter_id: "a" }, "203.0.113.2");
    await send({ type: "bad", comment: "Spam!" });
    const reports = async () =>
      (await pool().query("select voter, comment from flags order by comment nulls last, voter")).rows;
    const before = await reports();
    expect(before).toEqual([
      { voter: expect.stringMatching(/^[\w-]{32}\.$/), comment: "Spam!" },
      { voter: expect.stringMatching(/^[\w-]{32}$/), comment: null },
    ]);
    expect([await forgetAddresses(), await reports()]).toEqual([0, before]);
    await send({ type: "bad" }, "203.0.113.3");
    // Also of closed ones.
    await pool().query(
      "update flags set created_at = created_at - interval '24 hours 1 minute', resolved_at = case when comment is null then now() end",
    );
    expect([await forgetAddresses(1), await forgetAddresses(), await forgetAddresses()]).toEqual([1, 1, 0]);
    expect(await reports()).toEqual([
      { voter: null, comment: "Spam!" },
      { voter: before[1].voter, comment: null },
      { voter: null, comment: null },
    ]);
    await send({ type: "bad", comment: "Spam?" });
    expect((await pool().query("select flag_count from reviews where id = 'r'")).rows).toEqual([{ flag_count: 4 }]);
  });

  it("counts a changed vote as a new one if its address is being forgotten", async () => {
    await send({ type: "up" });
    await pool().query("update votes set created_at = created_at - interval '23 hours 59 minutes'");
    const job = await pool().connect();
    try {
      await job.query("begin");
      await job.query("update votes set voter = 'past-1'");
      const changed = send({ type: "down" });
      await expect.poll(countBlockedQueries).toBe(1);
      await job.query("commit");
      expect((await changed).status).toBe(204);
    } finally {
      job.release();
    }
    expect(await votes()).toEqual([1, 1]);
  });

  it("counts votes of different voters separately, even concurrent ones", async () => {
    await Promise.all(
      Array.from({ length: 24 }, (_, n) => send({ type: n % 2 ? "up" : "down", voter_id: `v${n % 6}` })),
    );
    const [up, down] = await votes();
    expect(up + down).toBe(6);
    await Promise.all(Array.from({ length: 10 }, () => send({ type: "up" }, "203.0.113.77")));
    expect((await votes()).reduce((sum, n) => sum + n, 0)).toBe(7);
  });

  it("counts one voter once, even for concurrent votes over many connections", async () => {
    const server = await serve([{ path: "/collect/feedback/{token}", methods: feedbackRoute }]);
    try {
      // Each of these opens its own connection.
      const sent = (type: string, voter_id: string) =>
        server.methods.POST(
          new Request(`http://localhost/collect/feedback/${token}`, {
            method: "POST",
            body: new URLSearchParams({ type, voter_id }),
          }),
        );
      for (let round = 0; round < 5; round += 1) {
        const types = Array.from({ length: 40 }, (_, n) => ["up", "down", "reset", "up"][(n + round) % 4] as string);
        const answers = await Promise.all(types.map((type) => sent(type, "one")));
        expect(answers.map(({ status }) => status)).toEqual(types.map(() => 204));
        expect((await votes()).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(1);
      }
      await Promise.all([...Array(20)].map(() => sent("up", "one")));
      expect(await votes()).toEqual([1, 0]);
      await Promise.all([...Array(20)].map(() => sent("down", "one")));
      expect(await votes()).toEqual([0, 1]);
      await Promise.all([...Array(20)].map(() => sent("reset", "one")));
      expect(await votes()).toEqual([0, 0]);
    } finally {
      await server.close();
    }
  });

  it("is displayed immediately and updates updated_at; a report does neither", async () => {
    const read = async () => (await pool().query("select updated_at, flag_count from reviews where id = 'r'")).rows[0];
    const before = await read();
    await send({ type: "up" });
    const shown = (await (await get(list, `/onpage/${shop}/reviews/list.json?key=p`)).json()) as DisplayReviewList;
    expect(shown.reviews[0]).toMatchObject({
      votes_up: 1,
      feedback_url: `http://localhost:3000/collect/feedback/${token}`,
    });
    const voted = await read();
    expect(voted.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
    await send({ type: "bad", comment: "Not about this lamp." });
    await send({ type: "bad", comment: "Really not." });
    await send({ type: "bad", voter_id: "a" });
    expect(await read()).toEqual({ ...voted, flag_count: 2 });
    expect(
      (await pool().query("select comment from flags order by created_at, id")).rows
        .map(({ comment }) => comment)
        .sort(),
    ).toEqual(["Really not.", null]);
  });

  it("checks the page's origin if the client lists any", async () => {
    const from = (origin: string | null) =>
      feedback(
        new Request(`http://localhost/collect/feedback/${token}`, {
          method: "POST",
          body: new URLSearchParams({ type: "up", voter_id: "a" }),
          headers: origin === null ? {} : { origin },
        }),
      );
    expect((await from("https://anywhere.example")).status).toBe(204);
    await pool().query("update clients set allowed_origins = '{https://shop.example}' where id = $1", [shop]);
    for (const origin of ["https://anywhere.example", "null", "http://shop.example"]) {
      const answer = await from(origin);
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, "*"]);
    }
    expect((await from("https://shop.example")).status).toBe(204);
    expect((await from(null)).status).toBe(204);
    expect(await votes()).toEqual([1, 0]);
  });

  it("rejects unknown values and changes nothing", async () => {
    expect(await statusAndFields(await send({}))).toEqual([406, ["type"]]);
    expect(await statusAndFields(await send({ type: "best" }))).toEqual([406, ["type"]]);
    expect(await statusAndFields(await send({ type: "reset" }))).toEqual([406, ["voter_id"]]);
    expect(await statusAndFields(await send({ type: "reset", comment: "x".repeat(2_001) }))).toEqual([
      406,
      ["comment", "voter_id"],
    ]);
    expect(await statusAndFields(await send({ type: "up", voter_id: "x".repeat(256) }))).toEqual([406, ["voter_id"]]);
    expect(await statusAndFields(await send({ type: "bad", comment: "a\0b" }))).toEqual([406, ["comment"]]);
    expect((await send({ type: "up" }, "203.0.113.1", "unknown")).status).toBe(404);
    expect((await send({ type: "up" }, "203.0.113.1", "a%20b")).status).toBe(404);
    const json = new Request(`http://localhost/collect/feedback/${token}`, {
      method: "POST",
      body: '{"type":"up"}',
      headers: { "content-type": "application/json" },
    });
    expect((await feedback(json)).status).toBe(415);
    await setAccepted(shop, "r", false);
    expect((await send({ type: "up" })).status).toBe(404);
    expect(await votes()).toEqual([0, 0]);
  });
});
