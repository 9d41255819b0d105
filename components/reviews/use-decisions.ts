"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { caseOptions, keys, type QueuePages, waitingOptions, withItem } from "@/components/reviews/queries";
import { nameOf, reasonWords, statusOf } from "@/components/reviews/words";
import { useToast } from "@/components/ui/toast";
import { call, isConflict, isSignedOut, messageOf } from "@/lib/http/client";
import type { DecidedKind, RejectReason } from "@/lib/moderation/schema";
import { decideContract } from "@/lib/queue/contract";
import type { QueueFilter, QueueItem, Waiting } from "@/lib/queue/schema";

export type Decision = { accepted: boolean | null; reason?: RejectReason };

/** How long a decision can be taken back, in milliseconds. */
export const UNDO_MS = 8_000;

type Change = { before: QueueItem; after: QueueItem; filter: QueueFilter | null; isUndo: boolean };

/**
 * Decisions on items: shown at once, sent in the order they were made, taken back on refusal (also where somebody else
 * decided meanwhile), undone for eight seconds. `filter` is that of the list on screen, null where there is none.
 */
export function useDecisions(clientId: string, filter: QueueFilter | null, onUndone?: (item: QueueItem) => void) {
  const cache = useQueryClient();
  const toast = useToast();
  const last = useRef<{ change: Change; until: number } | null>(null);

  const show = useCallback(
    (item: QueueItem, shownIn: QueueFilter | null, wasPending: boolean) => {
      if (shownIn) {
        cache.setQueryData<QueuePages>(keys.queue(clientId, shownIn), (pages) => withItem(pages, shownIn, item));
      }
      cache.setQueryData(caseOptions(clientId, item.kind, item.id).queryKey, (held) => held && { ...held, item });
      const step = Number(item.accepted === null) - Number(wasPending);
      cache.setQueryData(waitingOptions(clientId).queryKey, (held) => held && counted(held, item.kind, step));
    },
    [cache, clientId],
  );

  const { mutate } = useMutation({
    scope: { id: `decisions:${clientId}` },
    mutationFn: ({ before, after, isUndo }: Change) =>
      call(decideContract, {
        params: { kind: after.kind, id: after.id },
        query: { client_id: clientId },
        body: {
          accepted: after.accepted,
          // Names no reason when the former one is not of today's list; the service then keeps "unspecified".
          ...(after.accepted === false ? { reject_reason: after.reject_reason as RejectReason } : {}),
          from: statusOf(before.accepted),
          notify: !isUndo,
          undo: isUndo,
        },
      }),
    onError: (error, { before, after, filter: shownIn }) => {
      show(before, shownIn, after.accepted === null);
      last.current = null;
      const text = isSignedOut(error) ? "You are signed out. Sign in again to go on." : messageOf(error);
      toast.show({
        id: "decision",
        tone: "bad",
        duration: 12_000,
        text: isConflict(error) ? text : `Not saved. ${text}`,
      });
    },
    onSettled: (_data, error, { after }) => {
      // Other lists hold this item in its former state; the one on screen is right unless the call failed.
      void cache.invalidateQueries({ queryKey: keys.queues(clientId), refetchType: error ? "active" : "none" });
      void cache.invalidateQueries({ queryKey: keys.case(clientId, after.kind, after.id) });
      void cache.invalidateQueries({ queryKey: keys.waiting(clientId) });
    },
  });

  const apply = useCallback(
    (change: Change) => {
      if (change.filter) void cache.cancelQueries({ queryKey: keys.queue(clientId, change.filter) });
      show(change.after, change.filter, change.before.accepted === null);
      mutate(change);
    },
    [cache, clientId, mutate, show],
  );

  const undo = useCallback(() => {
    const made = last.current;
    if (!made || Date.now() > made.until) return;
    last.current = null;
    const { before, after, filter: shownIn } = made.change;
    apply({ before: after, after: before, filter: shownIn, isUndo: true });
    toast.show({ id: "decision", text: `Undone: ${nameOf(before)} is back.`, duration: 4_000 });
    onUndone?.(before);
  }, [apply, onUndone, toast]);

  const decide = useCallback(
    (item: QueueItem, { accepted, reason }: Decision) => {
      const after = { ...item, accepted, reject_reason: accepted === false ? (reason ?? "unspecified") : null };
      const change = { before: item, after, filter, isUndo: false };
      last.current = { change, until: Date.now() + UNDO_MS };
      apply(change);
      const left = cache.getQueryData(waitingOptions(clientId).queryKey);
      const rest = left ? ` ${left.count}${left.more ? "+" : ""} left.` : "";
      toast.show({
        id: "decision",
        text: `${verdict(accepted, after.reject_reason)}.${rest}`,
        duration: UNDO_MS,
        action: { label: "Undo", hint: "Press the key U to undo", run: undo },
      });
    },
    [apply, cache, clientId, filter, toast, undo],
  );

  return { decide, undo };
}

/** What waits after one more item of a kind does, or one less. */
const counted = (held: Waiting, kind: DecidedKind, step: number): Waiting => ({
  ...held,
  count: Math.max(0, held.count + step),
  kinds: { ...held.kinds, [kind]: Math.max(0, held.kinds[kind] + step) },
});

const verdict = (accepted: boolean | null, reason: string | null): string =>
  accepted === null ? "Back to pending" : accepted ? "Accepted" : `Rejected: ${reasonWords(reason)}`;
