import { Plug } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { address, found, param, requireMember, type Search, segment } from "@/app/_guard";
import { IntegrationActions } from "@/components/integrations/integration-actions";
import { IntegrationTrouble } from "@/components/integrations/integration-card";
import { DeliveriesTable, RunsTable } from "@/components/integrations/runs-and-deliveries";
import { hostOf, stateWords } from "@/components/integrations/words";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { hasRole } from "@/lib/auth/actor";
import { timeZoneOf } from "@/lib/clients/get-client";
import { kinds } from "@/lib/integrations/kinds";
import { getIntegration, listDeliveries } from "@/lib/integrations/list-integrations";
import { listRuns } from "@/lib/integrations/note-run";

export const metadata: Metadata = { title: "Integration" };

type Props = { params: Promise<{ kind: string }>; searchParams: Promise<Search> };

export default async function IntegrationPage({ params, searchParams }: Props) {
  const [{ kind: given }, search] = await Promise.all([params, searchParams]);
  const here = `/portal/integrations/${given}`;
  // Subjects may be a customer's id, which those who only read do not see.
  const { actor, client, clientId } = await requireMember({ here, search, role: "moderator" });
  const integration = await found(getIntegration(client, segment(given)));
  const { kind } = integration;
  const after = param(search, "after");
  const [runs, { deliveries, next }] = await Promise.all([
    listRuns(client, kind, 10),
    found(listDeliveries(client, kind, { after })),
  ]);
  const timeZone = timeZoneOf(client);
  const listHref = address("/portal/integrations", { client_id: clientId });
  const { name } = kinds[kind];
  return (
    <div className="mx-auto max-w-5xl px-4 py-6 lg:px-8">
      <p className="mb-4 text-sm">
        <Link className="link" href={listHref}>
          All integrations
        </Link>
      </p>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            {name}
            <Badge tone={stateWords[integration.state].tone}>{stateWords[integration.state].word}</Badge>
          </span>
        }
        tools={
          hasRole(actor.role, "admin") && (
            <IntegrationActions integration={integration} name={name} clientId={client.id} listHref={listHref} />
          )
        }
      >
        {hostOf(integration.settings)}
      </PageHead>
      <IntegrationTrouble integration={integration} />
      {runs.length > 0 && after === undefined && (
        <section aria-labelledby="runs" className="mt-6">
          <h2 id="runs" className="mb-2 font-semibold">
            Last runs
          </h2>
          <RunsTable runs={runs} timeZone={timeZone} />
        </section>
      )}
      {deliveries.length > 0 && (
        <section aria-labelledby="deliveries" className="mt-8">
          <h2 id="deliveries" className="mb-2 font-semibold">
            What was sent and taken over
          </h2>
          <DeliveriesTable deliveries={deliveries} timeZone={timeZone} />
        </section>
      )}
      {runs.length === 0 && deliveries.length === 0 && (
        <div className="mt-6 rounded-card border border-dashed border-line">
          <EmptyState icon={<Plug aria-hidden="true" />} title="Nothing happened yet">
            What is sent there or taken over from there stands here.
          </EmptyState>
        </div>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={address(here, { client_id: clientId, after: next })} className={buttonClass()}>
            Older ones
          </Link>
        </p>
      )}
    </div>
  );
}
