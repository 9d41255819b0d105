import { useTranslations } from "#messages";
import { DismissSetup } from "@/components/insights/setup/change-setup";
import { stepTitles } from "@/components/insights/setup/labels";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { Setup } from "@/lib/insights/setup/schema";

type Props = { setup: Setup; clientId: string; href: string };

/** The progress of the first steps on the home page, with the next step and a link to all. */
export function SetupCard({ setup, clientId, href }: Props) {
  const t = useTranslations();
  const next = setup.steps.find(({ done, skipped }) => !done && !skipped);
  return (
    <section
      aria-labelledby="setup"
      className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6"
    >
      <div className="min-w-56 flex-1">
        <h2 id="setup" className="font-semibold">
          {t("navigation.gettingStarted")}
        </h2>
        <SetupProgress setup={setup} />
        {next && <p className="mt-2 text-sm">{t("setup.next", { step: t(stepTitles[next.name]) })}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Link href={href} className={buttonClass({ variant: "primary" })}>
          {t("setup.continue")}
        </Link>
        <DismissSetup clientId={clientId} dismissed={setup.dismissed} />
      </div>
    </section>
  );
}

/** `4 of 10 completed`, as a bar too. */
export function SetupProgress({ setup: { finished, steps } }: { setup: Setup }) {
  const t = useTranslations();
  return (
    <div className="flex max-w-sm flex-col gap-1.5">
      <p className="figures text-sm text-muted">{t("setup.setupProgress", { done: finished, all: steps.length })}</p>
      <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full bg-accent" style={{ width: `${(100 * finished) / steps.length}%` }} />
      </span>
    </div>
  );
}
