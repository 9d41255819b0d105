"use client";

import { isServer, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Toasts } from "@/components/ui/toast";
import { isUnavailable } from "@/lib/http/client";

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

let inBrowser: QueryClient | undefined;

/** One cache in the browser, a new one for each request on the server. */
function queryClient(): QueryClient {
  if (isServer) return newQueryClient();
  inBrowser ??= newQueryClient();
  return inBrowser;
}

export function Providers({ children }: { children: ReactNode }) {
  // After everything within: effects of what is inside come first.
  useEffect(() => window.candorReady?.(), []);
  return (
    <QueryClientProvider client={queryClient()}>
      <Toasts>{children}</Toasts>
    </QueryClientProvider>
  );
}
