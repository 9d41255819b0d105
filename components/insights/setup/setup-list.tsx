import clsx from "clsx";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { SkipStep } from "@/components/insights/setup/change-setup";
import { stepTitles } from "@/components/insights/setup/labels";
import { SenderCheck } from "@/components/insights/setup/sender-check";
import { TestOrderForm } from "@/components/insights/setup/test-order-form";
import { WidgetStep } from "@/components/insights/setup/widget-step";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { Setup, SetupStep } from "@/lib/insights/setup/schema";
import { type SetupStepName, skippableSteps } from "@/lib/insights/setup/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = {
  setup: Setup;
  clientId: string;
  /** the installation's, for snippets */
  origin: string;
  timeZone: string;
  /** the person's own address */
  email: string;
  /** a portal page of this store */
  link: (path: string) => string;
};

const groups: { title: MessageKey; steps: SetupStepName[] }[] = [
  { title: "setup.storeGroup", steps: ["products", "branding", "sender"] },
  { title: "setup.reviewGroup", steps: ["order", "email", "review", "moderation"] },
  { title: "setup.pagesGroup", steps: ["widget"] },
  { title: "setup.teamGroup", steps: ["people", "import"] },
];

/** All steps from an empty store to reviews on its own pages, in groups; the next one is marked. */
export function SetupList(props: Props) {
  const t = useTranslations();
  const { steps } = props.setup;
  const next = steps.find(({ done, skipped }) => !done && !skipped)?.name;
  return (
    <div className="flex flex-col gap-6">
      {groups.map(({ title, steps: names }) => (
        <section
          key={title}
          aria-labelledby={title}
          className="rounded-card border border-line bg-raised shadow-raised"
        >
          <h2 id={title} className="px-5 pt-4 pb-3 font-semibold sm:px-6">
            {t(title)}
          </h2>
          <ol>
            {steps
              .filter(({ name }) => names.includes(name))
              .map((step) => (
                <Step
                  key={step.name}
                  {...props}
                  step={step}
                  number={steps.indexOf(step) + 1}
                  isNext={step.name === next}
                />
              ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

type StepProps = Props & { step: SetupStep; number: number; isNext: boolean };

function Step({ step, number, isNext, ...props }: StepProps) {
  const t = useTranslations();
  const { name, done, skipped } = step;
  const title = t(stepTitles[name]);
  const skippable = skippableSteps.find((other) => other === name);
  const { text, action } = contentOf(name, done, isNext ? "primary" : "secondary", props, t);
  return (
    <li
      aria-current={isNext ? "step" : undefined}
      className="flex items-start gap-4 border-t border-line px-5 py-4 sm:px-6"
    >
      <span
        className={clsx(
          "figures flex size-7 shrink-0 items-center justify-center rounded-full text-sm font-semibold",
          done ? "bg-good-soft text-good" : isNext ? "bg-accent text-on-solid" : "bg-sunken text-muted",
        )}
      >
        {done ? (
          <Check aria-hidden="true" className="size-4" />
        ) : (
          <span aria-hidden="true">{skipped ? "–" : number}</span>
        )}
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <h3 className={clsx("text-sm font-medium", (done || skipped) && "text-muted")}>
            {title}
            {done && <span className="sr-only"> {t("setup.stepDone")}</span>}
            {skipped && <span className="font-normal"> {t("setup.skipped")}</span>}
          </h3>
          {skippable && !done && (
            <span className="-my-1">
              <SkipStep clientId={props.clientId} step={skippable} title={title} skipped={skipped} />
            </span>
          )}
        </div>
        {!done && !skipped && <p className="max-w-prose text-sm text-muted">{text}</p>}
        {!skipped && action && <div className="mt-2.5 flex flex-wrap items-start gap-2">{action}</div>}
      </div>
    </li>
  );
}

type Variant = "primary" | "secondary";
type Content = { text: ReactNode; action: ReactNode };

/** What a step says, and what to do. Steps that are done keep what may be needed again. */
function contentOf(
  name: SetupStepName,
  done: boolean,
  variant: Variant,
  { setup, clientId, origin, timeZone, email, link }: Props,
  t: ReturnType<typeof useTranslations>,
): Content {
  const button = (path: string, words: MessageKey, style: Variant = "secondary") => (
    <Link href={link(path)} className={buttonClass({ size: "small", variant: style })}>
      {t(words)}
    </Link>
  );
  const viewOrder = setup.order && button(`/portal/orders/${encodeURIComponent(setup.order)}`, "setup.viewOrder");
  switch (name) {
    case "products":
      return {
        text: t("setup.productsHint"),
        action: !done && (
          <>
            {button("/portal/feeds", "setup.openFeeds", variant)}
            {button("/portal/integrations", "setup.openIntegrations")}
          </>
        ),
      };
    case "branding":
      return {
        text: t("setup.brandingHint"),
        action: !done && button("/portal/settings", "setup.openStoreSettings", variant),
      };
    case "sender": {
      const { address, domain, check } = setup.sender;
      return {
        text: domain === null ? t("setup.senderMissing") : t("setup.senderHint", { address }),
        action: (
          <div className="flex w-full flex-col items-start gap-3">
            {domain !== null && (
              <SenderCheck key={domain} clientId={clientId} check={check} timeZone={timeZone} variant={variant} />
            )}
            {!done && button("/portal/settings/sending", "setup.openSender", domain === null ? variant : "secondary")}
          </div>
        ),
      };
    }
    case "order":
      return {
        text: t("setup.testOrderStepHint"),
        action: !setup.isSent && (
          <TestOrderForm clientId={clientId} email={email} sentBefore={setup.isTest} variant={variant} />
        ),
      };
    case "email":
      return {
        text: setup.order && !setup.isSent ? t("setup.emailStepPending") : t("setup.emailStepHint"),
        action: (setup.storedMail || (!done && viewOrder)) && (
          <>
            {setup.storedMail &&
              button(`/portal/mailbox/${encodeURIComponent(setup.storedMail)}`, "setup.openEmail", variant)}
            {viewOrder}
          </>
        ),
      };
    case "review":
      return {
        text: t("setup.reviewHint"),
        action: !done && setup.form && (
          <a href={setup.form} className={buttonClass({ size: "small", variant })}>
            {t("setup.openReviewForm")}
          </a>
        ),
      };
    case "moderation":
      return { text: t("setup.moderationHint"), action: !done && button("/portal/queue", "setup.openQueue", variant) };
    case "widget":
      return {
        text: t("setup.widgetHint"),
        action: (
          <div className="w-full min-w-0">
            <WidgetStep
              clientId={clientId}
              origin={origin}
              platform={setup.platform}
              check={setup.widget}
              timeZone={timeZone}
              variant={variant}
            />
          </div>
        ),
      };
    case "people":
      return {
        text: t("setup.peopleHint"),
        action: !done && button("/portal/settings/people", "setup.openPeople", variant),
      };
    case "import":
      return { text: t("setup.importHint"), action: !done && button("/portal/imports", "setup.openImports", variant) };
  }
}
