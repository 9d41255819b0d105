import type { ToldIssue, TranslateNotices } from "@/lib/platform/http/client";

export type WithNotices = { readonly notices?: Readonly<Record<string, readonly ToldIssue[]>> };

/** Something with the sentences that are made of reasons, said by `say`. */
export function translateNoticeFields<T extends WithNotices>(one: T, translate: TranslateNotices): T {
  const translated = Object.entries(one.notices ?? {}).map(([member, notices]) => [member, translate(notices)]);
  return { ...one, ...Object.fromEntries(translated) };
}
