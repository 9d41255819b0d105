import type { Writer } from "@/lib/display/honesty/texts";
import type { BiasFinding, BiasQuestion } from "@/lib/honesty/bias/find-bias";
import type { PublicText } from "@/lib/platform/i18n/public-texts";

const keys: Record<BiasQuestion, Parameters<PublicText>[0]> = {
  published: "honesty.biasPublished",
  time_to_publish: "honesty.biasTime",
  removed: "honesty.biasRemoved",
  replied: "honesty.biasReplied",
  invited: "honesty.biasInvited",
  invited_value: "honesty.biasInvitedValue",
  invited_returns: "honesty.biasInvitedReturns",
};

/** `Reviews with 1 or 2 stars are published less often than those with 4 or 5: 50% against 90%, 212 reviews, p < 0.001` */
export function biasText(writer: Writer, { question, low, high, p }: BiasFinding): string {
  const { t, percent, duration, language } = writer;
  const number = (value: number, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(language, options).format(value);
  const shown = {
    more: low.count * high.reviews > high.count * low.reviews ? "low" : "high",
    n: low.reviews + high.reviews,
    p: p < 0.001 ? `p < ${number(0.001, {})}` : `p = ${number(p, { maximumSignificantDigits: 1 })}`,
  };
  if (question !== "time_to_publish")
    return t(keys[question], {
      ...shown,
      low: percent(low.count, low.reviews),
      high: percent(high.count, high.reviews),
    });
  // The minutes are rounded down.
  const minutes = [low, high].map(({ median }) => (median ?? 0) + 1);
  return t(keys[question], {
    ...shown,
    ratio: number(Math.max(...minutes) / Math.min(...minutes), { maximumFractionDigits: 1 }),
    low: duration(low.median ?? 0, "short"),
    high: duration(high.median ?? 0, "short"),
  });
}
