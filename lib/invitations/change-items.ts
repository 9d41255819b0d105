import type { Actor } from "@/lib/accounts/actor";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { actionRefusal, isUnsentMail } from "@/lib/invitations/item-actions";
import { allowsSellerOnly, type HeldReason, rulesOf } from "@/lib/invitations/rules";
import { excludeItems } from "@/lib/orders/exclude-items";
import { holdItems } from "@/lib/orders/hold-items";
import type { ExclusionChange, HoldChange } from "@/lib/orders/schema";
import { dayIn } from "@/lib/platform/clock";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import type { Reason } from "@/lib/platform/issue";
import { selectMailsOfOrder } from "./order-history-sql";
import { selectDecisionsOfOrder } from "./rules-sql";

type By = Pick<Actor, "kind" | "id">;

/**
 * Pauses items of an order until a day or without an end, or resumes them; all items if `items` is absent. See {@link
 * holdItems}. Skips items for which pausing has no effect; throws `conflict` with the reason if it has none for any.
 */
export function pauseItems(
  actor: By,
  client: ClientRow,
  orderId: string,
  { held, until, items }: { held: boolean; until?: string | null; items?: string[] },
): Promise<HoldChange[]> {
  return transaction(async (db) => {
    const fitting = held ? await fittingItems(db, client, orderId, "pause", items) : items;
    return holdItems(db, actor, client, orderId, {
      held,
      ...(until === undefined ? {} : { until }),
      ...(fitting && { items: fitting }),
    });
  });
}

/**
 * Excludes items of an order from invitations or includes them again; all items if `items` is absent. See {@link
 * excludeItems}. Skips items for which it has no effect; throws `conflict` with the reason if it has none for
 * any. An item that already is in that state isn't an error.
 */
export function changeExclusion(
  actor: By,
  client: ClientRow,
  orderId: string,
  { excluded, items }: { excluded: boolean; items?: string[] },
): Promise<ExclusionChange[]> {
  return transaction(async (db) => {
    const fitting = await fittingItems(db, client, orderId, excluded ? "exclude" : "include", items);
    return excludeItems(db, actor, client, orderId, { excluded, items: fitting });
  });
}

/** Those of the items that an action fits, or that are already so. Throws if there are none. */
async function fittingItems(
  db: Db,
  client: ClientRow,
  orderId: string,
  action: "pause" | "exclude" | "include",
  wanted: string[] | undefined,
): Promise<string[]> {
  const today = dayIn(timeZoneOf(client));
  const rules = rulesOf(client);
  const known = await selectDecisionsOfOrder(db, client.id, rules, today, orderId);
  const mails = await selectMailsOfOrder(db, client.id, orderId);
  const own = known.filter((item) => item.order_id === orderId && (!wanted || wanted.includes(item.item_id)));
  if (own.length === 0 || own.length < new Set(wanted).size)
    throw new AppError("not_found", { reason: "order_or_item_not_found" });
  const sellerOnly = allowsSellerOnly(client);
  const evaluated = own.map((item) => {
    const isUnsent = mails.some((mail) => mail.item_ids.includes(item.item_id) && isUnsentMail(mail));
    const isAlready = (action === "exclude" && item.cancelled) || (action === "include" && item.reviewable);
    const refusal = isAlready ? null : actionRefusal(action, item, { rules, today, isUnsent, sellerOnly });
    return { id: item.item_id, refusal };
  });
  const fitting = evaluated.filter(({ refusal }) => refusal === null).map(({ id }) => id);
  const [first] = evaluated;
  if (fitting.length === 0 && first?.refusal)
    throw new AppError("conflict", { reason: refusalReasons[first.refusal] ?? "item_not_changeable" });
  return fitting;
}

const refusalReasons: Partial<Record<HeldReason, Reason>> = {
  already_invited: "item_already_invited",
  already_reviewed: "item_already_reviewed",
  not_reviewable: "item_excluded",
  product_deleted: "item_product_removed",
  opted_out: "item_opted_out",
  suppressed: "item_suppressed",
  too_late: "item_window_ended",
};
