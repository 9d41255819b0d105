"use client";

import { isServer, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { usePerson } from "@/components/portal/person";
import { isUnavailable } from "@/lib/platform/http/client";

const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The server awaited the first page: it is not asked for again at once.
        staleTime: 30_000,
        // What was refused is refused again: only what may be better in a moment is asked twice more.
        retry: (failures, error) => failures < 2 && isUnavailable(error),
      },
    },
  });

/** Each is mounted while it is kept. */
const inBrowser = new Map<string, QueryClient>();

/** One cache a person in the browser, and a new one for each request on the server. */
export function cacheOf(person: string): QueryClient {
  if (isServer) return newQueryClient();
  const known = inBrowser.get(person);
  if (known) return known;
  const client = newQueryClient();
  // For good: who was offline when a page that asks was left would be so for ever.
  client.mount();
  inBrowser.set(person, client);
  return client;
}

/** To be said once a page of somebody's is there: it is their browser now, and nothing that was heard for others is kept. */
export function keepOnly(person: string): void {
  for (const [other, client] of inBrowser) {
    if (other === person) continue;
    client.unmount();
    client.clear();
    inBrowser.delete(other);
  }
}

/**
 * Lets what is within ask the service, and holds what it heard. It stands around the parts of the portal that ask and around
 * no others, since it weighs eight kilobytes of script; wherever it stands, what was heard is the same.
 */
export function Queries({ children }: { children: ReactNode }) {
  const person = usePerson();
  useEffect(() => keepOnly(person), [person]);
  return <QueryClientProvider client={cacheOf(person)}>{children}</QueryClientProvider>;
}
