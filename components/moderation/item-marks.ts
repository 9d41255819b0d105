"use client";

import { Alike } from "@/components/moderation/alike";
import { ItemFindings } from "@/components/moderation/item-findings";
import { PhotoArticle } from "@/components/moderation/photo-article";
import { Reports } from "@/components/moderation/reports";

/** What only some items have, see late-views.tsx. */
export const itemMarks = { Alike, ItemFindings, PhotoArticle, Reports };
