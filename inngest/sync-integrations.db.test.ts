import { afterEach, beforeEach, expect, it } from "vitest";
import { runJob } from "@/inngest/jobs";
import { systemActor } from "@/lib/accounts/actor";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { manyOrders } from "@/lib/tools/fakes/commerce-shop";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, rowsOf } from "@/lib/tools/test/factories";

process.env.ALLOW_PRIVATE_URLS = "true";

beforeEach(emptyDatabase);
const fakeStores: CommerceFake[] = [];
afterEach(async () => {
  for (const fakeStore of fakeStores.splice(0)) await fakeStore.close();
});

async function aConnectedShop(orders: number) {
  const fakeStore = new CommerceFake({ orders: manyOrders(orders) });
  fakeStores.push(fakeStore);
  const { id } = await aClient();
  const settings = [`orders_url=${await fakeStore.listen()}`, "auth=oauth1", "requests_per_second=20"];
  await setIntegrationFromText(systemActor, { id }, "commerce", settings, commerceKeys);
  return { id, fake: fakeStore };
}

it("imports the orders of every connected store, and an unavailable store does not delay the others", async () => {
  const [one, other, paused] = [await aConnectedShop(3), await aConnectedShop(2), await aConnectedShop(1)];
  other.fake.modes.forbidden = ["orders"];
  await rowsOf("update integrations set enabled = false where client_id = $1", [paused.id]);
  const { settled, runs } = await runJob("sync-integrations");
  expect(settled).toBe(true);
  expect(runs.map((run) => [run.function, run.status])).toEqual([
    ["sync-integrations", "done"],
    ["sync-integration", "done"],
    ["sync-integration", "done"],
  ]);
  expect(await rowsOf("select client_id, count(*)::int from orders group by client_id")).toEqual([
    { client_id: one.id, count: 3 },
  ]);
  expect(await rowsOf("select client_id from integrations where error is not null")).toEqual([{ client_id: other.id }]);
});

it("syncs the clients that an operator names", async () => {
  const [one, other] = [await aConnectedShop(1), await aConnectedShop(1)];
  await runJob("sync-integrations", { clientIds: [other.id] });
  expect(one.fake.requests).toHaveLength(0);
  expect(await rowsOf("select client_id from orders")).toEqual([{ client_id: other.id }]);
});
