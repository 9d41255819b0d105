import { notFound } from "next/navigation";
import { decodeSegment, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { ConnectionForm } from "@/components/integrations/connection-form";
import { defaultChoices, forms, translateForm } from "@/components/integrations/forms";
import { connectTitles } from "@/components/integrations/labels";
import { SystemHead } from "@/components/integrations/system-head";
import { namedMetadata, translations } from "@/lib/accounts/language/request-language";
import { integrationNames } from "@/lib/accounts/notifications/rules";
import { findIntegration } from "@/lib/integrations/list-integrations";
import { isKind } from "@/lib/integrations/rows";
import { defaultSettings, requiredSecretNames } from "@/lib/integrations/rules";

type Props = { params: Promise<{ kind: string }>; searchParams: Promise<Search> };

export const generateMetadata = ({ params }: Props) =>
  namedMetadata("integrations.connection", async () => {
    const kind = decodeSegment((await params).kind);
    if (!isKind(kind)) notFound();
    return (await translations())(integrationNames[kind]);
  });

export default async function ConnectionPage({ params, searchParams }: Props) {
  const t = await translations();
  const [{ kind: segment }, search] = await Promise.all([params, searchParams]);
  const page = `/portal/integrations/${segment}`;
  const { client, clientId } = await requireMember({ path: `${page}/settings`, search, role: "admin" });
  const kind = decodeSegment(segment);
  const form = isKind(kind) ? forms[kind] : undefined;
  if (!isKind(kind) || !form) notFound();
  const integration = await findIntegration(client, kind);
  const name = t(integrationNames[kind]);
  const settings = { ...defaultChoices(form), ...defaultSettings(kind), ...integration?.settings };
  const href = pathWithQuery(page, { client_id: clientId });
  const all = pathWithQuery("/portal/integrations", { client_id: clientId });
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 lg:px-8">
      <SystemHead
        title={integration ? t("integrations.settingsTitle", { name }) : t(connectTitles[kind])}
        trail={[{ href: all, name: t("navigation.integrations") }, ...(integration ? [{ href, name }] : [])]}
        {...(integration ? { current: t("navigation.settings") } : {})}
      >
        {t(form.text)}
      </SystemHead>
      <ConnectionForm
        clientId={client.id}
        kind={kind}
        name={name}
        form={translateForm(form, t)}
        integration={integration}
        settings={settings}
        needs={requiredSecretNames(kind, settings)}
        href={href}
      />
    </div>
  );
}
