import { batch } from "@/lib/platform/db/batch";
import { type Db, pool } from "@/lib/platform/db/pool";
import { type Current, type SellerFigures, selectCurrent, selectSellerFigures } from "./sql";

/** What a display call is about, as asked. */
export type DisplayTarget = { clientId: string; key: string | null; urlKey: string | null };

/** Whose reviews the answer shows: one product's, or a family's. */
export type Subject = { kind: "product" | "family"; id: string };

/**
 * The moment's answer to who is shown and in which version; equal versions mean equal answers. `version` moves with
 * everything shown of reviews, `questions` with everything shown of questions, `figures` with what a summary is made of,
 * which votes, replies and the words of questions leave alone.
 */
export type CurrentDisplay = Current & { subject: Subject; version: string; questions: string; figures: string };

/**
 * Looks up what a display call shows right now; null for an unknown client. Read from the database each time, so that a
 * change shows as soon as its write has returned, whichever process made it; look-ups of the same moment share one query.
 */
export function lookUpCurrent(asked: DisplayTarget, db?: Db): Promise<CurrentDisplay | null> {
  if (db) return selectCurrent(db, [asked]).then(([current]) => toCurrentDisplay(asked, current));
  const shared = batch<DisplayTarget, Current | null>("display-versions", (all) => selectCurrent(pool(), all), {
    inFlight: 2,
  });
  return shared(asked).then((current) => toCurrentDisplay(asked, current));
}

/** The same of a client's own reviews. */
export function lookUpSeller(clientId: string, db?: Db): Promise<SellerFigures | null> {
  if (db) return selectSellerFigures(db, [clientId]).then(([figures]) => figures ?? null);
  const shared = batch<string, SellerFigures | null>(
    "display-seller-versions",
    (all) => selectSellerFigures(pool(), all),
    { inFlight: 2 },
  );
  return shared(clientId);
}

function toCurrentDisplay({ key, urlKey }: DisplayTarget, current: Current | null | undefined): CurrentDisplay | null {
  if (!current) return null;
  const family = key === null ? urlKey : current.expand_family ? (current.family_id ?? urlKey) : null;
  const subject: Subject = family === null ? { kind: "product", id: key ?? "" } : { kind: "family", id: family };
  const { client_version, product_changed } = current;
  const of = current[subject.kind];
  const shared = `${client_version}.${product_changed ?? ""}.${subject.kind}.${subject.id}`;
  return {
    ...current,
    subject,
    version: `${shared}.${of?.version ?? 0}`,
    questions: `${shared}.${of?.questions ?? 0}`,
    figures: `${shared}.${of?.figures ?? 0}.${of?.question_count ?? 0}`,
  };
}
