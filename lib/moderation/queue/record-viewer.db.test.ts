import { expect, it } from "vitest";
import * as look from "@/app/portal/api/v1/queue/[kind]/[id]/look/route";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf, someQuestions, someReviews } from "@/lib/tools/test/factories";

const viewItem = async (sent: RequestOptions, id: string, kind = "review") =>
  call(look, "PUT", `/portal/api/v1/queue/${kind}/${id}/look`, sent);
const others = async (sent: RequestOptions, id: string): Promise<string[]> =>
  (await viewItem(sent, id)).json.data.others.map(({ name }: { name: string }) => name);

it("lists other viewers of an item until they leave or two minutes pass", async () => {
  const client = await aClient();
  const [here = "", there = ""] = await someReviews(client.id, [{}, {}]);
  const [ada, mia] = [await aMember(client), await aMember(client)];
  expect(await others(ada, here)).toEqual([]);
  expect(await others(mia, here)).toEqual([expect.stringMatching(/^moderator-/)]);
  expect(await others(ada, here)).toHaveLength(1);
  expect(await others(ada, there)).toEqual([]);
  expect(await others(mia, here)).toEqual([]);
  await others(ada, here);
  const [before] = await rowsOf(
    "select began_at from queue_looks where client_id = $1 order by began_at desc limit 1",
    [client.id],
  );
  await rowsOf("update queue_looks set seen_at = seen_at - interval '119 s' where client_id = $1", [client.id]);
  expect(await others(mia, here)).toHaveLength(1);
  await rowsOf("update queue_looks set seen_at = now() - interval '121 s' where client_id = $1", [client.id]);
  expect(await others(mia, here)).toEqual([]);
  // A returning viewer starts again.
  await others(ada, here);
  const [after] = await rowsOf("select began_at from queue_looks where client_id = $1 order by began_at desc limit 1", [
    client.id,
  ]);
  expect(after.began_at > before.began_at).toBe(true);
  expect(await rowsOf("select count(*)::int from queue_looks where client_id = $1", [client.id])).toEqual([
    { count: 2 },
  ]);
});

it("applies to one item of one kind of the client, for people who may decide", async () => {
  const [client, foreign] = [await aClient(), await aClient()];
  const id = "00000000000000aa";
  await someReviews(client.id, [{ id }]);
  await someQuestions(client.id, [{ id }]);
  const [theirs = ""] = await someReviews(foreign.id, [{}]);
  const [ada, mia] = [await aMember(client), await aMember(client)];
  await viewItem(ada, id, "question");
  expect(await others(mia, id)).toEqual([]);
  expect((await viewItem(ada, theirs)).status).toBe(404);
  expect((await viewItem(ada, "nothing")).status).toBe(404);
  expect((await viewItem(await aMember(client, "viewer"), id)).status).toBe(403);
  expect(await rowsOf("select kind from queue_looks where client_id = $1 order by kind", [client.id])).toEqual([
    { kind: "question" },
    { kind: "review" },
  ]);
});
