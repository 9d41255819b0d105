"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Several views of one thing in one place. */
export function Tabs({ label, tabs }: { label: string; tabs: { id: string; name: string; content: ReactNode }[] }) {
  return (
    <Radix.Root defaultValue={tabs[0]?.id}>
      <Radix.List aria-label={label} className="inline-flex rounded-control bg-sunken p-0.5">
        {tabs.map(({ id, name }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="flex h-9 items-center rounded-[0.4rem] px-3 text-sm font-medium text-muted hover:text-ink data-[state=active]:bg-lifted data-[state=active]:text-ink data-[state=active]:shadow-raised lg:h-8"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="mt-3">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
