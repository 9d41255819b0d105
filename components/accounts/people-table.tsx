"use client";

import clsx from "clsx";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { AccessibleStores, hasSeveralStores } from "@/components/accounts/accessible-stores";
import { ChangePerson } from "@/components/accounts/change-person";
import type { ClientName } from "@/components/accounts/client-choice";
import { roleLabels, stateLabels } from "@/components/accounts/labels";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { Ago } from "@/components/ui/time";
import type { PersonLine } from "@/lib/accounts/schema";

type Props = {
  clientId: string;
  people: PersonLine[];
  clients: ClientName[];
  mayGiveAll: boolean;
  timeZone: string;
  /** the viewer's own id */
  self: string;
};

/** The people with access to a client, their roles and last sign-ins. */
export function PeopleTable({ clientId, people, clients, mayGiveAll, timeZone, self }: Props) {
  const t = useTranslations();
  const [changing, setChanging] = useState<PersonLine | null>(null);
  const wide = hasSeveralStores(people) || people.some((person) => person.all_clients);
  return (
    <>
      <Table caption={t("navigation.people")} stacks>
        <Heads>
          <Head>{t("team.person")}</Head>
          <Head>{t("access.role")}</Head>
          {wide && <Head>{t("access.storeAccess")}</Head>}
          <Head>{t("common.status")}</Head>
          <Head>{t("team.lastSignIn")}</Head>
          <Head>
            <span className="sr-only">{t("common.edit")}</span>
          </Head>
        </Heads>
        <Rows>
          {people.map((person) => (
            <Row key={person.id} className={clsx(person.state === "disabled" && "text-muted")}>
              <Cell className="max-w-72 min-w-44">
                <span className="block font-medium break-words">
                  {person.name ?? person.username}
                  {person.id === self && <span className="font-normal text-muted"> {t("team.you")}</span>}
                </span>
                {person.name && <span className="block truncate text-xs text-muted">{person.username}</span>}
                {person.email && person.email !== person.username && (
                  <span className="block truncate text-xs text-muted">{person.email}</span>
                )}
              </Cell>
              <Cell label={t("access.role")} className="whitespace-nowrap">
                {t(roleLabels[person.roles[clientId] ?? person.role].name)}
              </Cell>
              {wide && (
                <Cell label={t("access.storeAccess")} className="max-w-56 min-w-32">
                  {person.all_clients || person.role === "operator" ? (
                    person.role === "operator" ? (
                      t("team.allStores")
                    ) : (
                      t("team.entireAccount")
                    )
                  ) : (
                    <AccessibleStores
                      clients={person.clients}
                      names={clients}
                      others={person.other_clients}
                      roleNote={(id) => {
                        const role = person.roles[id];
                        return role && <span className="text-muted"> ({t(roleLabels[role].name)})</span>;
                      }}
                    />
                  )}
                </Cell>
              )}
              <Cell label={t("common.status")}>
                <span className="flex flex-wrap gap-1">
                  <Badge tone={stateLabels[person.state].tone}>
                    {person.state === "invited" && !person.email
                      ? t("team.stateNew")
                      : t(stateLabels[person.state].name)}
                  </Badge>
                  {person.second_factor && (
                    <Badge icon={<ShieldCheck aria-hidden="true" className="size-3" />}>{t("common.twoFactor")}</Badge>
                  )}
                </span>
              </Cell>
              <Cell label={t("team.lastSignIn")} className="whitespace-nowrap text-muted">
                {person.last_sign_in_at
                  ? t.rich("common.timeAgo", { age: <Ago at={person.last_sign_in_at} timeZone={timeZone} within /> })
                  : t("access.never")}
              </Cell>
              <Cell className="text-right">
                {person.may_change && (
                  <Button
                    size="small"
                    onClick={() => setChanging(person)}
                    aria-label={t("team.editPerson", { name: person.name ?? person.username })}
                  >
                    {t("common.edit")}
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </Rows>
      </Table>
      <Dialog
        open={changing !== null}
        onOpenChange={(open) => !open && setChanging(null)}
        title={changing ? (changing.name ?? changing.username) : ""}
        description={t("team.roleChangeHint")}
      >
        {changing && (
          <ChangePerson
            clientId={clientId}
            person={changing}
            clients={clients}
            mayGiveAll={mayGiveAll}
            onDone={() => setChanging(null)}
          />
        )}
      </Dialog>
    </>
  );
}
