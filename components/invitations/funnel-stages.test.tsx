import { expect, it } from "vitest";
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
