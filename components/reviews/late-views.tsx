"use client";

import { lateView } from "@/components/ui/late-view";

// What the queue and an item's page draw for some items only: see components/ui/late-view.tsx.

const marks = async () => (await import("@/components/reviews/item-marks")).itemMarks;

export const ItemFindings = lateView(async () => (await marks()).ItemFindings);
export const Reply = lateView(async () => (await marks()).Reply);
export const Reports = lateView(async () => (await marks()).Reports);
export const PhotoArticle = lateView(async () => (await marks()).PhotoArticle);
export const NothingHere = lateView(async () => (await import("@/components/reviews/nothing-here")).NothingHere);
export const SentPanel = lateView(async () => (await import("@/components/integrations/sent-panel")).SentPanel);
