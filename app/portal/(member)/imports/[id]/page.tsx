import { cache } from "react";
import { decodeSegment, orNotFound, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { RefreshWhile } from "@/components/feeds/use-refresh";
import { FoundReportView } from "@/components/imports/found-report";
import { ImportActions } from "@/components/imports/import-actions";
import {
  hasResult,
  isInProgress,
  isOpen,
  isRunning,
  kindLabels,
  layoutLabel,
  statusLabel,
} from "@/components/imports/labels";
import { MappingForm } from "@/components/imports/mapping-form";
import { PreviewTable } from "@/components/imports/preview-table";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { namedMetadata, noticeTranslator, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";
import { getReviewImportDetails } from "@/lib/transfer/imports/list-review-imports";
import { type FilePreview, previewImport } from "@/lib/transfer/imports/prepare-import";
import type { ReviewImport } from "@/lib/transfer/imports/schema";
import { requiredFields } from "@/lib/transfer/imports/values";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const load = cache(getReviewImportDetails);

export const generateMetadata = ({ params, searchParams }: Props) =>
  namedMetadata("navigation.imports", async () => {
    const { client } = await requireMember({ path: "/portal/imports", search: await searchParams, role: "admin" });
    return (await load(client, decodeSegment((await params).id))).line.filename;
  });

export default async function ReviewImportPage({ params, searchParams }: Props) {
  const [t, translateNotice] = [await translations(), await noticeTranslator()];
  const [{ id: segment }, search] = await Promise.all([params, searchParams]);
  const page = { path: `/portal/imports/${segment}`, search, role: "admin" } as const;
  const { client, clientId } = await requireMember(page);
  const { line: loaded, mapping, report } = await orNotFound(load(client, decodeSegment(segment)));
  const line = translateNoticeFields(loaded, translateNotice);
  const preview = isOpen(line) && line.has_file ? await previewImport(client, line.id) : null;
  const listHref = pathWithQuery("/portal/imports", { client_id: clientId });
  const { word, tone } = statusLabel(line);
  const choices = { mapping, pending: line.pending, fetch_photos: line.fetch_photos };
  const isMapped = !preview?.fields || requiredFields.every((field) => preview.fields?.[field] !== null);
  const timeZone = timeZoneOf(client);
  return (
    <div className="mx-auto max-w-5xl px-4 py-6 lg:px-8">
      <RefreshWhile inProgress={isRunning(line)} />
      <Breadcrumbs trail={[{ name: t("navigation.imports"), href: listHref }]} current={line.filename} />
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="break-all">{line.filename}</span>
            <Badge tone={tone}>{t(word)}</Badge>
          </span>
        }
        tools={
          <ImportActions
            line={line}
            clientId={client.id}
            newItems={report?.items ?? 0}
            isMapped={isMapped}
            listHref={listHref}
          />
        }
      >
        {t("imports.source", { layout: layoutLabel(line.layout, t), kind: t(kindLabels[line.kind]) })}
        {" · "}
        {formatMoment(line.undone_at ?? line.imported_at ?? line.created_at, timeZone, t.language)}
        {line.by_command && ` · ${t("imports.byCommand")}`}
      </PageHead>
      <div className="flex flex-col gap-8">
        <State line={line} isMapped={isMapped} t={t} />
        {report && hasResult(line) && (
          <section aria-labelledby="result" className="flex flex-col gap-3">
            <h2 id="result" className="text-lg font-semibold">
              {t(line.status === "checked" ? "imports.checkResult" : "imports.importResult")}
            </h2>
            {line.status === "checked" && <p className="text-sm text-muted">{t("imports.nothingChanged")}</p>}
            {report.incomplete && (
              <Notice tone="warn">
                {translateNotice([{ reason: report.incomplete_reason ?? null, message: report.incomplete }])}
              </Notice>
            )}
            <FoundReportView
              line={line}
              report={report}
              skippedHref={pathWithQuery(`/portal/api/v1/imports/${line.id}/skipped`, { client_id: client.id })}
            />
            {line.status === "imported" && (
              <p>
                <Link
                  href={pathWithQuery("/portal/library", {
                    client_id: clientId,
                    ...(line.kind !== "reviews" && { kind: line.kind === "questions" ? "question" : "seller_review" }),
                    source: "import",
                  })}
                  className={buttonClass()}
                >
                  {t("imports.viewImported")}
                </Link>
              </p>
            )}
          </section>
        )}
        {preview && <Contents line={line} preview={preview} clientId={client.id} choices={choices} t={t} />}
      </div>
    </div>
  );
}

/** What is happening, or what has to be done first. */
function State({ line, isMapped, t }: { line: ReviewImport; isMapped: boolean; t: Translate }) {
  if (line.error)
    return (
      <Notice tone="bad">
        <p className="break-words">{line.error}</p>
      </Notice>
    );
  if (line.stalled)
    return <Notice tone="warn">{t(line.by_command ? "imports.stalledCommandHint" : "imports.stalledHint")}</Notice>;
  if (isInProgress(line))
    return (
      <div className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
        <progress
          aria-label={t(statusLabel(line).word)}
          className="h-2 w-full"
          {...(line.total > 0 && { value: line.processed, max: line.total })}
        />
        <p className="figures text-sm">
          {line.total > 0
            ? t("imports.progress", { done: line.processed, total: line.total })
            : t("imports.reading", { n: line.processed })}
        </p>
        <p className="text-sm text-muted">{t("imports.progressHint")}</p>
      </div>
    );
  if (line.status === "undone") return <Notice>{t("imports.undoneHint")}</Notice>;
  if (isOpen(line) && !line.has_file) return <Notice tone="warn">{t("imports.fileDeleted")}</Notice>;
  if (isOpen(line) && !isMapped)
    return (
      <Notice tone="warn">
        {line.layout === "other" && `${t("imports.unknownLayout")} `}
        {t("imports.missingFields")}
      </Notice>
    );
  return null;
}

type ContentsProps = {
  line: ReviewImport;
  preview: FilePreview;
  clientId: string;
  choices: Parameters<typeof MappingForm>[0]["choices"];
  t: Translate;
};

/** The columns of the file and its first rows. */
function Contents({ line, preview, clientId, choices, t }: ContentsProps) {
  return (
    <>
      <div>
        <h2 className="text-lg font-semibold">{t("imports.preview")}</h2>
        <p className="mb-3 text-sm text-muted">{t("imports.previewHint")}</p>
        <PreviewTable rows={preview.rows} />
      </div>
      <section aria-labelledby="columns">
        <h2 id="columns" className="text-lg font-semibold">
          {t("imports.columns")}
        </h2>
        <p className="mb-3 text-sm text-muted">{t(preview.fields ? "imports.columnsHint" : "imports.columnsOwn")}</p>
        {preview.fields && (
          <MappingForm
            id={line.id}
            clientId={clientId}
            columns={preview.columns}
            fields={preview.fields}
            choices={choices}
          />
        )}
      </section>
    </>
  );
}
