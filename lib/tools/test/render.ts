import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MessagesProvider } from "@/components/portal/messages";
import { portalMessages } from "@/lib/platform/i18n/messages";

const messages = await portalMessages("en");

/** A component of the portal as HTML, in English. */
export const renderInEnglish = (element: ReactElement): string =>
  renderToStaticMarkup(createElement(MessagesProvider, { language: "en", messages }, element));
