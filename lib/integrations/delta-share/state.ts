import { createHash } from "node:crypto";
import { z } from "zod";
import { saveRunState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { EncodedNotices } from "@/lib/platform/notices";
import { type PartName, partNames } from "./parts";
import type { ShareSettings } from "./settings";

// What a synchronisation remembers from run to run, beside the files that were read to their end (`share_files`). It is
// kept after each step, once the step's rows are stored: whoever dies in between does that step again, which changes nothing.

const ReadVersion = z.object({
  /** the table's own id: one that was made anew has another, and begins anew */
  id: z.string(),
  /** the version up to which all of it was read */
  version: z.int(),
});
export type ReadVersion = z.output<typeof ReadVersion>;

const State = z.object({
  /** what the rest is about: with another profile's endpoint, tables, columns or dates everything is read again */
  scope: z.string().default(""),
  /** what was kept for another scope is being removed */
  clearing: z.boolean().default(false),
  run: z.string().optional(),
  counts: z.record(z.string(), z.number()).default({}),
  /** parts that are done in the run under way */
  done: z.array(z.enum(partNames as [PartName, ...PartName[]])).default([]),
  seen: z.partialRecord(z.enum(partNames as [PartName, ...PartName[]]), ReadVersion).default({}),
  /** what there is to say, by the part that they are about, since it was read last */
  told: z.partialRecord(z.enum(partNames as [PartName, ...PartName[]]), z.array(EncodedNotices)).default({}),
  /** files that were left out in the run under way, by their part */
  left_out: z.partialRecord(z.enum(partNames as [PartName, ...PartName[]]), z.array(z.string())).default({}),
  /** whether articles changed since they were imported last */
  articles_changed: z.boolean().default(false),
  /** how often in a row the share was busy */
  stumbles: z.int().default(0),
  /** when the run under way last did something */
  active_at: z.number().optional(),
});
export type State = z.output<typeof State>;

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("base64url");

/** Everything is read again when one of these changes: what is kept was made of it. */
const scopeOf = (endpoint: string, settings: ShareSettings): string => {
  const { schema, tables, columns, customer_id, order_id, stores, since, use_opt_out } = settings;
  return digest([endpoint, schema, tables, columns, customer_id, order_id, stores, since, use_opt_out]);
};

/** What was remembered; from the beginning where it is about something else, or cannot be read. */
export function readState(
  { settings, state }: Pick<IntegrationWithSecrets<"share">, "settings" | "state">,
  endpoint: string,
): State {
  const scope = scopeOf(endpoint, settings);
  const known = State.safeParse(state.share).data;
  if (known?.scope === scope) return known;
  return State.parse({
    scope,
    clearing: true,
    run: known?.run,
  });
}

export const saveShareState = (clientId: string, state: State): Promise<void> => saveRunState(clientId, "share", state);
