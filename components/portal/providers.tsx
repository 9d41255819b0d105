"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { PersonProvider } from "@/components/portal/person-provider";
import { Toasts } from "@/components/ui/toast";
import { isUnavailable } from "@/lib/platform/http/client";

const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The server loaded the first page's data: don't fetch it again immediately.
        staleTime: 30_000,
        // Retry twice, and only if the service is unavailable: other errors would repeat.
        retry: (failures, error) => failures < 2 && isUnavailable(error),
      },
    },
  });

/** Providers for every portal page. */
export function Providers({ person, children }: { person: string; children: ReactNode }) {
  // Runs after all effects below: from now on the page reacts to input.
  useEffect(() => {
    performance.mark("candor-interactive");
  }, []);
  // Reload tabs that still show another person's pages; changes they send anyway are rejected.
  useEffect(() => {
    const tabs = new BroadcastChannel("candor-person");
    tabs.onmessage = ({ data }) => data === person || location.reload();
    tabs.postMessage(person);
    return () => tabs.close();
  }, [person]);
  return (
    <PersonProvider id={person}>
      <Queries>
        <Toasts>{children}</Toasts>
      </Queries>
    </PersonProvider>
  );
}

/** Below PersonProvider, so that each person starts with an empty cache. */
function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
