import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MessagesProvider } from "@/components/portal/messages";
import { allMessages, compactMessagesOf } from "@/lib/platform/i18n/messages";
import type { Namespace } from "@/lib/platform/i18n/translator";

const messages = compactMessagesOf("en", "portal", Object.keys(allMessages.en.portal) as Namespace[]);

/** A component of the portal as HTML, in English. */
export const renderInEnglish = (element: ReactElement): string =>
  renderToStaticMarkup(createElement(MessagesProvider, { language: "en", messages }, element));
