import { batch } from "@/lib/platform/db/batch";
import { type Db, pool } from "@/lib/platform/db/pool";
import { type DisplayState, type SellerFigures, selectDisplayStates, selectSellerFigures } from "./sql";

/** The subject of a display call, as requested. */
export type DisplayTarget = { clientId: string; key: string | null; urlKey: string | null };

/** Whose reviews are shown: one product's, or a family's. */
export type Subject = { kind: "product" | "family"; id: string };

/**
 * The subject shown and its versions; equal versions mean equal responses. `version` changes with everything shown of
 * reviews, `questions` with everything shown of questions, `figures` with a summary's data: not with votes, replies or
 * the texts of questions.
 */
export type CurrentDisplay = DisplayState & { subject: Subject; version: string; questions: string; figures: string };

/**
 * Looks up what a display call shows; null for an unknown client. Read from the database each time, so that a change
 * shows as soon as its write has returned, in any process; concurrent look-ups share one query.
 */
export function lookUpDisplay(target: DisplayTarget, db?: Db): Promise<CurrentDisplay | null> {
  if (db) return selectDisplayStates(db, [target]).then(([current]) => toCurrentDisplay(target, current));
  const shared = batch<DisplayTarget, DisplayState | null>(
    "display-versions",
    (all) => selectDisplayStates(pool(), all),
    {
      inFlight: 2,
    },
  );
  return shared(target).then((current) => toCurrentDisplay(target, current));
}

/** The same for several subjects, in order, in one query of their own. */
export async function lookUpDisplays(targets: DisplayTarget[]): Promise<(CurrentDisplay | null)[]> {
  const found = await selectDisplayStates(pool(), targets);
  return targets.map((target, index) => toCurrentDisplay(target, found[index]));
}

/** The same for a client's seller reviews. */
export function lookUpSellerFigures(clientId: string, db?: Db): Promise<SellerFigures | null> {
  if (db) return selectSellerFigures(db, [clientId]).then(([figures]) => figures ?? null);
  const shared = batch<string, SellerFigures | null>(
    "display-seller-versions",
    (all) => selectSellerFigures(pool(), all),
    { inFlight: 2 },
  );
  return shared(clientId);
}

function toCurrentDisplay(
  { key, urlKey }: DisplayTarget,
  current: DisplayState | null | undefined,
): CurrentDisplay | null {
  if (!current) return null;
  const isUnknown = current.family_id === null && current.product === null;
  const family =
    key === null
      ? urlKey
      : current.expand_family
        ? (current.family_id ?? urlKey)
        : isUnknown && current.family !== null
          ? urlKey
          : null;
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
