import type { ReactNode } from "react";
import { WordsProvider } from "@/components/portal/words/client";
import { spokenIn } from "@/lib/accounts/sign-in/language-of-request";
import type { RoomName } from "@/lib/platform/i18n/rooms";

/** The layout of a part of the portal: hands what its rooms say to their components in the browser. */
export const withMessages = (...rooms: RoomName[]) =>
  async function Speaking({ children }: { children: ReactNode }) {
    return <WordsProvider {...(await spokenIn(...rooms))}>{children}</WordsProvider>;
  };
