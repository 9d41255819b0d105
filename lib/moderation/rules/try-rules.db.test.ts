import { expect, it } from "vitest";
import * as trial from "@/app/portal/api/v1/rules/try/route";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, rowsOf } from "@/lib/tools/test/factories";

it("returns the findings in a text, by saved or given rules, and stores nothing", async () => {
  const shop = await aClient({ locale: "en_US" });
  const viewer = await aMember(shop, "viewer");
  const ask = async (body: object, sent = viewer) =>
    call(trial, "POST", `/portal/api/v1/rules/try?client_id=${shop.id}`, { ...sent, body });
  const extract = "Write to me at ada@mail.example, it was only $49.";
  const result = await ask({ extract });
  expect([result.status, result.json.data.outcome]).toEqual([200, "hold"]);
  expect(
    result.json.data.findings.map(({ rule, start, end }: { rule: string; start: number; end: number }) => [
      rule,
      extract.slice(start, end),
    ]),
  ).toEqual([
    ["email", "ada@mail.example"],
    ["price", "$49"],
  ]);
  expect((await ask({ extract, rules: { email: { action: "reject" } } })).json.data).toMatchObject({
    outcome: "reject",
    reason: "personal_data",
  });
  const easy = await aClient({ rules: { email: { on: false }, url: { on: false }, price: { on: false } } });
  const there = await call(trial, "POST", `/portal/api/v1/rules/try?client_id=${easy.id}`, {
    ...(await aMember(easy, "viewer")),
    body: { extract },
  });
  expect(there.json.data).toMatchObject({ outcome: "accept", findings: [] });
  expect((await ask({ author: "Call 4111 1111 1111 1111", extract: "Fine." })).json.data.findings).toMatchObject([
    { rule: "card_number", field: "author" },
  ]);
  expect((await ask({ extract, rules: { price: { onn: true } } })).status).toBe(422);
  expect((await ask({ extract }, await aMember(await aClient(), "admin"))).status).toBe(403);
  expect(await rowsOf("select 1 from moderation_findings where client_id = $1", [shop.id])).toEqual([]);
  expect(await rowsOf("select 1 from reviews where client_id = $1", [shop.id])).toEqual([]);
});
