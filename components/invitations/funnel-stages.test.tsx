import { expect, it } from "vitest";
import { FunnelProducts } from "@/components/invitations/funnel-products";
import { FunnelStages } from "@/components/invitations/funnel-stages";
import { renderInEnglish } from "@/lib/tools/test/render";

const textOf = (total: Parameters<typeof FunnelStages>[0]["total"]): string =>
  renderInEnglish(<FunnelStages total={total} />)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

it("shows at each stage what happened to the emails that did not reach it", () => {
  const counts = { delivered: 36, bounced: 4, untold: 4, opened: 24, clicked: 16 };
  const text = textOf({ planned: 50, sent: 44, failed: 1, waiting: 5, ...counts, reviewed: 8 });
  expect(text).toContain("Sent 44 100% 1 failed to send 5 not sent yet");
  expect(text).toContain("Delivered 36 82% 4 bounced 4 without delivery status");
  const none = { delivered: null, bounced: null, untold: null, opened: null, clicked: null };
  const bare = textOf({ planned: 2, sent: 2, failed: 0, waiting: 0, ...none, reviewed: 0 });
  expect(bare).not.toMatch(/failed|not sent|bounced|status/);
});

it("doesn't round a part to 0% or 100%", () => {
  const counts = { delivered: 999, bounced: 1, untold: 0, opened: 400, clicked: 1 };
  const text = textOf({ planned: 1_000, sent: 1_000, failed: 0, waiting: 0, ...counts, reviewed: 0 });
  expect(text).toContain("Delivered 999 over 99%");
  expect(text).toContain("Clicked 1 under 1%");
  expect(text).toContain("Reviewed 0 0%");
  const lamp = { product_id: "lamp", name: null, sent: 1_000, opened: null, clicked: null, reviewed: 1 };
  const table = renderInEnglish(<FunnelProducts products={[lamp, { ...lamp, reviewed: 999 }]} href={(id) => id} />);
  expect(table).toContain(">under 1%<");
  expect(table).toContain(">over 99%<");
});
