import { Mailbox, SearchX } from "lucide-react";
import { clientsOf, orNotFound, param, pathWithQuery, requirePerson, type Search } from "@/app/_guard";
import { MailsTable } from "@/components/operator/mail/mails-table";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listMailboxPage } from "@/lib/platform/mail/list-mailbox-page";

export const generateMetadata = () => titleMetadata("navigation.mailbox");

export default async function MailboxPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const actor = await requirePerson({ path: "/portal/mailbox", search, role: "operator" });
  const to = param(search, "to")?.trim() || undefined;
  const { mails, next } = await orNotFound(listMailboxPage({ to, after: param(search, "after") }));
  const client_id = param(search, "client_id");
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("navigation.mailbox")}
        tools={
          <SearchForm
            action="/portal/mailbox"
            name="to"
            label={t("operations.searchRecipient")}
            value={to}
            hiddenFields={{ client_id }}
          />
        }
      >
        {t("operations.mailboxIntro")}
      </PageHead>
      {mails.length > 0 ? (
        <MailsTable
          mails={mails}
          clients={await clientsOf(actor)}
          href={(id) => pathWithQuery(`/portal/mailbox/${encodeURIComponent(id)}`, { client_id })}
        />
      ) : to ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={t("operations.noMatchesTitle")}
          action={
            <Link href={pathWithQuery("/portal/mailbox", { client_id })} className={buttonClass()}>
              {t("operations.showAllEmails")}
            </Link>
          }
        />
      ) : (
        <EmptyState icon={<Mailbox aria-hidden="true" />} title={t("operations.noEmailsTitle")}>
          {t("operations.noEmailsHint")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={pathWithQuery("/portal/mailbox", { client_id, to, after: next })} className={buttonClass()}>
            {t("operations.olderEmails")}
          </Link>
        </p>
      )}
    </div>
  );
}
