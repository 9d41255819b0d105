"use client";

import { type ReactNode, useEffect } from "react";
import { Person } from "@/components/portal/person";
import { Leaving } from "@/components/ui/leave";
import { Toasts } from "@/components/ui/toast";

/** What every page of the portal has around it. Those that ask the service bring Queries (queries.tsx) themselves. */
export function Providers({ person, children }: { person: string; children: ReactNode }) {
  // After everything within: effects of what is inside come first.
  useEffect(() => window.candorReady?.(), []);
  // Tabs that still show another's pages are loaded anew; what one sends nevertheless is refused.
  useEffect(() => {
    const tabs = new BroadcastChannel("candor-person");
    tabs.onmessage = ({ data }) => data === person || location.reload();
    tabs.postMessage(person);
    return () => tabs.close();
  }, [person]);
  return (
    <Person id={person}>
      <Leaving>
        <Toasts>{children}</Toasts>
      </Leaving>
    </Person>
  );
}
