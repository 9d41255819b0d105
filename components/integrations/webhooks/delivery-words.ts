import type { Tone } from "@/components/ui/badge";
import { momentWords } from "@/components/ui/time";
import type { WebhookDelivery } from "@/lib/integrations/webhooks/schema";
import { TEST_EVENT } from "@/lib/integrations/webhooks/values";
import type { Words } from "@/lib/platform/i18n/rules";

export const deliveryStates: Record<WebhookDelivery["state"], { word: string; tone: Tone }> = {
  pending: { word: "Waits", tone: "warn" },
  sent: { word: "Told", tone: "good" },
  failed: { word: "Given up", tone: "bad" },
  withdrawn: { word: "Withdrawn", tone: "plain" },
};

/** The state of an event as a badge. A test event is tried once, and not given up. */
export function stateOf(
  { state, event }: Pick<WebhookDelivery, "state" | "event">,
  t: Words,
): { word: string; tone: Tone } {
  const { word, tone } = deliveryStates[state];
  return { word: t(event === TEST_EVENT && state === "failed" ? "Failed" : word), tone };
}

/** What came of an event so far, as a sentence. */
export function storyOf(
  { state, error, status, attempts, due_at, tried_at }: WebhookDelivery,
  timeZone: string,
  t: Words,
): string {
  const at = (moment: string | null) => (moment ? momentWords(moment, timeZone, t.locale) : "");
  if (state === "sent") {
    const values = { status: String(status), moment: at(tried_at) };
    if (attempts < 2) return t("Status {status}, {moment}", values);
    const nth = t.language === "en" ? `${attempts}${ordinal(attempts)}` : String(attempts);
    return t("Status {status} at the {nth} try, {moment}", { ...values, nth });
  }
  if (!error) return t("Not tried yet.");
  return [
    error,
    ...(attempts > 1 ? [t("Tried {n} time.|Tried {n} times.", { n: attempts })] : []),
    ...(due_at
      ? [Date.parse(due_at) > Date.now() ? t("Next try {moment}.", { moment: at(due_at) }) : t("Next try soon.")]
      : []),
  ].join(" ");
}

const ordinal = (number: number): string =>
  number % 100 > 10 && number % 100 < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th");
