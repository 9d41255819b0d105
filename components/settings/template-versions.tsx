"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { startTransition, useState } from "react";
import { useTranslations } from "#messages";
import { MailFrame } from "@/components/operator/mail/mail-view";
import { type Settings, withDraft } from "@/components/settings/settings-draft";
import { partName, templateParts } from "@/components/settings/template-parts";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import type { TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import type { previewMailContract } from "@/lib/invitations/contract";
import type {
  getVersionContract,
  listVersionsContract,
  restoreVersionContract,
} from "@/lib/invitations/template-blocks/contract";
import type { VersionEntry } from "@/lib/invitations/template-blocks/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { Language } from "@/lib/platform/i18n/languages";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

const madeOf: Record<VersionEntry["made_of"], MessageKey> = {
  blocks: "templates.blocks",
  html: "emailPreview.html",
  default: "templates.versionDefault",
};

type Props = {
  clientId: string;
  /** of the settings */
  version: number;
  settings: Settings;
  mayChange: boolean;
  language: TemplateLanguage;
  /** language of the preview */
  shown: Language;
  isUnsaved: boolean;
};

/** When and by whom a version was saved; only when, if that person isn't one of this installation. */
export function savedText(
  { saved_at, saved_by, by_kind }: Pick<VersionEntry, "saved_at" | "saved_by" | "by_kind">,
  zone: string,
  t: Translate,
): string {
  const moment = formatMoment(saved_at, zone, t.language);
  const by = saved_by ?? (by_kind === "system" ? t("templates.versionByCommand") : null);
  return by === null ? moment : `${moment} · ${by}`;
}

/** The saved versions of a template, with a preview of each, and a way to restore it. */
export function TemplateVersions(props: Props) {
  const t = useTranslations();
  const { clientId, version, language, settings } = props;
  const [opened, setOpened] = useState<VersionEntry | null>(null);
  const [isOpen, setOpen] = useState(false);
  const versions = useQuery({
    queryKey: ["template-versions", clientId, language, version],
    queryFn: async ({ signal }) =>
      (
        await call<typeof listVersionsContract>("GET /portal/api/v1/settings/templates/{language}/versions", {
          params: { language },
          query: { client_id: clientId },
          signal,
        })
      ).data,
  });
  const zone = settings.config.time_zone ?? "UTC";
  return (
    <section
      aria-labelledby="template-versions"
      className="rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6"
    >
      <h2 id="template-versions" className="text-lg font-semibold">
        {t("templates.versions")}
      </h2>
      <p className="mb-3 max-w-prose text-sm text-muted">{t("templates.versionsHint")}</p>
      {versions.error && <Notice tone="bad">{messageOf(versions.error, t)}</Notice>}
      {versions.isPending && <Skeleton className="h-24" />}
      {versions.data?.length === 0 && <p className="text-sm">{t("templates.noVersions")}</p>}
      {versions.data && versions.data.length > 0 && (
        <ol className="max-h-96 divide-y divide-line overflow-y-auto" aria-label={t("templates.versions")}>
          {versions.data.map((entry, index) => (
            <li key={entry.version} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
              <span className="figures font-medium">{t("templates.version", { number: entry.version })}</span>
              <span className="text-muted">
                {entry.by_kind === "unknown" ? t("templates.versionBefore") : savedText(entry, zone, t)}
              </span>
              <span className="text-muted">{t(madeOf[entry.made_of])}</span>
              <span className="ml-auto">
                {index === 0 ? (
                  <span className="px-2.5 text-muted">{t("templates.versionCurrent")}</span>
                ) : (
                  <Button
                    size="small"
                    aria-label={t("templates.viewVersion", { number: entry.version })}
                    onClick={() => {
                      setOpened(entry);
                      setOpen(true);
                    }}
                  >
                    {t("emailPreview.preview")}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={opened ? t("templates.version", { number: opened.version }) : ""}
      >
        {opened && <VersionView key={opened.version} {...props} number={opened.version} close={() => setOpen(false)} />}
      </Dialog>
    </section>
  );
}

type ViewProps = Props & { number: number; close: () => void };

function VersionView({ clientId, version, settings, mayChange, language, shown, isUnsaved, number, close }: ViewProps) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const query = { client_id: clientId };
  const params = { language, version: String(number) };
  const preview = useQuery({
    queryKey: ["template-version", clientId, language, number, shown, version],
    queryFn: async ({ signal }) => {
      const got = "GET /portal/api/v1/settings/templates/{language}/versions/{version}";
      const { data } = await call<typeof getVersionContract>(got, { params, query, signal });
      const texts = templateParts.map((part) => [partName(language, part), data[part] ?? undefined]);
      const { config } = withDraft(settings, Object.fromEntries(texts));
      const endpoint = "POST /portal/api/v1/settings/mail/preview";
      const body = { lang: shown, kind: "invitation" as const, config };
      return (await call<typeof previewMailContract>(endpoint, { query, body, signal })).data;
    },
    retry: false,
  });
  const restore = useMutation({
    mutationFn: () => {
      const endpoint = "POST /portal/api/v1/settings/templates/{language}/versions/{version}/restore";
      return call<typeof restoreVersionContract>(endpoint, { params, query, body: { version } });
    },
    onSuccess: () => {
      toast.show({ id: "settings", text: t("templates.restored", { number }) });
      startTransition(() => {
        close();
        router.refresh();
      });
    },
  });
  return (
    <div className="flex flex-col gap-4">
      {preview.error && <Notice tone="bad">{messageOf(preview.error, t)}</Notice>}
      {preview.isPending && <Skeleton className="h-96" />}
      {preview.data && (
        <>
          <p className="text-sm">
            <span className="text-muted">{t("emailPreview.subject")}</span>{" "}
            <strong className="font-semibold">{preview.data.subject}</strong>
          </p>
          <MailFrame html={preview.data.html} />
        </>
      )}
      {restore.error && (
        <Notice tone="bad" alert>
          {messageOf(restore.error, t)}
        </Notice>
      )}
      {mayChange && (
        <div className="flex flex-wrap items-center justify-end gap-3">
          {isUnsaved && <p className="mr-auto text-sm">{t("templates.restoreLocked")}</p>}
          <Button
            variant="primary"
            disabled={isUnsaved || restore.isPending || restore.isSuccess}
            onClick={() => restore.mutate()}
          >
            {t("templates.restore")}
          </Button>
        </div>
      )}
    </div>
  );
}
