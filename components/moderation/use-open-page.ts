"use client";

import { useRouter } from "next/navigation";
import { pageShortcuts } from "@/components/moderation/shortcuts";
import { markLeaving } from "@/components/moderation/use-shortcuts";
import { withStore } from "@/components/portal/with-store";

/**
 * Returns the command that opens the page of a shortcut. `clientId` if addresses must contain the client.
 */
export function useOpenPage(clientId?: string): (keys: string) => void {
  const router = useRouter();
  return (keys) => {
    const address = withStore(pageShortcuts[keys as keyof typeof pageShortcuts], clientId);
    markLeaving(address);
    router.push(address);
  };
}
