"use client";

import clsx from "clsx";
import { Toast as Radix } from "radix-ui";
import { useWords } from "#words";
import { buttonClass } from "./button";
import { type ToastMessage, toastClass, toastPlace } from "./toast-look";

/** The messages as they are read out, waited for and swept away; see toast.tsx. */
export function ToastList({ messages, hide }: { messages: readonly ToastMessage[]; hide: (id: string) => void }) {
  const t = useWords();
  return (
    <Radix.Provider swipeDirection="down" label={t("Message")}>
      {messages.map((message) => (
        <Radix.Root
          key={message.id}
          duration={message.duration ?? 6_000}
          onOpenChange={(open) => !open && hide(message.id)}
          className={clsx(toastClass(message), "data-[state=open]:animate-arrive")}
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
      <Radix.Viewport className={toastPlace} />
    </Radix.Provider>
  );
}
