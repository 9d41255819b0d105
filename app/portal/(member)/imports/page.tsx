import { FileInput } from "lucide-react";
import { orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { RefreshWhile } from "@/components/feeds/use-refresh";
import { ReviewImportsTable } from "@/components/imports/imports-table";
import { isRunning, serviceNames } from "@/components/imports/labels";
import { SelectFile } from "@/components/imports/select-file";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { noticeTranslator, titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { formatList } from "@/lib/platform/i18n/format";
import { listReviewImports } from "@/lib/transfer/imports/list-review-imports";

export const generateMetadata = () => titleMetadata("navigation.imports");

export default async function ImportsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [t, translateNotice] = [await translations(), await noticeTranslator()];
  const search = await searchParams;
  const { client, clientId } = await requireMember({ path: "/portal/imports", search, role: "admin" });
  const after = param(search, "after");
  const { imports, next } = await orNotFound(listReviewImports(client, { after }));
  const importHref = (id: string) => pathWithQuery(`/portal/imports/${id}`, { client_id: clientId });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <RefreshWhile inProgress={imports.some(isRunning)} />
      <PageHead title={t("navigation.imports")}>{t("imports.intro")}</PageHead>
      <div className="mb-8 flex flex-col gap-3 rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
        <p className="max-w-prose text-sm text-muted">
          {t("imports.fileHint", { services: formatList(serviceNames, t.language) })}
        </p>
        <SelectFile clientId={client.id} importHref={importHref("{id}")} />
      </div>
      {imports.length > 0 ? (
        <ReviewImportsTable
          imports={imports.map((line) => translateNoticeFields(line, translateNotice))}
          timeZone={timeZoneOf(client)}
          href={importHref}
        />
      ) : (
        <EmptyState icon={<FileInput aria-hidden="true" />} title={t("imports.emptyTitle")}>
          {t("imports.emptyHint")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={pathWithQuery("/portal/imports", { client_id: clientId, after: next })} className={buttonClass()}>
            {t("imports.older")}
          </Link>
        </p>
      )}
    </div>
  );
}
