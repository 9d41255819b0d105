"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { useTranslations } from "#messages";
import type { BulkResult } from "@/components/moderation/bulk-conflicts";
import { itemKey, itemName, toStatus } from "@/components/moderation/labels";
import {
  itemOptions,
  pendingCountsOptions,
  type QueuePages,
  queryKeys,
  removeItems,
  showAssignment,
  updateItems,
} from "@/components/moderation/queries";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { useToast } from "@/components/ui/toast";
import type { decideAllContract, decideContract } from "@/lib/moderation/queue/contract";
import type { ItemOutcome, PendingCounts, QueueFilter, QueueItem } from "@/lib/moderation/queue/schema";
import { call, isConflict, isSignedOut, loadIssueTranslator, messageOf } from "@/lib/platform/http/client";
import { formatCount } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

export type Decision = { accepted: boolean | null; reason?: RejectReason };

/** How long a decision can be undone, in milliseconds. */
const UNDO_MS = 8_000;

type Step = { before: QueueItem; after: QueueItem };
/** One or more items decided together. */
type Change = {
  steps: Step[];
  filter: QueueFilter | null;
  /** the change that this one undoes */
  undoes?: Change;
  /** result of each item, once the service has responded */
  outcomes?: ItemOutcome[];
};

type DecisionCallbacks = {
  /** called with the first restored item */
  onUndone?: (item: QueueItem) => void;
  /** called if some items of a bulk decision were not decided */
  onUndecided?: (result: BulkResult) => void;
};

/**
 * Decisions on items, single or bulk: shown immediately, sent in order, reverted on an error (also if someone else
 * decided meanwhile), undoable for eight seconds. `filter` is that of the visible list; null if there is none.
 */
