import type { changeHoldsContract, holdItemsContract, postOrderContract } from "@/lib/orders/contract";
import type { HoldChange } from "@/lib/orders/schema";
import { MAX_ITEMS } from "@/lib/orders/values";
import { call, codeOf, messageOf } from "@/lib/platform/http/client";
import type { Translate } from "@/lib/platform/i18n/translator";

/** How items are held back: until a day, for good (null), or not at all (undefined). */
export type Until = string | null | undefined;

/**
 * What parts of a change that were made already changed, and of how many items they were. `key`: of the part that broke off.
 * It may have been made, and only its answer be lost: asked for once more by its key, it is answered with what it changed.
 */
type Progress = { changes: HoldChange[]; items: number; key: string };

/**
 * What may be done with items of an order. Each change has its opposite (`holds`: back to how each of them was), so nothing
 * asks "are you sure". `before`: it goes on with one that broke off.
 */
export type Change =
  | { what: "hold"; until: Until; items: string[]; before?: Progress }
  | { what: "holds"; changes: HoldChange[]; before?: Progress }
  | { what: "cancel"; item: string; reviewable: boolean };

/**
 * What takes a change back (null: nothing changed), and whether all of it was made. `broken`: it broke off, for `error`, when
 * so many items of it were saved, and `rest` goes on with it.
 */
export type SaveResult = {
  undo: Change | null;
  all: boolean;
  partial?: { saved: number; items: number; rest: Change; error: unknown };
};

type OrderIds = { clientId: string; orderId: string; customerId: string | null };

/**
 * Makes a change. One of more items than a call takes is made part by part: who reads the order meanwhile sees some of it,
 * and where a part fails, those before it are saved and told as such. So is a first part whose answer is lost: it may have been
 * made, and only its key still tells what it changed. Throws what is refused as a whole.
 */
export async function saveChange({ clientId, orderId, customerId }: OrderIds, change: Change): Promise<SaveResult> {
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
  const order = {
    id: orderId,
    customer: { id: customerId ?? "" },
    items: [{ id: change.item, reviewable: change.reviewable }],
  };
  await call<typeof postOrderContract>("POST /v1/orders", { query, body: { order } });
  return { undo: { ...change, reviewable: !change.reviewable }, all: true };
}

/** `items`: how many are saved, those before included. */
type Parts<T> = Omit<Progress, "key"> & { broken: { rest: T[]; key: string; error: unknown } | null };

/** Also for pages that come without TLS, from a machine in the same house, where the browser makes no UUIDs. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

/** Whether the service said no. Where there is no answer, or none that can be read, the change may be made all the same. */
const isRejected = (error: unknown): boolean => !["unavailable", "internal", null].includes(codeOf(error));

/** Says that a change failed as a whole: where only its answer is lost, nobody knows whether it was made. */
export const failureMessage = (error: unknown, t: Translate): string =>
  isRejected(error)
    ? t("common.errorSaving", { message: messageOf(error, t) })
    : t("orders.errorMaybeSaved", { message: messageOf(error, t) });

/** Says how far a change came that broke off. Where none is known to be saved, the first part may be all the same. */
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
      // Refused when asked for once more, as while the first is still at work, it may have been made before.
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
  const going = { saved: items, items: items + rest.length, rest: continueWith(rest, { changes, items, key }), error };
  return { undo: toUndo(changes), all: false, partial: going };
}

/** What takes changes of how items are held back back; null where nothing changed. */
const toUndo = (changes: HoldChange[]): Change | null =>
  changes.length === 0
    ? null
    : { what: "holds", changes: changes.map(({ id, from, to }) => ({ id, from: to, to: from })) };
