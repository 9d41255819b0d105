import type { ReactNode } from "react";
import { WordsProvider } from "@/components/words/client";
import { spokenIn } from "@/lib/words/of-request";
import type { RoomName } from "@/lib/words/rooms";

/** The layout of a part of the portal: hands what its rooms say to their components in the browser. */
export const speaking = (...rooms: RoomName[]) =>
  async function Speaking({ children }: { children: ReactNode }) {
    return <WordsProvider {...(await spokenIn(...rooms))}>{children}</WordsProvider>;
  };
