"use client";

import { useMutation } from "@tanstack/react-query";
import { Ban, Hand, Play, RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import { holdItemsContract, postOrderContract } from "@/lib/orders/contract";

/** What may be done with items of an order. Each change has its opposite, so nothing asks "are you sure". */
type Change = { what: "hold"; held: boolean; items?: string[] } | { what: "cancel"; item: string; reviewable: boolean };

type OrderRef = {
  clientId: string;
  orderId: string;
  /** null for those who may not see people; they may not change orders either */
  customerId: string | null;
};

const opposite = (change: Change): Change =>
  change.what === "hold" ? { ...change, held: !change.held } : { ...change, reviewable: !change.reviewable };

/** Makes a change, shows the page anew, and offers to take it back. */
function useChange({ clientId, orderId, customerId }: OrderRef, name: string) {
  const router = useRouter();
  const toast = useToast();
  const query = { client_id: clientId };
  const make = async (change: Change): Promise<void> => {
    if (change.what === "hold") {
      const { held, items } = change;
      await call(holdItemsContract, { params: { id: orderId }, query, body: { held, items } });
      return;
    }
    const order = {
      id: orderId,
      customer: { id: customerId ?? "" },
      items: [{ id: change.item, reviewable: change.reviewable }],
    };
    await call(postOrderContract, { query, body: { order } });
  };
  const { mutate, isPending } = useMutation({
    mutationFn: make,
    onSuccess: (_, change) =>
      toast.show({
        id: `order-${orderId}`,
        text: `${name} ${done(change)}.`,
        action: { label: "Undo", hint: "Use the button that takes its place.", run: () => mutate(opposite(change)) },
      }),
    onError: (error) => toast.show({ id: `order-${orderId}`, tone: "bad", text: `Not saved. ${messageOf(error)}` }),
    onSettled: () => router.refresh(),
  });
  return { change: mutate, busy: isPending };
}

const done = (change: Change): string =>
  change.what === "hold"
    ? change.held
      ? "is held back"
      : "is no longer held back"
    : change.reviewable
      ? "takes part again"
      : "is cancelled";

type ItemProps = OrderRef & {
  item: { id: string; name: string; reviewable: boolean };
  held: boolean;
  /** nobody is going to be asked about it any more */
  asked: boolean;
  mayHold: boolean;
  mayCancel: boolean;
};

/** Holds one item back or lets it go, cancels it or takes it back in. */
export function ItemActions({ item, held, asked, mayHold, mayCancel, ...order }: ItemProps) {
  const { change, busy } = useChange(order, item.name);
  const holdable = mayHold && (held || (!asked && item.reviewable));
  if (!holdable && !mayCancel) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-1 border-t border-line pt-2">
      {holdable && (
        <Button
          size="small"
          look="quiet"
          aria-disabled={busy}
          aria-label={`${held ? "Let go" : "Hold back"}: ${item.name}`}
          onClick={() => !busy && change({ what: "hold", held: !held, items: [item.id] })}
        >
          {held ? <Play aria-hidden="true" className="size-3.5" /> : <Hand aria-hidden="true" className="size-3.5" />}
          {held ? "Let go" : "Hold back"}
        </Button>
      )}
      {mayCancel && (
        <Button
          size="small"
          look="quiet"
          aria-disabled={busy}
          aria-label={`${item.reviewable ? "Cancel" : "Re-enable"}: ${item.name}`}
          onClick={() => !busy && change({ what: "cancel", item: item.id, reviewable: !item.reviewable })}
        >
          {item.reviewable ? (
            <Ban aria-hidden="true" className="size-3.5" />
          ) : (
            <RotateCcw aria-hidden="true" className="size-3.5" />
          )}
          {item.reviewable ? "Cancel" : "Re-enable"}
        </Button>
      )}
    </div>
  );
}

/** Holds all that can still be asked about back, or lets all go. */
export function OrderActions({ items, held, ...order }: OrderRef & { items: string[]; held: boolean }) {
  const { change, busy } = useChange(order, "The order");
  return (
    <Button aria-disabled={busy} onClick={() => !busy && change({ what: "hold", held: !held, items })}>
      {held ? <Play aria-hidden="true" className="size-4" /> : <Hand aria-hidden="true" className="size-4" />}
      {held ? "Let the order go" : "Hold the order back"}
    </Button>
  );
}
