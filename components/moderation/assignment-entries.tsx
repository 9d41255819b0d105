"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useTranslations } from "#messages";
import { colleaguesOptions } from "@/components/moderation/queries";
import { usePerson } from "@/components/portal/person-provider";
import { MenuItem } from "@/components/ui/menu";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { messageOf } from "@/lib/platform/http/client";

type Props = {
  clientId: string;
  assigned: QueueItem["assigned"];
  onAssign: (userId: string | null) => void;
};

/**
 * The menu's entries: the person, nobody, and colleagues by name. Only parts of the menu that are there from the start:
 * others would be loaded when the colleagues are, and close it.
 */
export function AssignmentEntries({ clientId, assigned, onAssign }: Props) {
  const t = useTranslations();
  const me = usePerson();
  const colleagues = useQuery(colleaguesOptions(clientId));
  const entry = (label: string, userId: string | null) => (
    <MenuItem key={userId} onSelect={() => onAssign(userId)}>
      <button type="button">
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {userId !== null && userId === assigned?.id && (
          <Check role="img" aria-label={t("queue.assignedTo", { name: label })} className="size-4 text-accent" />
        )}
      </button>
    </MenuItem>
  );
  return (
    <>
      {assigned?.id !== me && entry(t("queue.assignToMe"), me)}
      {assigned && entry(t("queue.unassign"), null)}
      {colleagues.data?.filter(({ id }) => id !== me).map(({ id, name }) => entry(name, id))}
      {colleagues.isPending && <p className="px-2.5 py-2 text-sm text-muted">{t("common.loading")}</p>}
      {colleagues.isError && (
        <p className="px-2.5 py-2 text-sm text-bad">
          {t("queue.errorLoadingColleagues", { message: messageOf(colleagues.error, t) })}
        </p>
      )}
    </>
  );
}
