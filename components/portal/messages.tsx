"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Language } from "@/lib/platform/i18n/languages";
import { type PortalMessages, type Translate, translator } from "@/lib/platform/i18n/translator";

type Given = { language: Language; messages: Partial<PortalMessages> };

const Context = createContext<Given & { t: Translate }>({ language: "en", messages: {}, t: translator("en", {}) });

/** Gives the components within it some namespaces of the catalogue, beside those that are given around it. */
export function MessagesProvider({ language, messages, children }: Given & { children?: ReactNode }) {
  const around = useContext(Context);
  const value = useMemo(() => {
    const all = around.language === language ? { ...around.messages, ...messages } : messages;
    return { language, messages: all, t: translator(language, all) };
  }, [around, language, messages]);
  return <Context value={value}>{children}</Context>;
}

/** `const t = useTranslations()`, then `t("orders.count", { n })`. */
export const useTranslations = (): Translate => useContext(Context).t;
