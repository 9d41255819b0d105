"use client";

import { useRouter } from "next/navigation";
import { noteLeaving } from "@/components/moderation/use-keys";

const places = {
  h: "/portal",
  q: "/portal/queue",
  r: "/portal/reviews",
  s: "/portal/seller_reviews",
  o: "/portal/orders",
};

/** Commands that lead elsewhere: G, then the first letter of the place. `clientId` where addresses must name the client. */
export function useGo(clientId?: string): Record<string, () => void> {
  const router = useRouter();
  const query = clientId === undefined ? "" : `?client_id=${encodeURIComponent(clientId)}`;
  const go = (address: string) => {
    noteLeaving(address);
    router.push(address);
  };
  return Object.fromEntries(Object.entries(places).map(([key, path]) => [`g ${key}`, () => go(`${path}${query}`)]));
}
