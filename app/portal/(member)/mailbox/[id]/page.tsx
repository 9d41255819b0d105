import { cache } from "react";
import {
  decodeSegment,
  orNotFound,
  param,
  pathWithQuery,
  requireMember,
  requirePerson,
  type Search,
} from "@/app/_guard";
import { MailView } from "@/components/operator/mail/mail-view";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { hasRole } from "@/lib/accounts/actor";
import { namedMetadata, translations } from "@/lib/accounts/language/request-language";
import { getInvitationMail, getMail } from "@/lib/platform/mail/get-mail";
import type { MailboxMail } from "@/lib/platform/mail/schema";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const load = cache(getMail);
const loadOfStore = cache(getInvitationMail);

/** Operators open every stored email, admins the invitations of their store. `isOperator`: whether there is a list. */
async function loadMail({ params, searchParams }: Props): Promise<{ mail: MailboxMail; isOperator: boolean }> {
  const [{ id }, search] = await Promise.all([params, searchParams]);
  const page = { path: `/portal/mailbox/${id}`, search };
  const person = await requirePerson(page);
  if (hasRole(person.role, "operator")) return { mail: await orNotFound(load(decodeSegment(id))), isOperator: true };
  const { client } = await requireMember({ ...page, role: "admin" });
  return { mail: await orNotFound(loadOfStore(client.id, decodeSegment(id))), isOperator: false };
}

export const generateMetadata = (props: Props) =>
  namedMetadata("navigation.mailbox", async () => {
    const { subject } = (await loadMail(props)).mail;
    return subject || (await translations())("operations.noSubject");
  });

export default async function MailPage(props: Props) {
  const t = await translations();
  const client_id = param(await props.searchParams, "client_id");
  const { mail, isOperator } = await loadMail(props);
  const subject = mail.subject || t("operations.noSubject");
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <Breadcrumbs
        trail={[
          isOperator
            ? { name: t("navigation.mailbox"), href: pathWithQuery("/portal/mailbox", { client_id }) }
            : { name: t("common.orders"), href: pathWithQuery("/portal/orders", { client_id }) },
        ]}
        current={subject}
      />
      <PageHead title={subject} />
      <MailView mail={mail} />
    </div>
  );
}
