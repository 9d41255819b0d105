import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, it } from "vitest";
import { generatedOrders } from "@/lib/feeds/fixtures/generated-orders";
import { importOrders } from "@/lib/feeds/import-orders";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { heapUsageOptions } from "@/lib/tools/test/heap-usage";

const script = path.join(import.meta.dirname, "fixtures/import-orders-process.ts");
const ORDERS = 3_000;

const stored = ({ id }: TestClient) =>
  rowsOf(
    `select o.id, o.customer_id, i.id as item, i.name, i.delivery_date, i.reviewable, c.name as customer, c.email
       from orders o join order_items i on i.client_id = o.client_id and i.order_id = o.id
       join customers c on c.client_id = o.client_id and c.id = o.customer_id where o.client_id = $1 order by o.id, i.id`,
    [id],
  );

it("a large order feed is complete when repeated after being killed", async () => {
  const [broken, intact] = [await aClient(), await aClient()];
  const args = [...heapUsageOptions, "--import", "tsx", script, broken.id, String(ORDERS)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const piece of child.stdout) {
    if (!/"written":[1-9]/.test(String(piece))) continue;
    child.kill("SIGKILL");
    break;
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
  const [{ count }] = await rowsOf("select count(*)::int from orders where client_id = $1", [broken.id]);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(ORDERS);
  for (const client of [broken, intact]) await importOrders(client.id, generatedOrders(ORDERS));
  expect(await stored(intact)).toHaveLength(2 * ORDERS);
  expect(await stored(broken)).toEqual(await stored(intact));
}, 180_000);
