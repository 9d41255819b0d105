import pg from "pg";
import { expect, it } from "vitest";
import * as orders from "@/app/v1/orders/route";
import { env } from "@/lib/platform/env";
import { call } from "@/lib/tools/test/call";
import { aClient, rowsOf } from "@/lib/tools/test/factories";

// Orders posted concurrently share a statement. Here another connection locks a row that one of them needs.

it("rejects an order whose customer is locked, but no other order posted with it", async () => {
  const { id, key } = await aClient();
  const post = (n: number) =>
    call(orders, "POST", "/v1/orders", {
      key,
      body: { order: { id: `o${n}`, customer: { id: `c${n}`, name: "Ada" }, items: [{ id: "p", name: "Lamp" }] } },
    });
  expect((await post(3)).status).toBe(200);
  const holder = new pg.Client({ connectionString: env().DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from customers where client_id = $1 and id = 'c3' for update", [id]);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => post(n)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503, 200, 200, 200, 200]);
    expect(answers[3]?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await rowsOf("select from orders where client_id = $1", [id])).toHaveLength(8);
    await holder.query("rollback");
    expect((await post(3)).status).toBe(200);
  } finally {
    await holder.end();
  }
});
