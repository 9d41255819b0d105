import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { TestOrderForm } from "@/components/insights/home/test-order-form";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { FirstSteps } from "@/lib/insights/home/schema";

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

/** The way from an empty client to its first review, with a try of all that happens in between. */
export function Steps({ steps, clientId, mayChange, href }: Props) {
  const t = useWords();
  const { testOrder } = steps;
  const link = (to: string, words: string) => (
    <Link href={to} className={buttonClass({ size: "small" })}>
      {t(words)}
    </Link>
  );
  const list: {
    title: string;
    done: boolean;
    text: string;
    action?: ReactNode;
    stays?: boolean;
  }[] = [
    {
      title: t("Say where customers reach you"),
      done: steps.reachable,
      text: t("An address or a help page: answers to your mails go there."),
      action: mayChange && link(href.settings, "Open the settings"),
    },
    {
      title: t("Bring your products"),
      done: steps.products,
      text: t("The address of your Google Merchant feed is enough. Orders can name products themselves, too."),
      action: mayChange && link(href.feeds, "Add a feed"),
    },
    {
      title: t("Send yourself a test order"),
      done: steps.ordered,
      text: t("It is an order like any other, delivered long enough ago, so its invitation goes at once."),
      action: mayChange && !(steps.mailed && testOrder === null) && (
        <TestOrderForm clientId={clientId} again={testOrder !== null} />
      ),
      stays: !steps.mailed,
    },
    {
      title: t("Read its mail"),
      done: steps.read,
      text:
        testOrder && !steps.mailed
          ? t("The order's page tells when it goes, or why not yet.")
          : t("This is what your customers will get. It comes from your shop's name."),
      action: testOrder && (
        <>
          {link(href.order(testOrder), "Follow the order")}
          {href.mailbox && link(href.mailbox, "Open the mailbox")}
        </>
      ),
    },
    {
      title: t("Write the first review"),
      done: steps.reviewed,
      text: t(
        "Use the link in the email or open the form here. Your review waits in the queue; reject it there when done.",
      ),
      action: mayChange && steps.form && link(steps.form, "Open the review form"),
    },
  ];
  const current = list.findIndex(({ done }) => !done);
  return (
    <section aria-labelledby="steps" className="rounded-card border border-line bg-raised shadow-raised">
      <header className="flex items-baseline justify-between gap-4 px-5 pt-4 pb-2 sm:px-6">
        <h2 id="steps" className="font-semibold">
          {t("Your first review")}
        </h2>
        <p className="figures text-sm text-muted">
          {t("{done} of {all} done", { done: list.filter(({ done }) => done).length, all: list.length })}
        </p>
      </header>
      <ol>
        {list.map(({ title, done, text, action, stays = false }, index) => (
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
                {done && <span className="sr-only"> {t("(done)")}</span>}
              </h3>
              {(!done || stays) && <p className="max-w-prose text-sm text-muted">{text}</p>}
              {action && (!done || stays) && <div className="mt-2.5 flex flex-wrap gap-2">{action}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
