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
        // The server awaited the first page: it is not asked for again at once.
        staleTime: 30_000,
        // What was refused is refused again: only what may be better in a moment is asked twice more.
        retry: (failures, error) => failures < 2 && isUnavailable(error),
      },
    },
  });

/** What every page of the portal has around it. */
export function Providers({ person, children }: { person: string; children: ReactNode }) {
  // After the effects of everything within: from now on the page hears what is pressed.
  useEffect(() => {
    performance.mark("candor-interactive");
  }, []);
  // Tabs that still show another's pages are loaded anew; what one sends nevertheless is refused.
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

/** Within Person, so each person begins with an empty cache. */
function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
