import type { CompactMessages } from "@/lib/platform/i18n/compact-formatter";
import type { PublicMessages } from "@/lib/platform/i18n/translator";

type WidgetKey = keyof PublicMessages["widget"];

/** A client's custom question, for showing its answers in reviews. */
export type QuestionLabels = { label: string; options: Record<string, string> };

/** The client's settings in its script. */
export type WidgetSettings = {
  /** the client's id */
  client: string;
  /** the service's origin: scheme, host and port */
  origin: string;
  shop: string;
  /** the address of the page on how the store handles reviews */
  honesty: string;
  /** the address of the badge that tells about it; null if the store hides it */
  badge: string | null;
  /** of the script's modules: content under it never changes */
  version: string;
  /** the widget's language; `locale` for numbers and dates */
  lang: string;
  locale: string;
  messages: CompactMessages<WidgetKey>;
  /** whether visitors can ask questions */
  questions: boolean;
  /** by the name under which reviews contain the answers */
  reviewQuestions: Record<string, QuestionLabels>;
  /** the client's own colors */
  css: string;
};
