"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { useWords } from "#words";
import { buttonClass } from "./button";
import { useLatePartsAtFirstSign } from "./late";
import { windowParts } from "./late-windows";
import { type Toaster, type ToastMessage, toastClass, toastPlace } from "./toast-look";

const Context = createContext<Toaster | null>(null);

/** Short messages that come by themselves and go by themselves. */
export function useToast(): Toaster {
  const toaster = useContext(Context);
  if (!toaster) throw new Error("useToast needs a Toasts around it");
  return toaster;
}

export function Toasts({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<ToastMessage[]>([]);
  const show = useCallback((message: ToastMessage) => {
    setMessages((held) => [...held.filter(({ id }) => id !== message.id), message].slice(-3));
  }, []);
  const hide = useCallback((id: string) => setMessages((held) => held.filter((message) => message.id !== id)), []);
  const toaster = useMemo(() => ({ show, hide }), [show, hide]);
  useEffect(() => {
    window.candorSay = show;
  }, [show]);
  useLatePartsAtFirstSign();
  const windows = windowParts.use(messages.length > 0);
  return (
    <Context.Provider value={toaster}>
      {children}
      {windows === "failed" ? (
        <PlainList messages={messages} hide={hide} />
      ) : (
        windows && <windows.ToastList messages={messages} hide={hide} />
      )}
    </Context.Provider>
  );
}

/** Where the connection is gone, a message may well be about that: it is shown without anything that has to be fetched. */
function PlainList({ messages, hide }: { messages: readonly ToastMessage[]; hide: (id: string) => void }) {
  const t = useWords();
  return (
    <ol role="status" className={toastPlace}>
      {messages.map((message) => (
        <li key={message.id} className={toastClass(message)}>
          <span className="min-w-0 flex-1">{message.text}</span>
          {message.action && (
            <button type="button" className={buttonClass({ size: "small" })} onClick={message.action.run}>
              {message.action.label}
            </button>
          )}
          <button type="button" className={buttonClass({ size: "small" })} onClick={() => hide(message.id)}>
            {t("Close")}
          </button>
        </li>
      ))}
    </ol>
  );
}
