"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslations } from "#messages";
import { itemKey } from "@/components/moderation/labels";
import { invalidateItems, queryKeys, showAssignment } from "@/components/moderation/queries";
import { usePerson } from "@/components/portal/person-provider";
import { useToast } from "@/components/ui/toast";
import type { assignContract } from "@/lib/moderation/assignments/contract";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { call, isConflict, messageOf } from "@/lib/platform/http/client";

/** Assigns items to a person, by id, or to nobody. */
export function useAssignment(clientId: string) {
  const t = useTranslations();
  const cache = useQueryClient();
  const toast = useToast();
  const me = usePerson();
  /** keys of items that are being assigned: a second click or key is ignored */
  const pending = useRef(new Set<string>());
  const { mutate } = useMutation({
    mutationFn: ({ item, userId }: { item: QueueItem; userId: string | null }) =>
      call<typeof assignContract>("PUT /portal/api/v1/queue/{kind}/{id}/assignment", {
        params: { kind: item.kind, id: item.id },
        query: { client_id: clientId },
        body: { user_id: userId, from: item.assigned?.id ?? null },
      }),
    onSuccess: ({ data }, { item }) => {
      showAssignment(cache, clientId, item, data.assigned);
      // Counted again when the list of views is opened.
      void cache.invalidateQueries({ queryKey: queryKeys.views(clientId), refetchType: "none" });
    },
    onError: (error) => {
      const message = messageOf(error, t);
      const text = isConflict(error) ? message : t("common.errorSaving", { message });
      toast.show({ id: "assignment", tone: "bad", text });
      if (isConflict(error)) void invalidateItems(cache, clientId);
    },
    onSettled: (_data, _error, { item }) => {
      pending.current.delete(itemKey(item));
    },
  });
  const assign = (item: QueueItem, userId: string | null) => {
    const key = itemKey(item);
    if (pending.current.has(key)) return;
    pending.current.add(key);
    mutate({ item, userId });
  };
  /** For the shortcut: takes an item or returns it. Another person's is only reassigned on purpose, in the menu. */
  const toggle = (item: QueueItem) => {
    if (item.accepted !== null) return;
    if (item.assigned && item.assigned.id !== me)
      toast.show({ id: "assignment", text: t("queue.assignedElsewhere", { name: item.assigned.name }) });
    else assign(item, item.assigned ? null : me);
  };
  return { assign, toggle };
}
