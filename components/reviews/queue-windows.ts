"use client";

import { BulkBar } from "@/components/reviews/bulk-bar";
import { KeysDialog } from "@/components/reviews/keys-dialog";
import { NotDecidedList } from "@/components/reviews/not-decided";
import { PhotoWindow } from "@/components/reviews/photo-window";
import { ViewEntries, ViewWindows } from "@/components/reviews/queue-view-parts";
import { ReasonDialog } from "@/components/reviews/reason-dialog";
import { ReplyButtons } from "@/components/reviews/reply-buttons";

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
