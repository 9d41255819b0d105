import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MessagesProvider } from "@/components/portal/messages";
import { portalMessages, portalTexts } from "@/lib/platform/i18n/messages";
import type { Namespace } from "@/lib/platform/i18n/translator";

const messages = portalTexts("en", Object.keys(portalMessages("en")) as Namespace[]);

/** A component of the portal as HTML, in English. */
export const renderInEnglish = (element: ReactElement): string =>
  renderToStaticMarkup(createElement(MessagesProvider, { language: "en", messages }, element));
