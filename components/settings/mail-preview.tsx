"use client";

import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Monitor, Moon, Smartphone } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { MailFrame, Plain } from "@/components/operator/mail/mail-view";
import { useSettled } from "@/components/portal/use-settled";
import { languageName } from "@/components/settings/language-name";
import type { Settings } from "@/components/settings/settings-draft";
import { templateName } from "@/components/settings/template-name";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import type { BlocksByLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import type { previewMailContract, testMailContract } from "@/lib/invitations/contract";
import { call, messageOf, translateIssues } from "@/lib/platform/http/client";
import { type Language, languages } from "@/lib/platform/i18n/languages";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = {
  clientId: string;
  config: Settings["config"];
  /** unsaved templates made of blocks */
  blocks: BlocksByLanguage | undefined;
  lang: Language;
  onLang: (lang: Language) => void;
  maySend: boolean;
  email: string;
};
type Kind = "invitation" | "reminder" | "seller";

/** The emails with a preview. */
export const mailKinds: { value: Kind; label: MessageKey }[] = [
  { value: "invitation", label: "common.invitation" },
  { value: "reminder", label: "common.reminder" },
  { value: "seller", label: "templates.sellerOnly" },
];

/** Preview of the email with the page's settings, with its issues and a button to send it to oneself. */
export function MailPreviewCard({ clientId, config, blocks, lang, onLang, maySend, email }: Props) {
  const t = useTranslations();
  const [kind, setKind] = useState<Kind>("invitation");
  const [narrow, setNarrow] = useState(false);
  const [dark, setDark] = useState(false);
  const settled = useSettled({ config, blocks }, 400);
  const sample = { lang, kind, ...settled };
  const query = { client_id: clientId };
  const preview = useQuery({
    queryKey: ["mail-preview", clientId, sample],
    queryFn: async () => {
      const endpoint = "POST /portal/api/v1/settings/mail/preview";
      const { data } = await call<typeof previewMailContract>(endpoint, { query, body: sample });
      return { ...data, issues: await translateIssues(data.issues) };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  const mail = preview.data;
  return (
    <section
      aria-labelledby="mail-preview"
      className="rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6"
    >
      <h2 id="mail-preview" className="text-lg font-semibold">
        {t("templates.previewTitle")}
      </h2>
      <p className="max-w-prose text-sm text-muted">{t("templates.previewHint")}</p>
      <div className="my-4 flex flex-wrap items-end gap-3">
        <Field id="preview-lang" label={t("common.language")}>
          {(wiring) => (
            <Select {...wiring} compact value={lang} onChange={({ target }) => onLang(target.value as Language)}>
              {languages.map((code) => (
                <option key={code} value={code}>
                  {languageName(code, t.language)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field id="preview-kind" label={t("emailPreview.email")} className="min-w-0">
          {(wiring) => (
            <Select {...wiring} compact value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
              {mailKinds.map(({ value, label }) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="ml-auto flex gap-3">
          <Button aria-pressed={dark} onClick={() => setDark(!dark)}>
            <Moon aria-hidden="true" className="size-4" />
            {t("templates.darkMode")}
          </Button>
          <Button aria-pressed={narrow} onClick={() => setNarrow(!narrow)}>
            {narrow ? (
              <Monitor aria-hidden="true" className="size-4" />
            ) : (
              <Smartphone aria-hidden="true" className="size-4" />
            )}
            {narrow ? t("common.desktopView") : t("common.mobileView")}
          </Button>
        </div>
      </div>
      {preview.error && <Notice tone="bad">{messageOf(preview.error, t)}</Notice>}
      {mail && (mail.issues.length > 0 || mail.unknown.length > 0) && (
        <div role="status" className="mb-4 flex flex-col gap-2">
          {mail.issues.map(({ field, message }) => (
            <Notice key={`${field}${message}`} tone="bad">
              {templateName(field ?? "", t)}: {message}
            </Notice>
          ))}
          {mail.unknown.map(({ template, name }) => (
            <Notice key={`${template}${name}`} tone="warn">
              {t("templates.unknownVariable", {
                template: templateName(template, t),
                name: `{{ ${name} }}`,
              })}
            </Notice>
          ))}
        </div>
      )}
      {mail ? (
        <div aria-busy={preview.isPlaceholderData}>
          <p className="mb-3 text-sm">
            <span className="text-muted">{t("emailPreview.subject")}</span>{" "}
            <strong className="font-semibold">{mail.subject}</strong>
          </p>
          <Tabs
            label={t("emailPreview.views")}
            tabs={[
              {
                id: "html",
                name: t("emailPreview.preview"),
                content: (
                  <div className={clsx(preview.isPlaceholderData && "opacity-60")}>
                    <ScaledMail html={inScheme(mail.html, dark)} width={narrow ? PHONE_WIDTH : DESKTOP_WIDTH} />
                  </div>
                ),
              },
              {
                id: "text",
                name: t("emailPreview.plainText"),
                content: <Plain>{mail.text}</Plain>,
              },
            ]}
          />
        </div>
      ) : (
        !preview.error && <Skeleton className="h-96" />
      )}
      {maySend && <TestMail clientId={clientId} sample={{ lang, kind, config, blocks }} email={email} />}
    </section>
  );
}

/** Pixels of the screens in the preview. */
const PHONE_WIDTH = 375;
const DESKTOP_WIDTH = 680;

/** An email as on a screen of the given width, made smaller if there is less space. */
function ScaledMail({ html, width }: { html: string; width: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState(width);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setSpace(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, space / width);
  return (
    <div ref={box} className="h-[70dvh] min-h-96 overflow-hidden xl:h-[calc(100dvh-33rem)]">
      <div
        className="mx-auto origin-top-left"
        style={{
          width: scale < 1 ? width : Math.min(width, space),
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
        }}
      >
        <MailFrame html={html} fill />
      </div>
    </div>
  );
}

/** The email in dark or light mode, whatever the browser's own mode is. */
const inScheme = (html: string, dark: boolean): string =>
  html.replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/g, dark ? "@media all" : "@media not all");

type TestProps = {
  clientId: string;
  sample: { lang: Language; kind: Kind; config: Settings["config"]; blocks: BlocksByLanguage | undefined };
  email: string;
};

function TestMail({ clientId, sample, email }: TestProps) {
  const t = useTranslations();
  const [to, setTo] = useState(email);
  const test = useMutation({
    mutationFn: () =>
      call<typeof testMailContract>("POST /portal/api/v1/settings/mail/test", {
        query: { client_id: clientId },
        body: { ...sample, to },
      }),
  });
  return (
    <form
      className="mt-5 flex flex-wrap items-end gap-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <Field id="test-to" label={t("templates.testRecipient")} className="min-w-64 flex-1">
        {(wiring) => (
          <Input
            {...wiring}
            type="email"
            required
            autoComplete="email"
            placeholder="you@shop.example"
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={test.isPending}>
        {test.isPending ? t("common.sending") : t("templates.sendTest")}
      </Button>
      <p role="status" className="w-full text-sm empty:hidden">
        {test.error && <span className="font-medium text-bad">{messageOf(test.error, t)}</span>}
        {test.isSuccess && t("templates.testSent")}
      </p>
    </form>
  );
}
