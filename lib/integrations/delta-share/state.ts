import { createHash } from "node:crypto";
import { z } from "zod";
import { saveRunState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { EncodedNotices } from "@/lib/platform/notices";
import type { ShareSettings } from "./settings";
import { type PartName, partNames } from "./share-tables";

// State of a sync between runs, apart from completely read files (`share_files`). Saved after each step, once its rows
// are stored. After a crash in between, the step is repeated, which changes nothing.

const ReadVersion = z.object({
  /** the table's own id: a recreated table has another, and is read from the beginning */
  id: z.string(),
  /** version up to which the table was read completely */
  version: z.int(),
});
export type ReadVersion = z.output<typeof ReadVersion>;

const State = z.object({
  /** what the state applies to: with another endpoint, tables, columns or dates, everything is read again */
  scope: z.string().default(""),
  /** whether rows of another scope are being deleted */
  clearing: z.boolean().default(false),
  run: z.string().optional(),
  counts: z.record(z.string(), z.number()).default({}),
  /** parts completed in the current run */
  done: z.array(z.enum(partNames as [PartName, ...PartName[]])).default([]),
  seen: z.partialRecord(z.enum(partNames as [PartName, ...PartName[]]), ReadVersion).default({}),
  /** notices by part, since it was last read */
  told: z.partialRecord(z.enum(partNames as [PartName, ...PartName[]]), z.array(EncodedNotices)).default({}),
  /** files skipped in the current run, by part */
  left_out: z.partialRecord(z.enum(partNames as [PartName, ...PartName[]]), z.array(z.string())).default({}),
  /** whether articles changed since they were last imported */
  articles_changed: z.boolean().default(false),
  /** consecutive times the share was busy */
  stumbles: z.int().default(0),
  /** time of the current run's last activity */
  active_at: z.number().optional(),
});
export type State = z.output<typeof State>;

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("base64url");

/** Stored rows depend on these, so everything is read again if one changes. */
const scopeOf = (endpoint: string, settings: ShareSettings): string => {
  const { schema, tables, columns, customer_id, order_id, stores, since, use_opt_out } = settings;
  return digest([endpoint, schema, tables, columns, customer_id, order_id, stores, since, use_opt_out]);
};

/** The saved state; a new one if it has another scope or can't be parsed. */
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
