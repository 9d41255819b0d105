"use client";

import type { ComponentProps } from "react";
import { useLeave } from "./leave";

/**
 * A link to a page of the portal: the page around it stays. The framework's own link fetches ahead what can be told before
 * anybody asks for it; of pages that are drawn for their reader there is nothing such, and it weighs seven times as much.
 */
export function Link({ href, onClick, ...rest }: ComponentProps<"a"> & { href: string }) {
  const leave = useLeave();
  return (
    <a
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const { button, metaKey, ctrlKey, shiftKey, altKey, currentTarget: link } = event;
        // Another window, a download, another site: all that is the browser's.
        if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
        if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
        event.preventDefault();
        leave(href);
      }}
      {...rest}
    />
  );
}
