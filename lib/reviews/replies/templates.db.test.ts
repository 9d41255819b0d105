import { expect, it } from "vitest";
import * as one from "@/app/portal/api/v1/reply_templates/[id]/route";
import * as all from "@/app/portal/api/v1/reply_templates/route";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf } from "@/lib/tools/test/factories";

const PATH = "/portal/api/v1/reply_templates";
const save = (sent: RequestOptions, name: string, text = "Hi {author}!") =>
  call(all, "POST", PATH, { ...sent, body: { name, text } });
const list = async (sent: RequestOptions) => (await call(all, "GET", PATH, sent)).json.data;

it("are saved, listed by name, replaced by one with the same name, and deleted", async () => {
  const client = await aClient();
  const sent = await aMember(client);
  expect(await list(sent)).toEqual([]);
  const made = await save(sent, "  Thank you ");
  expect(made.status, made.text).toBe(201);
  await save(sent, "apology", "We are sorry, {author}.");
  const again = await save(sent, "Thank you", "Thank you, {author}!");
  expect(again.json.data.id).toBe(made.json.data.id);
  expect(await list(sent)).toEqual([
    { id: expect.any(String), name: "apology", text: "We are sorry, {author}." },
    { id: made.json.data.id, name: "Thank you", text: "Thank you, {author}!" },
  ]);
  expect((await call(one, "DELETE", `${PATH}/${made.json.data.id}`, sent)).status).toBe(204);
  expect((await call(one, "DELETE", `${PATH}/${made.json.data.id}`, sent)).status).toBe(404);
  expect(await list(sent)).toHaveLength(1);
});

it("are only for moderators of the client", async () => {
  const [ownClient, otherClient] = [await aClient(), await aClient()];
  const { id } = (await save(await aMember(otherClient), "Theirs")).json.data;
  const sent = await aMember(ownClient);
  expect(await list(sent)).toEqual([]);
  expect((await call(one, "DELETE", `${PATH}/${id}`, sent)).status).toBe(404);
  const viewer = await aMember(ownClient, "viewer");
  expect([(await save(viewer, "x")).status, (await call(all, "GET", PATH, viewer)).status]).toEqual([403, 403]);
  expect(
    await rowsOf("select name from reply_templates where client_id = any($1)", [[ownClient.id, otherClient.id]]),
  ).toEqual([{ name: "Theirs" }]);
});

it("are limited to a hundred and require a name and a text", async () => {
  const client = await aClient();
  const sent = await aMember(client);
  await rowsOf(
    "insert into reply_templates (client_id, id, name, text) select $1, 'tpl_' || n, 'Nr ' || n, 'x' from generate_series(1, 99) n",
    [client.id],
  );
  const both = await Promise.all([save(sent, "The last"), save(sent, "One too many")]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  expect((await save(sent, "Nr 7", "Reworded.")).status).toBe(201);
  for (const [name, text] of [
    ["", "x"],
    ["x".repeat(81), "x"],
    ["x", " "],
    ["x", "x".repeat(5_001)],
  ] as const)
    expect((await save(sent, name, text)).status).toBe(422);
  expect(await rowsOf("select count(*)::int as n from reply_templates where client_id = $1", [client.id])).toEqual([
    { n: 100 },
  ]);
});
