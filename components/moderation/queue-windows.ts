"use client";

import { BulkBar } from "@/components/moderation/bulk-bar";
import { KeysDialog } from "@/components/moderation/keys-dialog";
import { NotDecidedList } from "@/components/moderation/not-decided";
import { PhotoWindow } from "@/components/moderation/photo-window";
import { ViewEntries, ViewWindows } from "@/components/moderation/queue-view-parts";
import { ReasonDialog } from "@/components/moderation/reason-dialog";
import { ReplyButtons } from "@/components/moderation/reply-buttons";

/** What the queue and an item's page need only once somebody does something: fetched together, see components/ui/late.ts. */
export const queueWindows = {
  BulkBar,
  KeysDialog,
  NotDecidedList,
  PhotoWindow,
  ReasonDialog,
  ReplyButtons,
  ViewEntries,
  ViewWindows,
};
