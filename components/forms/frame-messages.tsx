"use client";

import { useEffect } from "react";
import { messageTargets } from "@/components/forms/message-targets";
import type { FormFrame } from "@/lib/forms/schema";

type Props = Pick<FormFrame, "ancestors" | "messageId"> & { isSubmitted: boolean };

/** Marks the page after submission in the history, so that a reload or the way back doesn't report it again. */
const REPORTED = "candorSubmitReported";

/**
 * Sends the page that frames a form its height, now and on each change, and that it was submitted. The text's format is
 * that of the service that these forms replace.
 */
export function FrameMessages({ ancestors, messageId, isSubmitted }: Props) {
  const allowed = ancestors.join(" ");
  useEffect(() => {
    const content = document.querySelector("main");
    if (window.parent === window || !content) return;
    // Not every browser has `ancestorOrigins`.
    const origins = messageTargets(allowed.split(" "), location.ancestorOrigins?.[0], document.referrer);
    // Otherwise the form is at least as high as the frame, and never gets smaller.
    document.documentElement.dataset.framed = "";
    let sentHeight = 0;
    let event = isSubmitted && !history.state?.[REPORTED] ? "submit" : undefined;
    const observer = new ResizeObserver(() => {
      const height = Math.ceil(content.getBoundingClientRect().height);
      if (height === sentHeight && !event) return;
      const text = JSON.stringify({ testFreaks: { messageId: messageId ?? undefined, height, event } });
      for (const origin of origins) window.parent.postMessage(text, origin);
      sentHeight = height;
      // Next.js stores its own values in the state.
      if (event) history.replaceState({ ...history.state, [REPORTED]: true }, "");
      event = undefined;
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, [allowed, messageId, isSubmitted]);
  return null;
}
