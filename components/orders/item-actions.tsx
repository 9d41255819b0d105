"use client";

import { useMutation } from "@tanstack/react-query";
import { Ban, Hand, Play, RotateCcw, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { HoldMenu } from "@/components/orders/hold-menu";
import {
  brokenWords,
  type Change,
  failedWords,
  type Made,
  makeChange,
  type Until,
} from "@/components/orders/make-change";
import { Button } from "@/components/ui/button";
import { makeOnce, single } from "@/components/ui/once";
import { dayWords, momentWords } from "@/components/ui/time";
import { type ToastMessage, useToast } from "@/components/ui/toast";
import type { sendByHandContract } from "@/lib/invitations/contract";
import type { SentByHand } from "@/lib/invitations/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import type { Words } from "@/lib/platform/i18n/rules";

export type OrderRef = {
  clientId: string;
  orderId: string;
  /** null for those who may not see people; they may not change orders either */
  customerId: string | null;
  timeZone: string;
  /** the client's day */
  today: string;
};

/** Makes a change, shows the page anew, and offers to take it back. */
function useChange(order: OrderRef, name: string) {
  const t = useWords();
  const router = useRouter();
  const toast = useToast();
  const [once] = useState(makeOnce);
  const { mutate, isPending } = useMutation({
    mutationFn: (change: Change) => makeChange(order, change),
    onSuccess: (made, wanted) => {
      const { back, broken } = made;
      const id = `order-${order.orderId}`;
      if (broken) {
        toast.show(brokenOff(id, broken, (rest) => change(rest), t));
        return;
      }
      toast.show({
        id,
        text: doneWords(name, wanted, made, t),
        ...(back && {
          action: {
            label: t("Undo"),
            hint: t("Use the button that takes its place."),
            run: () => change(back),
          },
        }),
      });
    },
    onError: (error) =>
      toast.show({
        id: `order-${order.orderId}`,
        tone: "bad",
        text: failedWords(error, t),
      }),
    onSettled: (made) => {
      // What goes on with it is pressed on purpose, and may be the very same once more: its message would close, and nothing be done.
      once.ends(made?.broken ? "broken" : "done");
      router.refresh();
    },
  });
  const change = (wanted: Change) => {
    if (once.begins(JSON.stringify(wanted))) mutate(wanted);
  };
  return { change, busy: isPending };
}

/** It broke off: how much is saved, why not all, and a button that goes on. */
function brokenOff(
  id: string,
  broken: NonNullable<Made["broken"]>,
  goOn: (rest: Change) => void,
  t: Words,
): ToastMessage {
  return {
    id,
    tone: "bad",
    duration: 30_000,
    text: brokenWords(broken, t),
    action: {
      label: broken.saved === 0 ? t("Try again") : t("Save the rest"),
      hint: t("Do it once more: what is saved stays."),
      run: () => goOn(broken.rest),
    },
  };
}

function doneWords(name: string, change: Change, { back, all }: Made, t: Words): string {
  if (change.what === "cancel")
    return change.reviewable ? t("{name} takes part again.", { name }) : t("{name} is cancelled.", { name });
  if (change.what === "holds")
    return all
      ? t("{name} is as it was before.", { name })
      : t("{name} was changed by somebody else meanwhile, which stays.", { name });
  if (back === null)
    return change.until === undefined
      ? t("{name} was not held back.", { name })
      : t("{name} is held back for longer already.", { name });
  if (change.until === undefined) return t("{name} is no longer held back.", { name });
  return change.until === null
    ? t("{name} is held back for good: nobody is asked about it.", { name })
    : t("{name} is held back until {day}.", { name, day: dayWords(change.until, t.locale) });
}

/** Sends the mail now, and says what came of it. It cannot be taken back, but a second click sends nothing more. */
function useSend({ clientId, orderId, timeZone }: OrderRef, name: string) {
  const t = useWords();
  const router = useRouter();
  const toast = useToast();
  const [once] = useState(makeOnce);
  const { mutate, isPending } = useMutation({
    mutationFn: async (items: string[]) =>
      (
        await call<typeof sendByHandContract>("POST /portal/api/v1/orders/{id}/send", {
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
        text: sentWords(name, sent, timeZone, t),
      }),
    onError: (error) =>
      toast.show({
        id: `order-${orderId}`,
        tone: "bad",
        text: t("Not sent. {message}", { message: t(messageOf(error)) }),
      }),
    onSettled: () => {
      once.ends();
      router.refresh();
    },
  });
  const send = (items: string[]) => once.begins(items.join()) && mutate(items);
  return { send, sending: isPending };
}

const SOON_MS = 60_000;

function sentWords(name: string, { at, held }: SentByHand, timeZone: string, t: Words): string {
  const why = [...new Set(held.map(({ sentence }) => sentence))].join(" ");
  if (at === null) return `${name}: ${why}`;
  const soon = Date.parse(at) - Date.now() < SOON_MS;
  const goes = soon
    ? t("The mail is on its way.")
    : t("The mail goes on {moment}, when mails may go.", { moment: momentWords(at, timeZone, t.locale) });
  return why === "" ? goes : t("{goes} Not for all items: {why}", { goes, why });
}

type ItemProps = OrderRef & {
  item: { id: string; name: string; reviewable: boolean };
  /** undefined: it is not held back */
  held: Until;
  /** nobody is going to be asked about it any more */
  asked: boolean;
  /** its mail may be sent now; if not, what stands above says why */
  sendable: boolean;
  /** which is why it may not, where nothing else is in the way */
  sendableLater: boolean;
  mayHold: boolean;
  mayCancel: boolean;
};

/** Sends the mail of one item, holds it back or lets it go, cancels it or takes it back in. */
export function ItemActions({ item, held, asked, sendable, sendableLater, mayHold, mayCancel, ...order }: ItemProps) {
  const t = useWords();
  const { change, busy } = useChange(order, item.name);
  const { send, sending } = useSend(order, item.name);
  const isHeld = held !== undefined;
  const open = mayHold && !asked && item.reviewable;
  if (!open && !(mayHold && isHeld) && !mayCancel) return null;
  const hold = (until: Until) => !busy && change({ what: "hold", until, items: [item.id] });
  return (
    <div className="mt-3 flex flex-wrap gap-1 border-t border-line pt-2">
      {open && !isHeld && sendable && (
        <Button
          size="small"
          look="quiet"
          aria-disabled={sending}
          aria-label={t("Send now: {name}", { name: item.name })}
          onClick={() => !sending && send([item.id])}
        >
          <Send aria-hidden="true" className="size-3.5" />
          {t("Send now")}
        </Button>
      )}
      {mayHold && isHeld ? (
        <Button
          size="small"
          look="quiet"
          aria-disabled={busy}
          aria-label={t("Let go: {name}", { name: item.name })}
          onClick={() => hold(undefined)}
        >
          <Play aria-hidden="true" className="size-3.5" />
          {t("Let go")}
        </Button>
      ) : (
        open && (
          <HoldMenu name={item.name} today={order.today} onHold={hold}>
            <Button
              size="small"
              look="quiet"
              aria-disabled={busy}
              aria-label={t("Hold back: {name}", { name: item.name })}
            >
              <Hand aria-hidden="true" className="size-3.5" />
              {t("Hold back")}
            </Button>
          </HoldMenu>
        )
      )}
      {mayCancel && (
        <Button
          size="small"
          look="quiet"
          aria-disabled={busy}
          aria-label={
            item.reviewable ? t("Cancel: {name}", { name: item.name }) : t("Re-enable: {name}", { name: item.name })
          }
          onClick={single(() => !busy && change({ what: "cancel", item: item.id, reviewable: !item.reviewable }))}
        >
          {item.reviewable ? (
            <Ban aria-hidden="true" className="size-3.5" />
          ) : (
            <RotateCcw aria-hidden="true" className="size-3.5" />
          )}
          {item.reviewable ? t("Cancel§item") : t("Re-enable")}
        </Button>
      )}
      {open && !isHeld && sendableLater && (
        <p className="self-center px-2 text-sm text-muted">{t("It can be sent by hand from its delivery on.")}</p>
      )}
    </div>
  );
}

type OrderProps = OrderRef & {
  /** those that can still be asked about */
  items: string[];
  /** how all of them are held back; undefined: not all are, or not in the same way */
  held: Until;
  /** of one of them at least the mail may be sent now */
  sendable: boolean;
};

/** The same for all that can still be asked about. */
export function OrderActions({ items, held, sendable, ...order }: OrderProps) {
  const t = useWords();
  const { change, busy } = useChange(order, t("The order"));
  const { send, sending } = useSend(order, t("The order"));
  const hold = (until: Until) => !busy && change({ what: "hold", until, items });
  if (held !== undefined)
    return (
      <Button aria-disabled={busy} onClick={() => hold(undefined)}>
        <Play aria-hidden="true" className="size-4" />
        {t("Let the order go")}
      </Button>
    );
  return (
    <>
      <HoldMenu name={t("the order")} today={order.today} onHold={hold}>
        <Button aria-disabled={busy}>
          <Hand aria-hidden="true" className="size-4" />
          {t("Hold the order back")}
        </Button>
      </HoldMenu>
      {sendable && (
        <Button aria-disabled={sending} onClick={() => !sending && send(items)}>
          <Send aria-hidden="true" className="size-4" />
          {t("Send the order’s mail now")}
        </Button>
      )}
    </>
  );
}
