"use client";

import clsx from "clsx";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { segmentClass, segmentsClass } from "@/components/ui/segments";

type Props = { label: string; tabs: { id: string; name: string; content: ReactNode }[] };

/** Several views in one place. One tab stop; arrows, Home and End select. */
export function Tabs({ label, tabs }: Props) {
  const own = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const at = Math.max(
    tabs.findIndex(({ id }) => id === chosen),
    0,
  );
  const move = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    setChosen(tabs[next]?.id);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} onKeyDown={move} className={clsx(segmentsClass, "inline-flex")}>
        {tabs.map(({ id, name }, index) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${own}-${id}-tab`}
            aria-selected={index === at}
            aria-controls={`${own}-${id}`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setChosen(id)}
            className={segmentClass}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ id, content }, index) => (
        <div
          key={id}
          role="tabpanel"
          id={`${own}-${id}`}
          aria-labelledby={`${own}-${id}-tab`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without focusable content is scrolled with the keyboard
          tabIndex={0}
          hidden={index !== at}
          className="mt-3"
        >
          {index === at && content}
        </div>
      ))}
    </div>
  );
}
