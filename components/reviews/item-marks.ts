"use client";

import { Alike } from "@/components/reviews/alike";
import { ItemFindings } from "@/components/reviews/item-findings";
import { PhotoArticle } from "@/components/reviews/photo-article";
import { Reports } from "@/components/reviews/reports";

/** What only some items have, see late-views.tsx. */
export const itemMarks = { Alike, ItemFindings, PhotoArticle, Reports };
