import { Plug } from "lucide-react";
import { useTranslations } from "#messages";
import { connectTitles, hostOf, integrationState } from "@/components/integrations/labels";
import { SystemCard } from "@/components/integrations/system-card";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { integrationNames } from "@/lib/accounts/notifications/rules";
import type { Integration } from "@/lib/integrations/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

/** `href`: its own page, for people who may see it. */
type Props = { integration: Integration; name: string; timeZone: string; href: string | null };

/** An integration in the list, with its state. */
export function IntegrationCard({ integration, name, timeZone, href }: Props) {
  const t = useTranslations();
  const host = hostOf(integration.settings);
  const state = integrationState(integration);
  const activity = integration.running
    ? t("integrations.cardRunning")
    : integration.last_run_at
      ? t("integrations.cardLastRun", { moment: formatMoment(integration.last_run_at, timeZone, t.language) })
      : t("integrations.cardNotRun");
  return (
    <SystemCard
      icon={<Plug aria-hidden="true" />}
      title={name}
      href={href}
      state={{ ...state, word: t(state.word) }}
      issues={<IntegrationIssues integration={integration} />}
    >
      {host ? `${host} · ${activity}` : activity}
    </SystemCard>
  );
}

/** A system that isn't connected, and what connecting it does. `href`: its settings, for people who may connect it. */
export function UnconnectedCard({
  kind,
  text,
  href,
}: {
  kind: Integration["kind"];
  text: string;
  href: string | null;
}) {
  const t = useTranslations();
  return (
    <SystemCard
      icon={<Plug aria-hidden="true" />}
      title={t(integrationNames[kind])}
      href={null}
      tools={
        href !== null && (
          <Link href={href} className={buttonClass({ size: "small" })} aria-label={t(connectTitles[kind])}>
            {t("integrations.connect")}
          </Link>
        )
      }
    >
      {text}
    </SystemCard>
  );
}

/** Errors that stop an integration, and warnings. */
export function IntegrationIssues({ integration: { error, warning } }: { integration: Integration }) {
  if (!error && !warning) return null;
  return (
    <div className="mt-3 flex flex-col gap-2">
      {error && (
        <Notice tone="bad">
          <span className="break-words">{error}</span>
        </Notice>
      )}
      {warning && (
        <Notice tone="warn">
          <span className="break-words">{warning}</span>
        </Notice>
      )}
    </div>
  );
}
