import { z } from "zod";

// The fields of Resend's webhooks that we use. There are more, and others may be added.

/** An optional field that counts as missing if its shape differs: that an email bounced matters more than why. */
const optionalField = <Shape extends z.ZodType>(shape: Shape) => shape.optional().catch(undefined);

const eventData = z.object({
  email_id: z.string(),
  /** set by us when the email was sent */
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
