import { hash } from "node:crypto";
import {
  type Decider,
  type DecisionType,
  type EditedEntry,
  type Entry,
  plainTypes,
  type ReceivedEntry,
} from "@/lib/honesty/entry";
import type { HistoryRow } from "@/lib/honesty/history-row";
import { itemReference } from "@/lib/reviews/decisions/item-reference";
import { rejectReasons } from "@/lib/reviews/decisions/schema";

/** The fields of each kind's content, in the order in which they are hashed. */
export const contentFields = {
  review: ["author", "score", "title", "extract", "pros", "cons"],
  seller_review: ["author", "score", "title", "extract"],
  question: ["author", "question", "details"],
} as const;

/** The hash of an item's content: 64 hexadecimal digits. Nobody can confirm a text by it without the salt. */
export function contentHash(salt: string, kind: keyof typeof contentFields, texts: Record<string, unknown>): string {
  const content = Object.fromEntries(contentFields[kind].map((field) => [field, texts[field] ?? null]));
  return hash("sha256", `candor/content:${salt}:${JSON.stringify(content)}`, "hex");
}

/** The time of an entry, in whole seconds. */
export const entryTime = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

/**
 * The entries that a row of the history gives: mostly one, two if a text arrived decided, none if it isn't a decision
 * (a rule held the text for a person).
 */
export function entriesOfRow(row: HistoryRow): Entry[] {
  const at = entryTime(row.at);
  if (row.kind === "store") return [{ type: row.action, at, ...row.facts } as Entry];
  const about = { at, kind: row.kind, item: row.salt === null ? row.subject_id : itemReference(row.salt) };
  const by = deciderOf(row.actor_kind);
  const decided = decisionOf(row.from_state, row.to_state);
  const decision: Entry[] = decided
    ? [{ type: decided, ...about, by, ...(row.to_state === "rejected" ? { reason: reasonOf(row.reason) } : {}) }]
    : [];
  if (row.action === "submitted") return [{ type: "received", ...about, ...receivedFields(row) }];
  if (row.action === "imported") {
    if (row.is_first)
      return [{ type: "received", ...about, ...receivedFields(row) }, ...(row.to_state === "pending" ? [] : decision)];
    const isEdited = row.texts !== null;
    const hasMoved = row.from_state !== row.to_state || !isEdited;
    return [
      ...(isEdited ? ([{ type: "edited", ...about, by, ...editedFields(row) }] as const) : []),
      ...(hasMoved ? decision : []),
    ];
  }
  if (row.action === "edited") {
    const reopened = row.from_state !== row.to_state ? decision : [];
    return [{ type: "edited", ...about, by, ...editedFields(row) }, ...reopened];
  }
  if (row.action === "decided") return decision;
  if (row.action === "appealed") return [{ type: "appealed", ...about }, ...decision];
  if (row.action === "deleted") return [{ type: "deleted", ...about, by }];
  const type = row.action === "verified" ? "confirmed" : plainTypes.find((plain) => plain === row.action);
  return type ? [{ type, ...about }] : [];
}

/** Null if an item stays published or pending. */
function decisionOf(from: string | null, to: string | null): DecisionType | null {
  if (to === "accepted") return from === "accepted" ? null : from === "rejected" ? "restored" : "published";
  if (to === "rejected") return from === "accepted" ? "removed" : "rejected";
  return to === "pending" && (from === "accepted" || from === "rejected") ? "reopened" : null;
}

const deciders: Record<string, Decider> = { user: "person", key: "key", rule: "rule", author: "author" };
const deciderOf = (actorKind: string): Decider => deciders[actorKind] ?? "system";

/** Reasons are codes; a history from before they were may have texts. */
const reasonOf = (reason: string | null): string =>
  reason === null ? "unspecified" : (rejectReasons.find((code) => code === reason) ?? "other");

function receivedFields(row: HistoryRow): Omit<ReceivedEntry, "type" | "at" | "kind" | "item"> {
  return {
    ...starsOf(row.texts_then),
    ...(row.source ? { source: row.source as ReceivedEntry["source"] } : {}),
    ...(row.verified_buyer ? { verified: "buyer" } : row.verified_email ? { verified: "email" } : {}),
    ...(row.incentivized ? { incentivized: true } : {}),
    ...(row.unconfirmed ? { unconfirmed: true } : {}),
    ...hashOf(row),
  };
}

function editedFields(row: HistoryRow): Omit<EditedEntry, "type" | "at" | "kind" | "item" | "by"> {
  const { texts: before, texts_then: then } = row;
  const fields = Object.keys(before ?? {}).filter(
    (name) => then === null || JSON.stringify(before?.[name]) !== JSON.stringify(then[name]),
  );
  // The history has it of edits that changed it only.
  const mark = before !== null && "incentivized" in before && row.incentivized !== null;
  return {
    fields: before === null ? ["details"] : fields.sort(),
    ...starsOf(then),
    ...(mark ? { incentivized: row.incentivized === true } : {}),
    ...hashOf(row),
  };
}

const starsOf = (texts: Record<string, unknown> | null): { stars?: number } =>
  typeof texts?.score === "number" ? { stars: texts.score } : {};

function hashOf({ kind, salt, texts_then }: HistoryRow): { content?: string } {
  if (salt === null || texts_then === null || !(kind in contentFields)) return {};
  return { content: contentHash(salt, kind as keyof typeof contentFields, texts_then) };
}
