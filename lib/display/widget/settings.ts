import type { CompactMessages } from "@/lib/platform/i18n/compact-formatter";
import type { PublicMessages } from "@/lib/platform/i18n/translator";

type WidgetKey = keyof PublicMessages["widget"];

/** A client's own question as reviews show its answers. */
export type QuestionLabels = { label: string; options: Record<string, string> };

/** What a client's script is told of the client when it is served. */
export type WidgetSettings = {
  /** the client's id */
  client: string;
  /** where the service is: scheme, host and port */
  origin: string;
  shop: string;
  /** of the script's parts: what is asked for under it never changes */
  version: string;
  /** in which the widget speaks; `locale` for numbers and dates */
  lang: string;
  locale: string;
  messages: CompactMessages<WidgetKey>;
  /** whether visitors may ask */
  questions: boolean;
  /** by the name under which reviews carry the answers */
  asked: Record<string, QuestionLabels>;
  /** the client's own colours */
  css: string;
};
