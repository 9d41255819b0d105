import { expect, it } from "vitest";
import { OrdersTable } from "@/components/orders/orders-table";
import type { OrderLine } from "@/lib/orders/schema";
import { renderInEnglish } from "@/lib/tools/test/render";

it("marks expected deliveries", () => {
  const order = (id: string, delivery_date: string | null): OrderLine => ({
    id,
    created_at: "2026-05-01T10:00:00Z",
    store_name: null,
    customer: null,
    first_item: "Lamp",
    item_count: 1,
    delivery_date,
    invited_at: null,
    review_count: 0,
  });
  const html = renderInEnglish(
    <OrdersTable
      orders={[order("made", "2026-05-10"), order("coming", "2026-05-11"), order("unknown", null)]}
      sorting={{ received: { current: "descending", href: "/oldest" } }}
      notInvited={new Map()}
      timeZone="UTC"
      today="2026-05-10"
      href={(id) => `/${id}`}
    />,
  );
  const rows = html.split("<tr").slice(1);
  expect(rows[0]).toContain(">Delivery<");
  expect(rows[0]).toMatch(/aria-sort="descending"[\s\S]*href="\/oldest"/);
  expect(rows.slice(1).map((row) => [/>1[01] May 2026</.test(row), row.includes("Expected")])).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});
