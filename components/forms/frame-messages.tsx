"use client";

import { useEffect } from "react";
import type { FormFrame } from "@/lib/forms/schema";

type Props = Omit<FormFrame, "hasHeader"> & { isSubmitted: boolean };

/**
 * Sends the page that frames a form its height, now and on each change, and that it was submitted. The text's format is
 * that of the service that these forms replace.
 */
export function FrameMessages({ ancestors, messageId, page, isSubmitted }: Props) {
  const allowed = ancestors.join(" ");
  useEffect(() => {
    const content = document.querySelector("main");
    if (window.parent === window || !content) return;
    const origins = targetOrigins(allowed.split(" "), page);
    // Otherwise the form is at least as high as the frame, and never gets smaller.
    document.documentElement.dataset.framed = "";
    let sentHeight = 0;
    let event = isSubmitted ? "submit" : undefined;
    const observer = new ResizeObserver(() => {
      const height = Math.ceil(content.getBoundingClientRect().height);
      if (height === sentHeight && !event) return;
      const text = JSON.stringify({ testFreaks: { messageId: messageId ?? undefined, height, event } });
      for (const origin of origins) window.parent.postMessage(text, origin);
      sentHeight = height;
      event = undefined;
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, [allowed, page, messageId, isSubmitted]);
  return null;
}

/**
 * The framing page's origin, by the referrer or its `url`. A page may hide both: then all that may frame the form, since
 * the browser delivers to the right one only.
 */
function targetOrigins(ancestors: string[], page: string | null): string[] {
  if (ancestors.includes("*")) return ["*"];
  const known = [document.referrer, page]
    .filter((address) => address && URL.canParse(address))
    .map((address) => new URL(address!).origin)
    .find((origin) => ancestors.includes(origin));
  return known ? [known] : ancestors;
}
