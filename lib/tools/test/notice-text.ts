import { toPublicNotices } from "@/lib/platform/notices";

/** A stored notice as text in English. */
export const noticeInEnglish = (stored: string | null | undefined): string | null =>
  stored == null
    ? null
    : toPublicNotices(stored)
        .map(({ message }) => message)
        .join(" ");
