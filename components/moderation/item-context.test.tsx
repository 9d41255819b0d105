import { expect, it, vi } from "vitest";
import { queueItem } from "@/components/moderation/fixtures/queue-item";
import { ItemContext } from "@/components/moderation/item-context";
import type { ItemContext as Context, QueueItem } from "@/lib/moderation/queue/schema";
import { renderInEnglish } from "@/lib/tools/test/render";

const bare: Context = {
  order: null,
  customer: null,
  invitation: null,
  product: null,
  others: [],
  alike: [],
  reports: [],
  replies: [],
  hidden_photos: [],
  history: [],
  notes: [],
};

const textOf = (given: Partial<QueueItem>, context: Partial<Context>, timeZone = "UTC"): string =>
  renderInEnglish(
    <ItemContext
      clientId="shop.example"
      item={{ ...queueItem, ...given }}
      context={{ ...bare, ...context }}
      timeZone={timeZone}
    />,
  )
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

const lamp = { id: "lamp", name: "Lamp", url: null, count: 3, average: 4.33, scores: [0, 0, 1, 0, 2] };
const order = { id: "o1", created_at: "2026-05-01T10:00:00Z", store_name: null, item_count: 1, item_name: "Lamp" };

it("shows the average with one decimal, and the share of each score", () => {
  const html = renderInEnglish(
    <ItemContext clientId="shop.example" item={queueItem} context={{ ...bare, product: lamp }} timeZone="UTC" />,
  );
  expect([...html.matchAll(/width:([\d.]+)%/g)].map(([, width]) => Math.round(Number(width)))).toEqual([
    67, 0, 33, 0, 0,
  ]);
  expect(textOf({}, { product: lamp })).toContain("4.3 average, 3 reviews");
  expect(textOf({}, { product: { ...lamp, average: 4 } })).toContain("4.0 average, 3 reviews");
});

it("calls a delivery expected until its day in the store's time zone", () => {
  vi.useFakeTimers({ now: new Date("2026-05-20T12:00:00Z") });
  try {
    const coming = textOf({}, { order: { ...order, delivery_date: "2026-05-29" } });
    expect([coming.includes("Delivered"), coming.split("Expected delivery 29 May 2026").length]).toEqual([false, 3]);
    const today = { order: { ...order, delivery_date: "2026-05-20" } };
    const come = textOf({}, today);
    expect([come.split("Delivered 20 May 2026").length, come.includes("Expected")]).toEqual([3, false]);
    // The store's day begins before UTC's, or after it.
    vi.setSystemTime(new Date("2026-05-19T20:00:00Z"));
    expect(textOf({}, today, "Pacific/Auckland")).toContain("Delivered 20 May 2026");
    vi.setSystemTime(new Date("2026-05-20T03:00:00Z"));
    expect(textOf({}, today, "America/Los_Angeles")).toContain("Expected delivery 20 May 2026");
  } finally {
    vi.useRealTimers();
  }
});

it("shows the author's name even if nothing else is known", () => {
  expect(textOf({}, {})).toContain("Author Name Ada");
  expect(textOf({ author: null }, {})).toContain("Author No details available.");
  const customer = { id: "k", name: "Ada Berg", email: null };
  expect(textOf({}, { customer })).toContain("Author Name Ada Berg Customer ID k");
});
