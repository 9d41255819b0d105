import { notificationPath, notificationText } from "@/lib/accounts/notifications/rules";
import { env } from "@/lib/platform/env";
import type { Language } from "@/lib/platform/i18n/languages";
import { portalText } from "@/lib/platform/i18n/messages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import type { Message } from "@/lib/platform/mail/render-message";
import type { NotificationRow } from "./sql";

/** An email lists so many notifications; the portal has all of them. */
const MAX_LISTED = 20;

type Emailed = Pick<NotificationRow, "kind" | "params" | "client_id" | "client_name" | "path">;

/** The email about a person's new notifications, each with its store and a link. */
export function notificationMessage(language: Language, notifications: readonly Emailed[]): Message {
  const t = emailText(language);
  const portal = portalText(language);
  const origin = env().PUBLIC_URL;
  const n = notifications.length;
  const texts = notifications.map((one) => notificationText(one, portal));
  const [first] = notifications;
  const subject =
    n > 1
      ? t("notificationEmail.subject", { n })
      : first?.client_name
        ? t("notificationEmail.subjectOfOne", { text: texts[0] ?? "", shop: first.client_name })
        : (texts[0] ?? "");
  return {
    language,
    subject,
    preheader: texts[0] ?? "",
    heading: t("notificationEmail.subject", { n }),
    lines: [],
    blocks: notifications.slice(0, MAX_LISTED).map((one, index) => ({
      label: one.client_name,
      lines: [texts[index] ?? ""],
      link: { label: t("notificationEmail.view"), url: `${origin}${notificationPath(one.path, one.client_id)}` },
    })),
    after: n > MAX_LISTED ? [t("notificationEmail.more", { n: n - MAX_LISTED })] : [],
    button: { label: t("notificationEmail.button"), url: `${origin}/portal/notifications` },
    note: null,
    isForTeam: true,
    why: t("notificationEmail.why", { host: new URL(origin).host }),
    opt_out: {
      question: t("notificationEmail.optOut"),
      label: t("notificationEmail.optOutLink"),
      url: `${origin}/portal/account#notifications`,
    },
  };
}
