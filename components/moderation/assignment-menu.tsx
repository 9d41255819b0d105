"use client";

import { UserRound, UserRoundCheck } from "lucide-react";
import { useTranslations } from "#messages";
import { shortcuts } from "@/components/moderation/shortcuts";
import { Button } from "@/components/ui/button";
import { lazyEntries, Menu } from "@/components/ui/menu";
import type { QueueItem } from "@/lib/moderation/queue/schema";

type Props = {
  clientId: string;
  item: QueueItem;
  keysOn: boolean;
  onAssign: (item: QueueItem, userId: string | null) => void;
};

const AssignmentEntries = lazyEntries(
  async () => (await import("@/components/moderation/assignment-entries")).AssignmentEntries,
);

/** Who takes care of a pending item, and a menu to change it. */
export function AssignmentMenu({ clientId, item, keysOn, onAssign }: Props) {
  const t = useTranslations();
  const { assigned } = item;
  const Icon = assigned ? UserRoundCheck : UserRound;
  return (
    <Menu
      label={t("queue.assignment")}
      trigger={
        <Button
          variant="quiet"
          size="small"
          className="-mr-2.5 max-w-full"
          aria-keyshortcuts={keysOn ? shortcuts.assign.keys[0] : undefined}
        >
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          <span className="truncate">
            {assigned ? t("queue.assignedTo", { name: assigned.name }) : t("queue.assign")}
          </span>
        </Button>
      }
    >
      <AssignmentEntries clientId={clientId} assigned={assigned} onAssign={(userId) => onAssign(item, userId)} />
    </Menu>
  );
}
