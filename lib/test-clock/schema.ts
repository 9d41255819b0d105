import { z } from "zod";
import type { NotInvitedReason } from "@/lib/invitations/rules";
import { clientId, text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { parseAdvance } from "@/lib/test-clock/rules";

export const TestClockQuery = z.object({ client_id: clientId });

/** A test store's clock. */
export const TestClock = z.object({
  days: z.int().min(0).meta({ description: "Days by which the clock is ahead of real time." }),
  today: z.iso.date().meta({ description: "The day on the store's clock, in its time zone." }),
  now: z.iso.datetime().meta({ description: "The time on the store's clock." }),
});
export type TestClock = z.infer<typeof TestClock>;

export const AdvanceInput = z.object({
  advance: z
    .string()
    .refine((value) => parseAdvance(value) !== null, { error: encodeReason("advance_invalid") })
    .meta({
      description:
        "How far: `1d` to `366d`, or `next` for the next day on which something is due, within 366 days. Without such a day, `next` changes nothing.",
      pattern: "^([1-9]\\d{0,2}d|next)$",
    }),
});

export const AdvancedClock = TestClock.extend({
  advanced_days: z.int().min(0).meta({ description: "Days by which this call advanced the clock." }),
  invitations: z.int().meta({ description: "Invitations sent meanwhile." }),
  reminders: z.int().meta({ description: "Reminders sent meanwhile." }),
  emails: z.int().meta({ description: "Emails of any kind that were put into the mailbox meanwhile." }),
  webhooks: z.int().meta({ description: "Webhook events delivered meanwhile." }),
  deleted: z.int().meta({ description: "Records deleted because they expired." }),
});
export type AdvancedClock = z.infer<typeof AdvancedClock>;

/** What a recording counts. `expired`: links of invitations that nobody answered. `deleted`: expired records. */
export const countedEvents = [
  "orders",
  "invitations",
  "reminders",
  "expired",
  "emails",
  "reviews",
  "published",
  "questions",
  "webhooks",
  "deleted",
] as const;
export type CountedEvent = (typeof countedEvents)[number];

/** A day of a recording. `not_invited`: items that could be asked about that day for the last time, by reason. */
export type RecordingDay = {
  day: string;
  counts: Partial<Record<CountedEvent, number>>;
  not_invited: Partial<Record<NotInvitedReason, number>>;
};
export type Recording = { name: string; clock: TestClock; days: RecordingDay[] };

export const RecordingLink = z.object({
  url: z.string().meta({ description: "The new link. Earlier ones no longer work." }),
});
export type RecordingLink = z.infer<typeof RecordingLink>;

export const FillInput = z.object({
  from: text(100).meta({ description: "Store whose orders of the last 30 days are copied, with all people made up." }),
});
export const FillResult = z.object({
  products: z.int().meta({ description: "Products that the test store didn't have." }),
  people: z.int().meta({ description: "Made-up customers." }),
  orders: z.int().meta({ description: "Copied orders: at most 2,000, the newest." }),
});
export type FillResult = z.infer<typeof FillResult>;
