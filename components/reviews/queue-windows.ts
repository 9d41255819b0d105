"use client";

import { KeysDialog } from "@/components/reviews/keys-dialog";
import { ReasonDialog } from "@/components/reviews/reason-dialog";

/** The windows of the queue and of an item's page, see components/ui/late.ts. */
export const queueWindows = { KeysDialog, ReasonDialog };
