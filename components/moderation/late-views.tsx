"use client";

import { lateView } from "@/components/ui/late-view";

// What both the queue and an item's page draw for some items only: see components/ui/late-view.tsx.

const marks = async () => (await import("@/components/moderation/item-marks")).itemMarks;

export const Alike = lateView(async () => (await marks()).Alike);
export const ItemFindings = lateView(async () => (await marks()).ItemFindings);
export const Reports = lateView(async () => (await marks()).Reports);
export const PhotoArticle = lateView(async () => (await marks()).PhotoArticle);

/** By itself: what is published often has one, and hardly ever anything of the rest. */
export const Reply = lateView(async () => (await import("@/components/moderation/reply")).Reply);
