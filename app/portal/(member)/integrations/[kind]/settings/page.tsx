import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { address, requireMember, type Search, segment } from "@/app/_guard";
import { ConnectionForm } from "@/components/integrations/connection-form";
import { firstChoices, forms } from "@/components/integrations/forms";
import { SystemHead } from "@/components/integrations/system-head";
import { kinds } from "@/lib/integrations/kinds";
import { findIntegration } from "@/lib/integrations/list-integrations";
import { isKind } from "@/lib/integrations/rows";
import { usualSettings } from "@/lib/integrations/rules";

export const metadata: Metadata = { title: "Connection" };

type Props = { params: Promise<{ kind: string }>; searchParams: Promise<Search> };

export default async function ConnectionPage({ params, searchParams }: Props) {
  const [{ kind: given }, search] = await Promise.all([params, searchParams]);
  const page = `/portal/integrations/${given}`;
  const { client, clientId } = await requireMember({ here: `${page}/settings`, search, role: "admin" });
  const kind = segment(given);
  const form = isKind(kind) ? forms[kind] : undefined;
  if (!isKind(kind) || !form) notFound();
  const integration = await findIntegration(client, kind);
  const { name } = kinds[kind];
  const href = address(page, { client_id: clientId });
  const all = address("/portal/integrations", { client_id: clientId });
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 lg:px-8">
      <SystemHead
        title={integration ? `${name}: settings` : `Connect: ${name}`}
        back={integration ? { href, name } : { href: all, name: "All integrations" }}
      >
        {form.text}
      </SystemHead>
      <ConnectionForm
        clientId={client.id}
        kind={kind}
        name={name}
        form={form}
        integration={integration}
        settings={{ ...firstChoices(form), ...usualSettings(kind), ...integration?.settings }}
        href={href}
      />
    </div>
  );
}
