import type { ShortMessages } from "@/lib/platform/i18n/short-text";
import type { PublicMessages } from "@/lib/platform/i18n/translator";

type WidgetKey = keyof PublicMessages["widget"];

/** A client's own question as reviews show its answers. */
export type Asked = { label: string; options: Record<string, string> };

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
  messages: ShortMessages<WidgetKey>;
  /** whether visitors may ask */
  questions: boolean;
  /** by the name under which reviews carry the answers */
  asked: Record<string, Asked>;
  /** the client's own colours */
  css: string;
};
