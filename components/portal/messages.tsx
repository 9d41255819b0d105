"use client";

import { createContext, createElement, Fragment, type ReactNode, useContext, useMemo } from "react";
import { type CompactMessages, compactFormatter } from "@/lib/platform/i18n/compact-formatter";
import type { Language } from "@/lib/platform/i18n/languages";
import type { MessageKey, Translate, Values } from "@/lib/platform/i18n/translator";

type Messages = Partial<CompactMessages<MessageKey>>;
type MessagesInput = { language: Language; messages: Messages };

const Context = createContext<MessagesInput & { t: Translate }>({
  language: "en",
  messages: {},
  t: browserTranslator("en", {}),
});

/** Adds namespaces of messages for the components below to those already provided. */
export function MessagesProvider({ language, messages, children }: MessagesInput & { children?: ReactNode }) {
  const parent = useContext(Context);
  const value = useMemo(() => {
    const all = parent.language === language ? { ...parent.messages, ...messages } : messages;
    return { language, messages: all, t: browserTranslator(language, all) };
  }, [parent, language, messages]);
  return <Context value={value}>{children}</Context>;
}

/** `const t = useTranslations()`, then `t("orders.count", { n })`. */
export const useTranslations = (): Translate => useContext(Context).t;

/** Formats messages parsed on the server: a message parser would be as large as a page's own script. */
function browserTranslator(language: Language, messages: Messages): Translate {
  const format = compactFormatter(language, messages as CompactMessages<MessageKey>);
  const text = (key: MessageKey, values?: Values): string => (messages[key] === undefined ? key : format(key, values));
  const rich = (key: MessageKey, values: Record<string, ReactNode>): ReactNode => {
    const isText = (value: ReactNode) => typeof value === "string" || typeof value === "number";
    const marked = Object.entries(values).map(([name, value]) => [name, isText(value) ? value : `\0${name}\0`]);
    const parts = text(key, Object.fromEntries(marked)).split("\0");
    return createElement(Fragment, null, ...parts.map((part, at) => (at % 2 === 1 ? values[part] : part)));
  };
  return Object.assign(text, { rich, language });
}
