import { z } from "zod";

// What Resend's webhooks tell, as far as it matters here. They are more than these, and may become more.

const about = z.object({
  email_id: z.string(),
  /** ours, set when the mail was handed over */
  tags: z.record(z.string(), z.string()).optional(),
  bounce: z.object({ type: z.string() }).optional(),
  open: z.object({ userAgent: z.string().optional() }).optional(),
  click: z.object({ userAgent: z.string().optional() }).optional(),
});

export const ResendEvent = z.object({ type: z.string(), created_at: z.iso.datetime({ offset: true }), data: about });
export type ResendEvent = z.output<typeof ResendEvent>;
