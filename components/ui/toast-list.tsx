"use client";

import clsx from "clsx";
import { Toast as Radix } from "radix-ui";
import { useTranslations } from "#messages";
import { buttonClass } from "./button";

export type ToastMessage = {
  /** a second message with the same id replaces the first */
  id: string;
  text: string;
  tone?: "plain" | "bad";
  /** milliseconds until it disappears; paused while it has the pointer or the focus */
  duration?: number;
  action?: {
    label: string;
    /** what to do instead, for people who can't reach it in time */
    hint: string;
    run: () => void;
  };
};

/** `number`: unique, so that a message that replaces a closing one gets its full time. */
export type ShownMessage = ToastMessage & { number: number };

export type ToastListProps = { messages: readonly ShownMessage[]; hide: (number: number) => void };

/** The messages that {@link import("./toast").Toasts} loads. */
export function ToastList({ messages, hide }: ToastListProps) {
  const t = useTranslations();
  return (
    <Radix.Provider swipeDirection="down" label={t("common.notifications")}>
      {messages.map((message) => (
        <Radix.Root
          key={message.number}
          duration={message.duration ?? 6_000}
          onOpenChange={(open) => !open && hide(message.number)}
          className={clsx(
            "pointer-events-auto flex items-center gap-3 rounded-card py-2.5 pr-2.5 pl-4 text-sm shadow-float data-[state=open]:animate-arrive",
            message.tone === "bad" ? "bg-bad text-on-solid" : "bg-ink text-surface",
          )}
        >
          <Radix.Description className="min-w-0 flex-1">{message.text}</Radix.Description>
          {message.action && (
            <Radix.Action
              altText={message.action.hint}
              onClick={message.action.run}
              className={buttonClass({ size: "small" })}
            >
              {message.action.label}
            </Radix.Action>
          )}
        </Radix.Root>
      ))}
      {/* Above the action bar at the bottom of work pages. */}
      <Radix.Viewport className="pointer-events-none fixed inset-x-4 bottom-34 z-50 mx-auto flex max-w-md flex-col gap-2 outline-none lg:bottom-20" />
    </Radix.Provider>
  );
}
