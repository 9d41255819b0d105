import clsx from "clsx";
import { useTranslations } from "#messages";
import { Tabs } from "@/components/ui/tabs";
import { formatMoment } from "@/lib/platform/i18n/format";

import type { MailboxMail } from "@/lib/platform/mail/schema";

/** A stored email as its reader sees it, as plain text, and its headers. */
export function MailView({ mail }: { mail: MailboxMail }) {
  const t = useTranslations();
  const facts: [string, string | null][] = [
    [t("emailPreview.to"), mail.to],
    [t("emailPreview.from"), mail.from],
    [t("emailPreview.replyTo"), mail.reply_to],
    [t("emailPreview.created"), `${formatMoment(mail.created_at, "UTC", t.language)} UTC`],
  ];
  const views = [
    { id: "html", name: t("emailPreview.preview"), content: mail.html !== null && <MailFrame html={mail.html} /> },
    { id: "text", name: t("emailPreview.plainText"), content: mail.text !== null && <Plain>{mail.text}</Plain> },
    {
      id: "headers",
      name: t("emailPreview.headers"),
      content: (
        <Plain>
          {Object.entries(mail.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n") || t("emailPreview.noHeaders")}
        </Plain>
      ),
    },
  ].filter(({ content }) => content !== false);
  return (
    <>
      <dl className="mb-5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="min-w-0 break-words">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <Tabs label={t("emailPreview.views")} tabs={views} />
    </>
  );
}

/**
 * An email's HTML in its own frame: scripts don't run, and links open in new tabs. White in dark mode too, because
 * emails without colors assume it.
 */
export function MailFrame({ html, fill = false }: { html: string /** as high as its container */; fill?: boolean }) {
  const t = useTranslations();
  return (
    <iframe
      title={t("emailPreview.frameTitle")}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank">${html}`}
      className={clsx(
        "w-full rounded-card border border-line bg-white scheme-light",
        fill ? "h-full" : "h-[70dvh] min-h-96",
      )}
    />
  );
}

export const Plain = ({ children }: { children: string }) => (
  <pre className="overflow-x-auto rounded-card border border-line bg-raised p-4 font-mono text-sm break-words whitespace-pre-wrap">
    {children}
  </pre>
);
