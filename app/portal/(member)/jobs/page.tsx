import clsx from "clsx";
import { Workflow } from "lucide-react";
import { param, pathWithQuery, requirePerson, type Search } from "@/app/_guard";
import { RunsTable } from "@/components/operator/jobs/runs-table";
import { PageHead } from "@/components/portal/page-head";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { segmentClass, segmentsClass } from "@/components/ui/segments";
import { usesInngest } from "@/inngest/client";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import { listRuns } from "@/lib/platform/jobs/list-runs";

export const generateMetadata = () => titleMetadata("navigation.jobs");

const MAX_RUNS = 200;

export default async function JobsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  await requirePerson({ path: "/portal/jobs", search, role: "operator" });
  const failed = param(search, "status") === "failed";
  const runs = await listRuns({ limit: MAX_RUNS, status: failed ? "failed" : undefined });
  const client_id = param(search, "client_id");
  const views: { name: MessageKey; href: string; current: boolean }[] = [
    { name: "common.all", href: pathWithQuery("/portal/jobs", { client_id }), current: !failed },
    { name: "common.failed", href: pathWithQuery("/portal/jobs", { client_id, status: "failed" }), current: failed },
  ];
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("navigation.jobs")}
        tools={
          <nav aria-label={t("operations.filterRuns")} className={clsx(segmentsClass, "flex")}>
            {views.map(({ name, href, current }) => (
              <Link key={name} href={href} aria-current={current ? "page" : undefined} className={segmentClass}>
                {t(name)}
              </Link>
            ))}
          </nav>
        }
      >
        {usesInngest()
          ? t("operations.inngestIntro")
          : t("operations.intro", {
              shown: MAX_RUNS,
            })}
      </PageHead>
      {runs.length > 0 ? (
        <RunsTable
          runs={runs.map(({ error, queued_at, ended_at, ...run }) => ({
            id: run.id,
            function: run.function,
            status: run.status,
            step: run.step,
            attempt: run.attempt,
            issue: error?.message ?? null,
            queued_at: queued_at.toISOString(),
            ended_at: ended_at?.toISOString() ?? null,
          }))}
        />
      ) : (
        <EmptyState
          icon={<Workflow aria-hidden="true" />}
          title={failed ? t("operations.noFailedTitle") : t("operations.noRunsTitle")}
        >
          {failed ? t("operations.noFailedHint") : t("operations.noRunsHint")}
        </EmptyState>
      )}
    </div>
  );
}
