import type { ToldIssue, TranslateNotices } from "@/lib/platform/http/client";

export type Trouble = { readonly notices?: Readonly<Record<string, readonly ToldIssue[]>> };

/** Something with the sentences that are made of reasons, said by `say`. */
export function translateTrouble<T extends Trouble>(one: T, say: TranslateNotices): T {
  const said = Object.entries(one.notices ?? {}).map(([member, notices]) => [member, say(notices)]);
  return { ...one, ...Object.fromEntries(said) };
}
