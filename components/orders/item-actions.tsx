"use client";

import { useMutation } from "@tanstack/react-query";
import { Ban, Hand, Play, RotateCcw, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { HoldMenu } from "@/components/orders/hold-menu";
import {
  type Change,
  failureMessage,
  type HoldUntil,
  partialFailureMessage,
  type SaveResult,
  saveChange,
} from "@/components/orders/save-change";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { createSubmitGuard, ignoreDoubleClick } from "@/components/ui/submit-guard";
import { type ToastMessage, useToast } from "@/components/ui/toast";
import type { sendManuallyContract } from "@/lib/invitations/contract";
import type { ManualSendResult } from "@/lib/invitations/schema";
import type { ItemAction } from "@/lib/invitations/values";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatDay, formatMoment } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";

export type OrderRef = {
  clientId: string;
  orderId: string;
  /** whom an email goes to */
  recipient: string;
  timeZone: string;
  /** today in the client's time zone */
  today: string;
};

/** Makes a change, refreshes the page and offers to undo it. */
function useChange(order: OrderRef, name: string) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [once] = useState(createSubmitGuard);
  const { mutate, isPending } = useMutation({
    mutationFn: (change: Change) => saveChange(order, change),
    onSuccess: (made, wanted) => {
      const { undo, partial } = made;
      const id = `order-${order.orderId}`;
      if (partial) {
        toast.show(partialFailureToast(id, partial, (rest) => change(rest), t));
        return;
      }
      toast.show({
        id,
        text: successMessage(name, wanted, made, t),
        ...(undo && {
          action: {
            label: t("common.undo"),
            hint: t("orders.undoHint"),
            run: () => change(undo),
          },
        }),
      });
    },
    onError: (error) =>
      toast.show({
        id: `order-${order.orderId}`,
        tone: "bad",
        text: failureMessage(error, t),
      }),
    onSettled: (made) => {
      // After a partial failure, continuing may repeat the same change: the guard must not swallow that click.
      once.finish(made?.partial ? "broken" : "done");
      router.refresh();
    },
  });
  const change = (nextChange: Change) => {
    if (once.start(JSON.stringify(nextChange))) mutate(nextChange);
  };
  return { change, busy: isPending };
}

/** A partial failure: how much is saved, why not all, and a button to continue. */
function partialFailureToast(
  id: string,
  broken: NonNullable<SaveResult["partial"]>,
  goOn: (rest: Change) => void,
  t: Translate,
): ToastMessage {
  return {
    id,
    tone: "bad",
    duration: 30_000,
    text: partialFailureMessage(broken, t),
    action: {
      label: broken.saved === 0 ? t("common.tryAgain") : t("orders.saveRest"),
      hint: t("orders.retryHint"),
      run: () => goOn(broken.rest),
    },
  };
}

function successMessage(name: string, change: Change, { undo, all }: SaveResult, t: Translate): string {
  if (change.what === "exclude") {
    if (undo === null) return change.excluded ? t("orders.wasExcluded", { name }) : t("orders.wasIncluded", { name });
    return change.excluded ? t("orders.doneExcluded", { name }) : t("orders.doneIncluded", { name });
  }
  if (change.what === "exclusions" && all)
    return change.changes[0]?.to.reviewable ? t("orders.doneIncluded", { name }) : t("orders.doneExcluded", { name });
  if (change.what === "holds" || change.what === "exclusions")
    return all ? t("orders.doneRestored", { name }) : t("orders.restoreSkipped", { name });
  if (undo === null)
    return change.until === undefined ? t("orders.wasNotPaused", { name }) : t("orders.pausedLonger", { name });
  if (change.until === undefined) return t("orders.doneResumed", { name });
  return change.until === null
    ? t("orders.donePausedIndefinitely", { name })
    : t("orders.donePausedUntil", { name, day: formatDay(change.until, t.language) });
}

/** Sends the email now and shows the result. Can't be undone, but a second click sends nothing more. */
function useSend({ clientId, orderId, timeZone }: OrderRef, name: string) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [once] = useState(createSubmitGuard);
  const { mutate, isPending } = useMutation({
    mutationFn: async (items: string[]) =>
      (
        await call<typeof sendManuallyContract>("POST /portal/api/v1/orders/{id}/send", {
          params: { id: orderId },
          query: { client_id: clientId },
          body: { items, lang: t.language },
        })
      ).data,
    onSuccess: (sent) =>
      toast.show({
        id: `order-${orderId}`,
        tone: sent.at === null ? "bad" : "plain",
        duration: 10_000,
        text: sentMessage(name, sent, timeZone, t),
      }),
    onError: (error) =>
      toast.show({
        id: `order-${orderId}`,
        tone: "bad",
        text: t("orders.errorNotSent", { message: messageOf(error, t) }),
      }),
    onSettled: () => {
      once.finish();
      router.refresh();
    },
  });
  const send = (items: string[]) => once.start(items.join()) && mutate(items);
  return { send, sending: isPending };
}

const SOON_MS = 60_000;

function sentMessage(name: string, { at, held }: ManualSendResult, timeZone: string, t: Translate): string {
  const reasonText = [...new Set(held.map(({ sentence }) => sentence))].join(" ");
  if (at === null) return `${name}: ${reasonText}`;
  const soon = Date.parse(at) - Date.now() < SOON_MS;
  const goes = soon
    ? t("orders.sendingSoon")
    : t("orders.sendingAt", { moment: formatMoment(at, timeZone, t.language) });
  return reasonText === "" ? goes : t("orders.sendingPartly", { goes, why: reasonText });
}

