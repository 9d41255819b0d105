import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as resuming from "@/app/portal/api/v1/integrations/[kind]/resume/route";
import * as testing from "@/app/portal/api/v1/integrations/[kind]/test/route";
import * as all from "@/app/portal/api/v1/integrations/route";
import { integrationState } from "@/components/integrations/labels";
import { countFailures, listFailures } from "@/lib/insights/home/list-failures";
import { getIntegration } from "@/lib/integrations/list-integrations";
import { finishSyncRun, mergeState, startSyncRun } from "@/lib/integrations/record-run";
import { encodeNotices } from "@/lib/platform/notices";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember } from "@/lib/tools/test/factories";

// A failed connection test is remembered. The other system runs in this process.
process.env.ALLOW_PRIVATE_URLS = "true";

const PATH = "/portal/api/v1/integrations";

let server: Server;
let answers: Record<string, [status: number, body: unknown]>;
beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, body] = answers[request.url ?? ""] ?? [404, { errorCode: "NotFound" }];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => void server.close());

it("keeps an integration failing after a failed test, until a test or a run succeeds", async () => {
  const shop = await aClient();
  const admin = await aMember(shop, "admin");
  const settings = { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  await call(all, "POST", PATH, { ...admin, body: { kind: "engagement", settings, secrets: { api_key: "key" } } });
  const test = async () => (await call(testing, "POST", `${PATH}/engagement/test`, admin)).json.data.ok;
  const state = async () => {
    const { state, error } = await getIntegration(shop, "engagement");
    return [state, error];
  };
  const failing = ["failing", expect.stringMatching(/rejected the API key/)];
  const refused: typeof answers = { "/api/v3/contacts/count": [401, {}] };
  answers = refused;
  expect([await test(), await state()]).toEqual([false, failing]);
  expect(await countFailures({ role: "admin" }, shop)).toMatchObject({ connections: 1 });
  expect((await listFailures({ role: "admin" }, shop)).broken).toEqual([
    { id: "engagement", what: "integration", name: "engagement", error: failing[1], notices: expect.anything() },
  ]);
  // A run in progress doesn't change that.
  const run = await startSyncRun(shop.id, "engagement");
  await mergeState(shop.id, "engagement", { engagement: { active_at: Date.now() } });
  expect(await state()).toEqual(failing);
  expect(integrationState(await getIntegration(shop, "engagement"))).toMatchObject({ tone: "bad" });
  await finishSyncRun(shop.id, "engagement", run, {
    error: encodeNotices({ reason: "engagement_refused", params: { status: 503 } }),
  });
  await call(resuming, "POST", `${PATH}/engagement/resume`, admin);
  expect(await state()).toEqual(failing);

  answers = { "/api/v3/contacts/count": [200, 12] };
  expect([await test(), await state()]).toEqual([true, ["active", null]]);
  expect(await countFailures({ role: "admin" }, shop)).toMatchObject({ connections: 0 });

  answers = refused;
  expect([await test(), await state()]).toEqual([false, failing]);
  await finishSyncRun(shop.id, "engagement", await startSyncRun(shop.id, "engagement"), {});
  expect(await state()).toEqual(["active", null]);
});