export function useDecisions(
  clientId: string,
  filter: QueueFilter | null,
  { onUndone, onUndecided }: DecisionCallbacks = {},
) {
  const t = useTranslations();
  const cache = useQueryClient();
  const toast = useToast();
  const last = useRef<{ change: Change; until: number } | null>(null);

  const show = useCallback(
    (steps: readonly Step[], shownIn: QueueFilter | null) => {
      const items = steps.map(({ after }) => after);
      if (shownIn) {
        cache.setQueryData<QueuePages>(queryKeys.queue(clientId, shownIn), (pages) =>
          updateItems(pages, shownIn, items),
        );
      }
      for (const item of items)
        cache.setQueryData(itemOptions(clientId, item.kind, item.id).queryKey, (held) => held && { ...held, item });
      cache.setQueryData(pendingCountsOptions(clientId).queryKey, (held) => held && steps.reduce(updateCounts, held));
    },
    [cache, clientId],
  );

  const mutationKey = queryKeys.decisions(clientId);
  const { mutate } = useMutation({
    mutationKey,
    // One after the other, in the order they were made.
    scope: { id: `decisions:${clientId}` },
    onMutate: ({ steps, filter: shownIn }: Change) => {
      // Responses in flight don't include this decision.
      if (shownIn) void cache.cancelQueries({ queryKey: queryKeys.queue(clientId, shownIn) });
      void cache.cancelQueries({ queryKey: queryKeys.waiting(clientId) });
      show(steps, shownIn);
    },
    mutationFn: async (change: Change): Promise<ItemOutcome[]> => {
      const { undoes } = change;
      // Items that were not decided, or whose decision failed, need no undo.
      const done = undoes && new Set((undoes.outcomes ?? []).filter(isDone).map(itemKey));
      const steps = done ? change.steps.filter(({ after }) => done.has(itemKey(after))) : change.steps;
      const how = { notify: !undoes, undo: undoes !== undefined };
      const [only, ...others] = steps;
      if (!only) return [];
      const query = { client_id: clientId };
      if (others.length > 0) {
        const body = { items: steps.map((step) => ({ ...targetOf(step), ...decisionBody(step, how.undo) })), ...how };
        const { data } = await call<typeof decideAllContract>("PUT /portal/api/v1/queue", { query, body });
        const formatIssue = await loadIssueTranslator(data.filter(({ message }) => message !== null));
        return data.map(({ message, ...outcome }) => ({
          ...outcome,
          message: message && formatIssue({ ...outcome, message }),
        }));
      }
      const params = targetOf(only);
      const answer = await call<typeof decideContract>("PUT /portal/api/v1/queue/{kind}/{id}", {
        params,
        query,
        body: { ...decisionBody(only, how.undo), ...how },
      });
      return [{ ...params, outcome: "done", message: null, reason: null, params: {}, ...answer.data }];
    },
    onSuccess: (outcomes, change) => {
      change.outcomes = outcomes;
      const requestedSteps = new Map(change.steps.map((step) => [itemKey(step.after), step]));
      // An undo restores the assignment that the decision ended, which another person may have changed before it.
      for (const outcome of outcomes) {
        const item = isDone(outcome) ? requestedSteps.get(itemKey(outcome))?.after : undefined;
        if (item && item.assigned?.id !== outcome.assigned?.id) showAssignment(cache, clientId, item, outcome.assigned);
      }
      const undecided = outcomes.flatMap((outcome) => {
        const step = isDone(outcome) ? undefined : requestedSteps.get(itemKey(outcome));
        return step ? [{ ...step, outcome }] : [];
      });
      if (undecided.length === 0) return;
      const deletedItems = undecided.flatMap(({ outcome, before }) => (outcome.outcome === "gone" ? [before] : []));
      show(
        undecided.map(({ before, after, outcome: { accepted, reject_reason, assigned } }) => ({
          before: after,
          after: { ...before, accepted, reject_reason, assigned },
        })),
        change.filter,
      );
      const shownIn = change.filter;
      if (shownIn && deletedItems.length > 0)
        cache.setQueryData<QueuePages>(queryKeys.queue(clientId, shownIn), (pages) => removeItems(pages, deletedItems));
      onUndecided?.({
        done: outcomes.length - undecided.length,
        unchanged: undecided.map(({ before, outcome }) => ({ item: before, outcome })),
      });
    },
    onError: (error, { steps, filter: shownIn, undoes }) => {
      // Revert per item instead of restoring a snapshot: others may have been decided meanwhile.
      show(
        steps.map(({ before, after }) => ({ before: after, after: before })),
        shownIn,
      );
      if (!undoes) last.current = null;
      const text = isSignedOut(error) ? t("common.errorSignedOut") : messageOf(error, t);
      toast.show({
        id: "decision",
        tone: "bad",
        duration: 12_000,
        text: isConflict(error) ? text : t("common.errorSaving", { message: text }),
      });
    },
    onSettled: (_data, error, { steps }) => {
      // Other lists still hold the previous state of these items; the visible list is right unless the call failed.
      void cache.invalidateQueries({
        queryKey: queryKeys.queues(clientId),
        refetchType: error ? "active" : "none",
      });
      for (const { after } of steps) {
        void cache.invalidateQueries({
          queryKey: queryKeys.item(clientId, after.kind, after.id),
        });
        // The photo's review shows it or hides it.
        const { came_with } = after;
        if (came_with)
          void cache.invalidateQueries({
            queryKey: queryKeys.item(clientId, came_with.kind, came_with.id),
          });
      }
      // Fetched counts don't include decisions still queued, so wait for the last one.
      if (cache.isMutating({ mutationKey }) === 1)
        void cache.invalidateQueries({ queryKey: queryKeys.waiting(clientId) });
      // Count again when the list of views is opened, not after every decision.
      void cache.invalidateQueries({ queryKey: queryKeys.views(clientId), refetchType: "none" });
    },
  });

  const undo = useCallback(() => {
    const made = last.current;
    if (!made || Date.now() > made.until) return;
    last.current = null;
    const { steps, filter: shownIn, outcomes } = made.change;
    const done = outcomes && new Set(outcomes.filter(isDone).map(itemKey));
    const back = steps.filter(({ after }) => done?.has(itemKey(after)) ?? true);
    const [first] = back;
    if (!first) return;
    mutate({
      steps: back.map(({ before, after }) => ({ before: after, after: before })),
      filter: shownIn,
      undoes: made.change,
    });
    const text =
      back.length === 1
        ? t("queue.undoneNamed", { name: itemName(first.before, t) })
        : t("queue.undoneCount", { n: back.length });
    toast.show({ id: "decision", text, duration: 4_000 });
    onUndone?.(first.before);
  }, [mutate, onUndone, t, toast]);

  const decide = useCallback(
    (items: readonly QueueItem[], { accepted, reason }: Decision) => {
      const steps = items
        .filter((item) => item.accepted !== accepted)
        .map((before) => ({
          before,
          after: {
            ...before,
            accepted,
            assigned: null,
            reject_reason: accepted === false ? (reason ?? "unspecified") : null,
          },
        }));
      const [first] = steps;
      if (!first) return;
      const change: Change = { steps, filter };
      last.current = { change, until: Date.now() + UNDO_MS };
      const before = cache.getQueryData(pendingCountsOptions(clientId).queryKey);
      const pendingCounts = before && steps.reduce(updateCounts, before);
      mutate(change);
      const pendingText =
        pendingCounts &&
        t("queue.pendingLeft", { count: formatCount(pendingCounts.count, t.language, pendingCounts.more) });
      toast.show({
        id: "decision",
        text: [decisionText(accepted, first.after.reject_reason, steps.length, t), pendingText]
          .filter(Boolean)
          .join(" "),
        duration: UNDO_MS,
        action: { label: t("common.undo"), hint: t("queue.undoHint"), run: undo },
      });
    },
    [cache, clientId, filter, mutate, t, toast, undo],
  );

  return { decide, undo };
}

const isDone = ({ outcome }: ItemOutcome): boolean => outcome === "done";
const targetOf = ({ after: { kind, id } }: Step) => ({ kind, id });

const decisionBody = ({ before, after }: Step, undo: boolean) => ({
  accepted: after.accepted,
  // Omits a previous reason that no longer exists; the service then stores "unspecified".
  ...(after.accepted === false ? { reject_reason: after.reject_reason as RejectReason } : {}),
  from: toStatus(before.accepted),
  ...(undo ? {} : { seen: before.revision }),
});

/** The pending counts after an item's state changed. */
const updateCounts = (held: PendingCounts, { before, after }: Step): PendingCounts => {
  const step = Number(after.accepted === null) - Number(before.accepted === null);
  return {
    ...held,
    count: Math.max(0, held.count + step),
    kinds: { ...held.kinds, [after.kind]: Math.max(0, held.kinds[after.kind] + step) },
  };
};

/** The result of a decision, as a sentence. */
function decisionText(accepted: boolean | null, code: string | null, n: number, t: Translate): string {
  const reason = reasonLabel(code, t);
  if (n === 1)
    return accepted === null
      ? t("queue.movedToPending")
      : accepted
        ? t("queue.approved")
        : t("queue.rejectedReason", { reason });
  if (accepted === null) return t("queue.bulkMovedToPending", { n });
  return accepted ? t("queue.bulkApproved", { n }) : t("queue.bulkRejected", { n, reason });
}
