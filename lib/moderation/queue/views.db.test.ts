import { expect, it } from "vitest";
import * as one from "@/app/portal/api/v1/queue_views/[id]/route";
import * as all from "@/app/portal/api/v1/queue_views/route";
import { systemViews } from "@/lib/moderation/queue/rules";
import type { QueueView } from "@/lib/moderation/queue/schema";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf, someReviews } from "@/lib/tools/test/factories";

const PATH = "/portal/api/v1/queue_views";
const save = (sent: RequestOptions, name: string, filter: object = { status: "rejected", lang: "sv" }) =>
  call(all, "POST", PATH, { ...sent, body: { name, filter } });
const list = async (sent: RequestOptions): Promise<QueueView[]> => (await call(all, "GET", PATH, sent)).json.data;
const own = async (sent: RequestOptions) => (await list(sent)).filter((view) => view.own);

it("is saved with its filter, replaced by name, counted, and deleted only by its owner", async () => {
  const client = await aClient();
  const [viewer, otherMember] = [await aMember(client, "viewer"), await aMember(client)];
  await someReviews(client.id, [
    { accepted: false, lang: "sv" },
    { accepted: false, lang: "sv", extract: "Ljuset är MILT." },
    { accepted: false, lang: "en" },
  ]);
  const made = await save(viewer, " Swedish, refused ");
  expect(made.status, made.text).toBe(201);
  expect(await own(viewer)).toEqual([
    {
      id: made.json.data.id,
      name: "Swedish, refused",
      own: true,
      filter: { status: "rejected", lang: "sv" },
      count: 2,
      more: false,
    },
  ]);
  const again = await save(viewer, "Swedish, refused", { status: "rejected", lang: "sv", words: "milt" });
  expect(again.json.data.id).toBe(made.json.data.id);
  expect(await own(viewer)).toMatchObject([{ filter: { words: "milt" }, count: 1 }]);
  expect(await own(otherMember)).toEqual([]);
  expect((await call(one, "DELETE", `${PATH}/${made.json.data.id}`, otherMember)).status).toBe(404);
  expect((await call(one, "DELETE", `${PATH}/${made.json.data.id}`, viewer)).status).toBe(204);
  expect((await call(one, "DELETE", `${PATH}/${made.json.data.id}`, viewer)).status).toBe(404);
  expect(await own(viewer)).toEqual([]);
});

it("shows pending, reported and unreplied items in system views, and counts up to 99", async () => {
  const client = await aClient();
  await rowsOf(
    `insert into reviews (client_id, id, source, product_id, family_id, score, date, extract, feedback_token, created_at, accepted, accepted_at)
     select $1, lpad(to_hex(n), 16, '0'), 'api', 'p', 'p', 1 + n % 5, '2026-01-01', 'Fine.', 'views-' || $1 || n,
            now() - case when n <= 100 then interval '2 days' else interval '1 h' end,
            case when n <= 103 then null else true end, case when n > 103 then now() end
       from generate_series(1, 1205) n`,
    [client.id],
  );
  const [ada, mia] = [await aMember(client), await aMember(client)];
  await rowsOf(
    `insert into item_assignments (client_id, kind, subject_id, user_id)
     select $1, 'review', lpad(to_hex(n), 16, '0'), case when n <= 3 then $2 else $3 end from generate_series(1, 5) n`,
    [client.id, ada.id, mia.id],
  );
  const views = await list(ada);
  expect(views.map(({ id }) => id)).toEqual(systemViews.map(({ id }) => id));
  expect(views.every((view) => !view.own)).toBe(true);
  const counts = Object.fromEntries(views.map(({ id, count, more }) => [id, [count, more]]));
  expect(counts).toEqual({
    waiting: [99, true],
    assigned: [3, false],
    "waiting-photo": [0, false],
    photos: [0, false],
    "waiting-day": [99, true],
    reported: [0, false],
    unanswered: [0, false],
    unreplied: [99, true],
    fake: [0, false],
  });
});

it("is limited to thirty per person, to its client, and to valid names and filters", async () => {
  const [client, other] = [await aClient(), await aClient()];
  const sent = await aMember(client);
  for (let n = 1; n < 30; n++) expect((await save(sent, `Nr ${n}`)).status).toBe(201);
  const both = await Promise.all([save(sent, "The last"), save(sent, "One too many")]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  expect((await save(sent, "Nr 7", { status: "all" })).status).toBe(201);
  for (const [name, filter] of [
    ["", {}],
    ["x".repeat(61), {}],
    ["x", { status: "nonsense" }],
    ["x", { age: "decade" }],
  ] as const)
    expect((await save(sent, name, filter)).status, name).toBe(422);
  expect(await own(sent)).toHaveLength(30);
  expect((await call(all, "GET", `${PATH}?client_id=${other.id}`, sent)).status).toBe(403);
});
