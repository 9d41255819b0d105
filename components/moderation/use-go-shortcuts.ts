"use client";

import { useRouter } from "next/navigation";
import { markLeaving } from "@/components/moderation/use-shortcuts";

const places = {
  h: "/portal",
  q: "/portal/queue",
  r: "/portal/reviews",
  s: "/portal/seller_reviews",
  o: "/portal/orders",
};

/**
 * Shortcuts that open other pages: G, then the first letter of the page. `clientId` if addresses must contain the
 * client.
 */
export function useGoShortcuts(clientId?: string): Record<string, () => void> {
  const router = useRouter();
  const query = clientId === undefined ? "" : `?client_id=${encodeURIComponent(clientId)}`;
  const go = (address: string) => {
    markLeaving(address);
    router.push(address);
  };
  return Object.fromEntries(Object.entries(places).map(([key, path]) => [`g ${key}`, () => go(`${path}${query}`)]));
}
