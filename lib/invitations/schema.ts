import { z } from "zod";
import { ClientConfig, ClientSettings } from "@/lib/accounts/stores/settings";
import { BlocksByLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { heldReasons } from "@/lib/invitations/rules";
import { clientId, day, emailAddress, params, reason, text, timestamp } from "@/lib/platform/http/fields";
import { languages } from "@/lib/platform/i18n/languages";
import { encodeReason } from "@/lib/platform/issue";

/** The settings that determine when emails are sent; missing ones stay unchanged. */
export const SendSettings = ClientSettings.pick({
  send_emails_after_days: true,
  send_emails_before_days: true,
  quarantine_period: true,
  send_limit: true,
}).partial();
export type SendSettings = z.output<typeof SendSettings>;

/** Maximum days of orders in a simulation. */
export const MAX_SIMULATED_DAYS = 365;

/** A number in a URL; an empty field counts as missing. */
const queryNumber = z
  .string()
  .trim()
  .transform((value) => (value === "" ? undefined : Number(value)))
  .refine((value) => value === undefined || Number.isInteger(value), { error: encodeReason("not_a_whole_number") })
  .optional();

/** The simulation page's query. */
export const SimulationQuery = z.object({
  days: queryNumber.pipe(z.int().min(1).max(MAX_SIMULATED_DAYS).default(30)),
  send_emails_after_days: queryNumber.pipe(SendSettings.shape.send_emails_after_days),
  send_emails_before_days: queryNumber.pipe(SendSettings.shape.send_emails_before_days),
  quarantine_period: queryNumber.pipe(z.int().min(0).max(3_650).optional()),
  send_limit: queryNumber.pipe(SendSettings.shape.send_limit),
});

/** What an external sender reports about a delegated email. */
export const OutcomeInput = z.object({
  outcome: z
    .enum(["delivered", "bounced", "failed", "complained", "opened", "clicked"])
    .describe("`failed`: the email could not be sent. `complained`: the recipient marked it as spam."),
  permanent: z
    .boolean()
    .default(true)
    .describe(
      "For `bounced`: true if the address no longer exists, which stops all email to it. False for a full mailbox or an unavailable server.",
    ),
  at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      "Time of the event. Default: now. Times in the future count as now, times before the invitation was delivered to your sender as that time.",
    ),
});
export type OutcomeInput = z.output<typeof OutcomeInput>;

export const settingsQuery = z.object({ client_id: clientId });

/** The funnel's scope: days of the client's calendar, and one product or all. */
export const FunnelQuery = z.object({
  from: day.optional().catch(undefined),
  to: day.optional().catch(undefined),
  product: text(255).optional().catch(undefined),
});

/** Which email to preview. `config` and `blocks` replace the client's own: an editor's unsaved settings. */
export const MailSample = z.object({
  lang: z.enum(languages).optional(),
  kind: z.enum(["invitation", "reminder", "seller"]).default("invitation"),
  config: ClientConfig.optional(),
  blocks: BlocksByLanguage.optional(),
});

export const MailPreview = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  issues: z.array(z.object({ field: z.string().nullable(), message: z.string(), reason, params })).meta({
    description: "Reasons why the templates can't be saved. A default template replaces one that can't be filled in.",
  }),
  unknown: z.array(z.object({ template: z.string(), name: z.string() })).meta({ description: "Unknown variables." }),
});
export type MailPreview = z.output<typeof MailPreview>;

export const TestMailInput = MailSample.extend({ to: emailAddress });

/** The result of manual sending. */
export const ManualSendResult = z.object({
  at: timestamp
    .nullable()
    .meta({ description: "Earliest time the email can be sent (sending hours); null if no email is sent." }),
  sent: z
    .array(z.object({ order_id: z.string(), item_id: z.string() }))
    .meta({ description: "Items that the email asks about: requested items and other due items of the customer." }),
  held: z
    .array(
      z.object({
        item_id: z.string(),
        reason: z.enum(heldReasons),
        until: z
          .string()
          .nullable()
          .meta({ format: "date", description: "First day on which the reason no longer applies." }),
        sentence: z.string().meta({ description: "Explanation of the reason." }),
      }),
    )
    .meta({ description: "Requested items that the email doesn't ask about, with the reason." }),
});
export type ManualSendResult = z.output<typeof ManualSendResult>;
