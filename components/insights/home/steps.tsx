import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { TestOrderForm } from "@/components/insights/home/test-order-form";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { FirstSteps } from "@/lib/insights/home/schema";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = {
  steps: FirstSteps;
  clientId: string;
  /** may change settings and post orders */
  mayChange: boolean;
  href: {
    settings: string;
    feeds: string;
    order: (id: string) => string;
    mailbox: string | null;
  };
};

/** The steps from an empty client to its first review, including a test order. */
export function Steps({ steps, clientId, mayChange, href }: Props) {
  const t = useTranslations();
  const { testOrder } = steps;
  const link = (to: string, words: MessageKey, variant: "primary" | "secondary" = "secondary") => (
    <Link href={to} className={buttonClass({ size: "small", variant })}>
      {t(words)}
    </Link>
  );
  const list: {
    title: string;
    done: boolean;
    text: string;
    /** its buttons; the first one is primary in the current step */
    action: (variant: "primary" | "secondary") => ReactNode;
    staysVisible?: boolean;
  }[] = [
    {
      title: t("home.contactStep"),
      done: steps.reachable,
      text: t("home.contactStepHint"),
      action: (variant) => mayChange && link(href.settings, "home.openSettings", variant),
    },
    {
      title: t("home.productsStep"),
      done: steps.products,
      text: t("home.productsStepHint"),
      action: (variant) => mayChange && link(href.feeds, "common.addFeed", variant),
    },
    {
      title: t("home.testOrderStep"),
      done: steps.ordered,
      text: t("home.testOrderStepHint"),
      action: (variant) =>
        mayChange &&
        !(steps.mailed && testOrder === null) && (
          <TestOrderForm clientId={clientId} sentBefore={testOrder !== null} variant={variant} />
        ),
      staysVisible: !steps.mailed,
    },
    {
      title: t("home.emailStep"),
      done: steps.read,
      text: testOrder && !steps.mailed ? t("home.emailStepPending") : t("home.emailStepHint"),
      action: (variant) =>
        testOrder && (
          <>
            {link(href.order(testOrder), "home.viewOrder", variant)}
            {href.mailbox && link(href.mailbox, "home.openMailbox")}
          </>
        ),
    },
    {
      title: t("home.reviewStep"),
      done: steps.reviewed,
      text: t("home.reviewStepHint"),
      action: (variant) => mayChange && steps.form && link(steps.form, "home.openReviewForm", variant),
    },
  ];
  const current = list.findIndex(({ done }) => !done);
  return (
    <section aria-labelledby="steps" className="rounded-card border border-line bg-raised shadow-raised">
      <header className="flex items-baseline justify-between gap-4 px-5 pt-4 pb-2 sm:px-6">
        <h2 id="steps" className="font-semibold">
          {t("home.setupTitle")}
        </h2>
        <p className="figures text-sm text-muted">
          {t("home.setupProgress", { done: list.filter(({ done }) => done).length, all: list.length })}
        </p>
      </header>
      <ol>
        {list.map(({ title, done, text, action, staysVisible = false }, index) => {
          const buttons = (!done || staysVisible) && action(index === current ? "primary" : "secondary");
          return (
            <li key={title} className="flex items-start gap-4 border-t border-line px-5 py-3.5 sm:px-6">
              <span
                className={
                  done
                    ? "flex size-7 shrink-0 items-center justify-center rounded-full bg-good-soft text-good"
                    : index === current
                      ? "figures flex size-7 shrink-0 items-center justify-center rounded-full bg-accent text-sm font-semibold text-on-solid"
                      : "figures flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken text-sm font-semibold text-muted"
                }
              >
                {done ? <Check aria-hidden="true" className="size-4" /> : <span aria-hidden="true">{index + 1}</span>}
              </span>
              <div className="min-w-0 flex-1 pt-1">
                <h3 className={done ? "text-sm font-medium text-muted" : "text-sm font-medium"}>
                  {title}
                  {done && <span className="sr-only"> {t("home.stepDone")}</span>}
                </h3>
                {(!done || staysVisible) && <p className="max-w-prose text-sm text-muted">{text}</p>}
                {buttons && <div className="mt-2.5 flex flex-wrap gap-2">{buttons}</div>}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
