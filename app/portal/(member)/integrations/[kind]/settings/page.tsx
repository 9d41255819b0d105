import { notFound } from "next/navigation";
import { address, requireMember, type Search, segment } from "@/app/_guard";
import { ConnectionForm } from "@/components/integrations/connection-form";
import { firstChoices, formIn, forms } from "@/components/integrations/forms";
import { SystemHead } from "@/components/integrations/system-head";
import { integrationNames } from "@/components/integrations/words";
import { titled, translations } from "@/lib/accounts/sign-in/language-of-request";
import { findIntegration } from "@/lib/integrations/list-integrations";
import { isKind } from "@/lib/integrations/rows";
import { neededSecrets, usualSettings } from "@/lib/integrations/rules";

export const generateMetadata = () => titled("integrations.connection");

type Props = { params: Promise<{ kind: string }>; searchParams: Promise<Search> };

export default async function ConnectionPage({ params, searchParams }: Props) {
  const t = await translations();
  const [{ kind: given }, search] = await Promise.all([params, searchParams]);
  const page = `/portal/integrations/${given}`;
  const { client, clientId } = await requireMember({ here: `${page}/settings`, search, role: "admin" });
  const kind = segment(given);
  const form = isKind(kind) ? forms[kind] : undefined;
  if (!isKind(kind) || !form) notFound();
  const integration = await findIntegration(client, kind);
  const name = t(integrationNames[kind]);
  const settings = { ...firstChoices(form), ...usualSettings(kind), ...integration?.settings };
  const href = address(page, { client_id: clientId });
  const all = address("/portal/integrations", { client_id: clientId });
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 lg:px-8">
      <SystemHead
        title={integration ? t("integrations.settingsTitle", { name }) : t("integrations.connectNamed", { name })}
        back={integration ? { href, name } : { href: all, name: t("integrations.allIntegrations") }}
      >
        {t(form.text)}
      </SystemHead>
      <ConnectionForm
        clientId={client.id}
        kind={kind}
        name={name}
        form={formIn(form, t)}
        integration={integration}
        settings={settings}
        needs={neededSecrets(kind, settings)}
        href={href}
      />
    </div>
  );
}
