import { z } from "zod";

// What Resend's webhooks tell, as far as it matters here. They are more than these, and may become more.

/** What may be left out, and is taken as left out where it has another shape: that a mail bounced matters more than why. */
const optionalField = <Shape extends z.ZodType>(shape: Shape) => shape.optional().catch(undefined);

const eventData = z.object({
  email_id: z.string(),
  /** ours, set when the mail was handed over */
  tags: optionalField(z.record(z.string(), z.string())),
  bounce: optionalField(z.object({ type: z.string() })),
  open: optionalField(z.object({ userAgent: optionalField(z.string()) })),
  click: optionalField(z.object({ userAgent: optionalField(z.string()) })),
});

export const ResendEvent = z.object({
  type: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  data: eventData,
});
export type ResendEvent = z.output<typeof ResendEvent>;
