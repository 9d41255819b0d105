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

/** What is shown of several subjects: the one that was found first. */
export type FirstDisplay = { target: DisplayTarget; current: CurrentDisplay };

/**
 * Of several subjects of one client: the first product with reviews or questions, else the first family, else the first
 * product in the catalog, else the first. Most calls name one; the others of a call are looked up together.
 */
export async function lookUpFirst([first, ...others]: DisplayTarget[]): Promise<FirstDisplay | null> {
  const current = first ? await lookUpDisplay(first) : null;
  if (!first || !current) return null;
  const start = { target: first, current };
  if (others.length === 0 || isOwn(start)) return start;
  const states = await selectDisplayStates(pool(), others);
  const found = others.map((target, index) => ({ target, current: toCurrentDisplay(target, states[index]) }));
  const shown = [start, ...found.filter((one): one is FirstDisplay => one.current !== null)];
  return (
    shown.find(isOwn) ??
    shown.find(({ current }) => hasAny(current[current.subject.kind])) ??
    shown.find(({ current }) => current.family_id !== null) ??
    start
  );
}

/** Whether a product is shown for its own id, not for a family beside it, and has reviews or questions. */
const isOwn = ({ target, current }: FirstDisplay): boolean =>
  target.key !== null &&
  (current.product !== null || current.family_id !== null) &&
  hasAny(current[current.subject.kind]);

const hasAny = (of: CurrentDisplay["product"]): boolean => of !== null && of.review_count + of.question_count > 0;

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
