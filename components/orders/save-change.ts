import type {
  changeExclusionsContract,
  changeHoldsContract,
  excludeItemsContract,
  holdItemsContract,
} from "@/lib/orders/contract";
import type { ExclusionChange, HoldChange } from "@/lib/orders/schema";
import { MAX_ITEMS } from "@/lib/orders/values";
import { call, codeOf, messageOf } from "@/lib/platform/http/client";
import type { Translate } from "@/lib/platform/i18n/translator";

/** How items are paused: until a day, indefinitely (null), or not (undefined). */
export type HoldUntil = string | null | undefined;

/**
 * The changes made by completed parts, and their number of items. `key`: of the part that failed. It may have been
 * saved with only its response lost; repeating it with the same key returns what it changed.
 */
type Progress = { changes: HoldChange[]; items: number; key: string };

/**
 * A change to items of an order. Each change can be undone (`holds` restores the previous pauses, `exclusions` the
 * previous exclusions), so there is no confirmation. `before`: continues a change that failed.
 */
export type Change =
  | { what: "hold"; until: HoldUntil; items: string[]; before?: Progress }
  | { what: "holds"; changes: HoldChange[]; before?: Progress }
  | { what: "exclude"; item: string; excluded: boolean }
  | { what: "exclusions"; changes: ExclusionChange[] };

/**
 * How to undo a change (null: nothing changed), and whether all of it was made. `partial`: it failed with `error` after
 * `saved` of `items`, and `rest` continues it.
 */
export type SaveResult = {
  undo: Change | null;
  all: boolean;
  partial?: { saved: number; items: number; rest: Change; error: unknown };
};

type OrderIds = { clientId: string; orderId: string };

/**
 * Makes a change. Sends many items in parts: readers may see some of them changed, and if a part fails, the parts
 * before it stay saved and are reported. A first part without a response is also reported as partial: it may be saved,
 * and only its key can tell. Throws if the change was rejected as a whole.
 */
export async function saveChange({ clientId, orderId }: OrderIds, change: Change): Promise<SaveResult> {
  const query = { client_id: clientId };
  const params = { id: orderId };
  if (change.what === "hold") {
    const { until, items, before } = change;
    const held = { held: until !== undefined, ...(until && { until }) };
    const made = await inParts(items, before, async (part, key) => {
      const body = { ...held, items: part };
      return (await call<typeof holdItemsContract>("PUT /portal/api/v1/orders/{id}/hold", { params, query, body, key }))
        .data;
    });
    return toSaveResult(made, made.changes.length > 0, (rest, before) => ({ ...change, items: rest, before }));
  }
  if (change.what === "holds") {
    const { changes, before } = change;
    const made = await inParts(changes, before, async (part, key) => {
      const body = { items: part };
      return (
        await call<typeof changeHoldsContract>("PUT /portal/api/v1/orders/{id}/holds", { params, query, body, key })
      ).data;
    });
    return toSaveResult(made, made.changes.length === made.items, (rest, before) => ({
      ...change,
      changes: rest,
      before,
    }));
  }
  if (change.what === "exclusions") {
    const { changes } = change;
    const { data } = await call<typeof changeExclusionsContract>("PUT /portal/api/v1/orders/{id}/exclusions", {
      params,
      query,
      body: { items: changes },
    });
    return { undo: undoOfExclusions(data), all: data.length === changes.length };
  }
  const { item, excluded } = change;
  const { data } = await call<typeof excludeItemsContract>("PUT /portal/api/v1/orders/{id}/exclusion", {
    params,
    query,
    body: { excluded, items: [item] },
  });
  return { undo: undoOfExclusions(data), all: true };
}

/** `items`: number of saved items, including earlier parts. */
type Parts<T> = Omit<Progress, "key"> & { broken: { rest: T[]; key: string; error: unknown } | null };

/** Works without TLS too (on a local network), where browsers don't offer randomUUID. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

/** Whether the service rejected the change. Without a readable response, the change may still be saved. */
const isRejected = (error: unknown): boolean => !["unavailable", "internal", null].includes(codeOf(error));

/** The message for a change that failed as a whole. If only its response was lost, it may have been saved. */
export const failureMessage = (error: unknown, t: Translate): string =>
  isRejected(error)
    ? t("common.errorSaving", { message: messageOf(error, t) })
    : t("orders.errorMaybeSaved", { message: messageOf(error, t) });

/** The message for a partial failure. If no part is known to be saved, the first one may still be. */
export const partialFailureMessage = (
  { saved, items, error }: NonNullable<SaveResult["partial"]>,
  t: Translate,
): string =>
  saved === 0
    ? t("orders.errorMaybeSaved", { message: messageOf(error, t) })
    : t("orders.errorPartlySaved", { n: saved, m: items, message: messageOf(error, t) });

async function inParts<T>(
  all: T[],
  before: Progress | undefined,
  make: (part: T[], key: string) => Promise<HoldChange[]>,
): Promise<Parts<T>> {
  const saved = before?.items ?? 0;
  const changes = [...(before?.changes ?? [])];
  for (let at = 0, key = before?.key ?? newKey(); at < all.length; at += MAX_ITEMS, key = newKey())
    try {
      changes.push(...(await make(all.slice(at, at + MAX_ITEMS), key)));
    } catch (error) {
      const items = saved + at;
      // A rejected repetition (such as conflict while the first call runs) doesn't mean that the first call wasn't
      // saved.
      if (!before && items === 0 && isRejected(error)) throw error;
      return { changes, items, broken: { rest: all.slice(at), key, error } };
    }
  return { changes, items: saved + all.length, broken: null };
}

function toSaveResult<T>(
  { changes, items, broken }: Parts<T>,
  all: boolean,
  continueWith: (rest: T[], before: Progress) => Change,
): SaveResult {
  if (broken === null) return { undo: toUndo(changes), all };
  const { rest, key, error } = broken;
  const partial = {
    saved: items,
    items: items + rest.length,
    rest: continueWith(rest, { changes, items, key }),
    error,
  };
  return { undo: toUndo(changes), all: false, partial };
}

/** The change that undoes these changes; null if nothing changed. */
const toUndo = (changes: HoldChange[]): Change | null =>
  changes.length === 0 ? null : { what: "holds", changes: changes.map(swap) };

const undoOfExclusions = (changes: ExclusionChange[]): Change | null =>
  changes.length === 0 ? null : { what: "exclusions", changes: changes.map(swap) };

/** The opposite change. */
const swap = <State>({ id, from, to }: { id: string; from: State; to: State }) => ({ id, from: to, to: from });
