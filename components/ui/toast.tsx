"use client";

import {
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ShownMessage, ToastListProps, ToastMessage } from "./toast-list";
import { withMessage, withoutMessage } from "./toast-messages";

export type { ToastMessage };

// Loaded with the first message. Offline, when it can't be loaded, messages are shown as plain text.
const ToastList = lazy<ComponentType<ToastListProps>>(() =>
  import("./toast-list").then(
    (loaded) => ({ default: loaded.ToastList }),
    () => ({ default: PlainList }),
  ),
);

const PlainList = ({ messages }: ToastListProps) => (
  <div role="status" className="fixed inset-x-4 bottom-34 z-50 mx-auto max-w-md lg:bottom-20">
    {messages.map(({ id, text }) => (
      <p key={id} className="mt-2 rounded-card bg-bad px-4 py-2.5 text-sm text-on-solid shadow-float">
        {text}
      </p>
    ))}
  </div>
);

type Toaster = { show: (message: ToastMessage) => void };

const Context = createContext<Toaster | null>(null);

/** Short messages that disappear on their own. */
export function useToast(): Toaster {
  const toaster = useContext(Context);
  if (!toaster) throw new Error("useToast needs a Toasts around it");
  return toaster;
}

export function Toasts({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly ShownMessage[]>([]);
  const count = useRef(0);
  const show = useCallback((message: ToastMessage) => {
    const shown = { ...message, number: ++count.current };
    setMessages((held) => withMessage(held, shown));
  }, []);
  const hide = useCallback((number: number) => setMessages((held) => withoutMessage(held, number)), []);
  const toaster = useMemo(() => ({ show }), [show]);
  return (
    <Context.Provider value={toaster}>
      {children}
      {messages.length > 0 && (
        <Suspense>
          <ToastList messages={messages} hide={hide} />
        </Suspense>
      )}
    </Context.Provider>
  );
}
