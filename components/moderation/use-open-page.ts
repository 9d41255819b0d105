"use client";

import { useRouter } from "next/navigation";
import { pageShortcuts } from "@/components/moderation/shortcuts";
import { markLeaving } from "@/components/moderation/use-shortcuts";

/**
 * Returns the command that opens the page of a shortcut. `clientId` if addresses must contain the client.
 */
export function useOpenPage(clientId?: string): (shortcut: string) => void {
  const router = useRouter();
  const query = clientId === undefined ? "" : `?client_id=${encodeURIComponent(clientId)}`;
  return (shortcut) => {
    const address = `${pageShortcuts[shortcut as keyof typeof pageShortcuts]}${query}`;
    markLeaving(address);
    router.push(address);
  };
}
