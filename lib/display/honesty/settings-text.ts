import { isDeepStrictEqual } from "node:util";
import { quarantineDays } from "@/lib/accounts/stores/settings";
import type { Writer } from "@/lib/display/honesty/texts";
import type { PublicText } from "@/lib/platform/i18n/public-texts";

// The settings that a log has, in plain words. A log can have those of older or newer versions, so each is read with
// care, and those without words of their own only count as changed.

type Settings = Record<string, unknown>;
type SettingKey = Parameters<PublicText>[0];
type Row = { id: string; label: string; value: string };

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** Whom the store asks and what it publishes: a row each. */
export function settingRows({ t, days }: Writer, settings: Settings): Row[] {
  const daysOr = (value: unknown, words: (days: string) => string) => {
    const count = numberOf(value);
    return count === null ? t("honesty.none") : words(days(count));
  };
  const words = (value: unknown) => {
    const n = numberOf(value) ?? 0;
    return n === 0 ? t("honesty.none") : t("honesty.words", { n });
  };
  const minWords = numberOf(settings.min_review_words) ?? 0;
  const minWordsPositive = numberOf(settings.min_review_words_promoter) ?? minWords;
  const rows: [key: SettingKey, value: string | null][] = [
    // How many emails the store can send a day tells about its size, so the page only says whether it sends any.
    ["honesty.askSends", t(sendsAny(settings) ? "honesty.askSendsOn" : "honesty.askSendsOff")],
    [
      "honesty.askAfter",
      daysOr(settings.send_emails_after_days, (after) => t("honesty.askAfterValue", { days: after })),
    ],
    [
      "honesty.askBefore",
      daysOr(settings.send_emails_before_days, (before) => t("honesty.askAfterValue", { days: before })),
    ],
    [
      "honesty.askReminder",
      daysOr(settings.reminder_after_days, (after) => t("honesty.askReminderValue", { days: after })),
    ],
    [
      "honesty.askPause",
      daysOr(quarantineDays({ quarantine_period: numberOf(settings.quarantine_period) }), (pause) =>
        t("honesty.askPauseValue", { days: pause }),
      ),
    ],
    ["honesty.askAbout", t(settings.collect_seller_reviews ? "honesty.askBoth" : "honesty.askProducts")],
    ["honesty.askIncentive", t(settings.incentive === true ? "honesty.askIncentiveOn" : "honesty.askIncentiveOff")],
    ["honesty.askSender", t(settings.own_sender ? "honesty.askSenderOwn" : "honesty.askSenderCandor")],
    ["honesty.askVerify", t(settings.require_verification ? "honesty.askVerifyOn" : "honesty.askVerifyOff")],
    ["honesty.askWords", words(minWords)],
    // Worth a row of its own if reviews with more stars are treated differently.
    ["honesty.askWordsPositive", minWordsPositive === minWords ? null : words(minWordsPositive)],
    [
      "honesty.askModeration",
      t(settings.own_moderation ? "honesty.askModerationOwn" : "honesty.askModerationOperator"),
    ],
    ["honesty.askStars", t(settings.hide_stars === true ? "honesty.askStarsHidden" : "honesty.askStarsShown")],
    ["honesty.askRules", t(settings.auto_moderate ? "honesty.askRulesDecide" : "honesty.askRulesFlag")],
  ];
  return rows.flatMap(([key, value]) => (value === null ? [] : [{ id: key, label: t(key), value }]));
}

const sendsAny = ({ send_limit }: Settings): boolean => send_limit !== 0;

/** The settings that `settingRows` has words for. */
const WORDED = new Set([
  "send_emails_after_days",
  "send_emails_before_days",
  "reminder_after_days",
  "quarantine_period",
  "collect_seller_reviews",
  "incentive",
  "own_sender",
  "require_verification",
  "min_review_words",
  "min_review_words_promoter",
  "own_moderation",
  "hide_stars",
  "auto_moderate",
]);

/** Whether settings changed that have no words of their own. Another limit is one, unless emails were turned on or off. */
function hasOtherChange(before: Settings, after: Settings): boolean {
  const isTurned = sendsAny(before) !== sendsAny(after);
  const othersOf = (settings: Settings) =>
    Object.entries(settings)
      .filter(([name]) => !WORDED.has(name) && !(isTurned && name === "send_limit"))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  return !isDeepStrictEqual(othersOf(before), othersOf(after));
}

export type SettingChange = { at: string; texts: string[] };

/** The changes of settings, newest first. */
export function settingChanges(writer: Writer, history: { at: string; settings: Settings }[]): SettingChange[] {
  const { t } = writer;
  return history
    .flatMap(({ at, settings }, index): SettingChange[] => {
      const before = history[index - 1]?.settings;
      if (!before || isDeepStrictEqual(before, settings)) return [];
      const [rowsBefore, rows] = [settingRows(writer, before), settingRows(writer, settings)];
      const ids = new Set([...rowsBefore, ...rows].map(({ id }) => id));
      const texts = [...ids].flatMap((id) => {
        const [from, to] = [rowsBefore.find((row) => row.id === id), rows.find((row) => row.id === id)];
        if (from?.value === to?.value) return [];
        return [
          t("honesty.changedTo", {
            setting: (to ?? from)?.label ?? "",
            before: from?.value ?? t("honesty.none"),
            after: to?.value ?? t("honesty.none"),
          }),
        ];
      });
      if (texts.length === 0 || hasOtherChange(before, settings)) texts.push(t("honesty.changedOther"));
      return [{ at, texts }];
    })
    .reverse();
}
