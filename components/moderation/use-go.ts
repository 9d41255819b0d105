"use client";

import { useLeave } from "@/components/ui/leave";

const places = {
  h: "/portal",
  q: "/portal/queue",
  r: "/portal/reviews",
  s: "/portal/seller_reviews",
  o: "/portal/orders",
};

/** Commands that lead elsewhere: G, then the first letter of the place. `clientId` where addresses must name the client. */
export function useGo(clientId?: string): Record<string, () => void> {
  const leave = useLeave();
  const query = clientId === undefined ? "" : `?client_id=${encodeURIComponent(clientId)}`;
  return Object.fromEntries(Object.entries(places).map(([key, path]) => [`g ${key}`, () => leave(`${path}${query}`)]));
}
