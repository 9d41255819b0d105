import { z } from "zod";
import { webAddress } from "@/lib/platform/http/fields";
import { type SetupStepName, type ShopPlatform, shopPlatforms, skippableSteps } from "./values";

/** What a page was found to contain; `found` is the only good one. */
const widgetOutcomes = [
  "found",
  "unreachable",
  "http_error",
  "no_snippet",
  "other_store",
  "no_product",
  "unknown_product",
  "blocked_origin",
] as const;

export const WidgetCheck = z
  .object({
    url: z.string().describe("The checked URL."),
    outcome: z.enum(widgetOutcomes),
    status: z.int().nullable().describe("HTTP status, if the page responded with an error."),
    other: z.string().nullable().describe("Id of the other store, or the unknown product, if the page names one."),
    checked_at: z.string(),
  })
  .meta({ id: "WidgetCheck" });
export type WidgetCheck = z.infer<typeof WidgetCheck>;

/** `unknown`: can't be checked, as the name is only known to the email service; `unavailable`: the look-up failed. */
const recordStates = ["ok", "missing", "incomplete", "several", "unknown", "unavailable"] as const;

export const SenderRecord = z.object({
  kind: z.enum(["spf", "dkim", "dmarc"]),
  name: z.string().describe("Name of the DNS record."),
  state: z.enum(recordStates),
  found: z.string().nullable().describe("The existing record."),
  suggested: z.string().nullable().describe("The record to add or change, if it is known."),
});
export type SenderRecord = z.infer<typeof SenderRecord>;

export const SenderCheck = z
  .object({
    domain: z.string().describe("Domain of the sender address."),
    ok: z.boolean().describe("No record is missing."),
    records: z.array(SenderRecord),
    checked_at: z.string(),
  })
  .meta({ id: "SenderCheck" });
export type SenderCheck = z.infer<typeof SenderCheck>;

export const WidgetCheckInput = z.object({ url: webAddress.describe("URL of a product page.") });

export const SetupChange = z.object({
  skip: z.enum(skippableSteps).optional().describe("A step that the store doesn't need."),
  unskip: z.enum(skippableSteps).optional().describe("A step to show again."),
  dismissed: z.boolean().optional().describe("Whether the home page leaves out the steps."),
  platform: z.enum(shopPlatforms).optional().describe("Whose snippet is shown."),
});
export type SetupChange = z.infer<typeof SetupChange>;

/** A step; one that was skipped isn't necessarily done. */
export type SetupStep = { name: SetupStepName; done: boolean; skipped: boolean };

/** A store's progress with its first steps. */
export type Setup = {
  steps: SetupStep[];
  /** number of steps done or skipped */
  finished: number;
  dismissed: boolean;
  /** the latest test order, else the latest order */
  order: string | null;
  /** whether that order is a test, and its invitation was sent */
  isTest: boolean;
  isSent: boolean;
  /** its email, if it is stored instead of sent */
  storedMail: string | null;
  /** the form that a test order's email links to */
  form: string | null;
  sender: { address: string; domain: string | null; check: SenderCheck | null };
  widget: WidgetCheck | null;
  platform: ShopPlatform;
};