type SendProps = {
  order: OrderRef;
  /** the item, or the order */
  name: string;
  items: string[];
  label?: string;
  small?: boolean;
};

/** Sends an email now, after the person confirmed whom it goes to: it can't be undone. */
function SendButton({ order, name, items, label, small = false }: SendProps) {
  const t = useTranslations();
  const [asking, setAsking] = useState(false);
  const { send, sending } = useSend(order, name);
  return (
    <>
      <Button
        {...(small && { size: "small", variant: "quiet" })}
        aria-disabled={sending}
        aria-label={label}
        onClick={() => !sending && setAsking(true)}
      >
        <Send aria-hidden="true" className={small ? "size-3.5" : "size-4"} />
        {small ? t("orders.sendNow") : t("orders.sendInvitationNow")}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={t("orders.confirmSendTitle")}
        description={t("orders.confirmSendTo", { customer: order.recipient })}
      >
        <p className="mb-4 text-sm">{t("orders.confirmSendItems")}</p>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            onClick={() => {
              setAsking(false);
              send(items);
            }}
          >
            {t("orders.sendNow")}
          </Button>
          <Button onClick={() => setAsking(false)}>{t("common.cancel")}</Button>
        </div>
      </Dialog>
    </>
  );
}

type ItemProps = OrderRef & {
  item: { id: string; name: string };
  /** what fits the item's state */
  actions: readonly ItemAction[];
  /** an item that isn't invited for: whether it was excluded, or isn't in the catalog */
  excluded: boolean;
  /** can be sent after its future delivery date; nothing else prevents it */
  sendableLater: boolean;
  mayExclude: boolean;
};

/** Sends an item's invitation, pauses or resumes it, excludes or includes the item: what fits its state. */
export function ItemActions({ item, actions, excluded, sendableLater, mayExclude, ...order }: ItemProps) {
  const t = useTranslations();
  const { name } = item;
  const { change, busy } = useChange(order, name);
  const may = (action: ItemAction) => actions.includes(action);
  const hold = (until: HoldUntil) => !busy && change({ what: "hold", until, items: [item.id] });
  const excludes = may("exclude");
  const changesExclusion = mayExclude && (excludes || may("include"));
  const [label, fullLabel] = excludes
    ? [t("orders.exclude"), t("orders.excludeLabel", { name })]
    : excluded
      ? [t("orders.include"), t("orders.includeLabel", { name })]
      : [t("orders.inviteAnyway"), t("orders.inviteAnywayLabel", { name })];
  if (!may("pause") && !may("resume") && !may("send") && !changesExclusion) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-1 border-t border-line pt-2 print:hidden">
      {may("send") && (
        <SendButton order={order} name={name} items={[item.id]} label={t("orders.sendNowLabel", { name })} small />
      )}
      {may("resume") ? (
        <Button
          size="small"
          variant="quiet"
          aria-disabled={busy}
          aria-label={t("orders.resumeLabel", { name })}
          onClick={() => hold(undefined)}
        >
          <Play aria-hidden="true" className="size-3.5" />
          {t("orders.resume")}
        </Button>
      ) : (
        may("pause") && (
          <HoldMenu name={name} today={order.today} onHold={hold}>
            <Button size="small" variant="quiet" aria-disabled={busy} aria-label={t("orders.pauseLabel", { name })}>
              <Hand aria-hidden="true" className="size-3.5" />
              {t("orders.pauseInvitation")}
            </Button>
          </HoldMenu>
        )
      )}
      {changesExclusion && (
        <Button
          size="small"
          variant="quiet"
          aria-disabled={busy}
          aria-label={fullLabel}
          onClick={ignoreDoubleClick(() => !busy && change({ what: "exclude", item: item.id, excluded: excludes }))}
        >
          {excludes ? (
            <Ban aria-hidden="true" className="size-3.5" />
          ) : (
            <RotateCcw aria-hidden="true" className="size-3.5" />
          )}
          {label}
        </Button>
      )}
      {may("pause") && sendableLater && (
        <p className="self-center px-2 text-sm text-muted">{t("orders.sendAfterDelivery")}</p>
      )}
    </div>
  );
}

type OrderProps = OrderRef & {
  /** items whose invitations can be paused, or are */
  items: string[];
  /** how all of them are paused; undefined: not all are, or differently */
  held: HoldUntil;
  /** items whose email can be sent now */
  sendable: string[];
};

/** Same as {@link ItemActions}, for all items that can still be invited. */
export function OrderActions({ items, held, sendable, ...order }: OrderProps) {
  const t = useTranslations();
  const { change, busy } = useChange(order, t("orders.theOrderSubject"));
  const hold = (until: HoldUntil) => !busy && change({ what: "hold", until, items });
  if (held !== undefined)
    return (
      <Button aria-disabled={busy} onClick={() => hold(undefined)}>
        <Play aria-hidden="true" className="size-4" />
        {t("orders.resumeOrder")}
      </Button>
    );
  return (
    <>
      <HoldMenu name={t("orders.theOrderObject")} today={order.today} onHold={hold}>
        <Button aria-disabled={busy}>
          <Hand aria-hidden="true" className="size-4" />
          {t("orders.pauseOrder")}
        </Button>
      </HoldMenu>
      {sendable.length > 0 && <SendButton order={order} name={t("orders.theOrderSubject")} items={items} />}
    </>
  );
}
