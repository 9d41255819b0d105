"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import type { z } from "zod";
import { useWords } from "#words";
import type { ClientName } from "@/components/accounts/client-choice";
import { type Reach, ReachChoice } from "@/components/accounts/reach-choice";
import { type GivenRole, RoleChoice } from "@/components/accounts/role-choice";
import { type Roles, RolesByClient, rolesOf } from "@/components/accounts/roles-by-client";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import type { changePersonContract, mailPersonContract } from "@/lib/accounts/contract";
import type { PersonChange, PersonLine } from "@/lib/accounts/schema";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";

type Props = {
  clientId: string;
  person: PersonLine;
  clients: ClientName[];
  mayGiveAll: boolean;
  onDone: () => void;
};

type Done = { change: z.input<typeof PersonChange>; said: string };

/** Role and reach of somebody, the way to a new password, and the door. */
export function ChangePerson({ clientId, person, clients, mayGiveAll, onDone }: Props) {
  const t = useWords();
  const router = useRouter();
  const toast = useToast();
  const [role, setRole] = useState(person.role);
  const [reach, setReach] = useState<Reach>({ all: person.all_clients, clients: person.clients });
  const [roles, setRoles] = useState<Roles>(person.roles);
  const called = person.name ?? person.username;
  const query = { client_id: clientId };
  const finish = (text: string) => {
    toast.show({ id: "person", text });
    router.refresh();
    onDone();
  };
  const change = useMutation({
    mutationFn: ({ change: body }: Done) =>
      call<typeof changePersonContract>("PUT /portal/api/v1/users/{id}", { params: { id: person.id }, query, body }),
    onSuccess: (_, { said }) => finish(said),
  });
  const mail = useMutation({
    mutationFn: () =>
      call<typeof mailPersonContract>("POST /portal/api/v1/users/{id}/link", { params: { id: person.id }, query }),
    onSuccess: () => finish(t("A link to set a password goes to {email}.", { email: person.email ?? "" })),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    const moved = reach.all !== person.all_clients || (!reach.all && reach.clients.join() !== person.clients.join());
    const kept = rolesOf(roles, role, reach.clients);
    const differs = !reach.all && JSON.stringify(sorted(kept)) !== JSON.stringify(sorted(person.roles));
    change.mutate({
      change: {
        ...(role !== "operator" && role !== person.role ? { role } : {}),
        ...(differs ? { roles: kept } : {}),
        ...(moved ? (reach.all ? { all_clients: true } : { clients: reach.clients, all_clients: false }) : {}),
      },
      said: t("{name} is changed.", { name: called }),
    });
  };
  const shut = person.state === "disabled";
  const error = change.error ?? mail.error;
  const busy = change.isPending || mail.isPending;
  return (
    <form onSubmit={save} noValidate className="flex flex-col gap-5">
      {role !== "operator" && <RoleChoice role={role as GivenRole} onChange={setRole} />}
      <ReachChoice
        clients={clients}
        reach={reach}
        onChange={setReach}
        mayGiveAll={mayGiveAll}
        error={issueOf(error, "clients")}
      />
      {role !== "operator" && !reach.all && (
        <RolesByClient
          usual={role as GivenRole}
          clients={clients}
          chosen={reach.clients}
          roles={roles}
          onChange={setRoles}
          error={issueOf(error, "roles")}
        />
      )}
      {error && !issueOf(error, "clients") && !issueOf(error, "roles") && (
        <Notice tone="bad" alert>
          {t(messageOf(error))}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{t("Cancel")}</Button>
        <Button type="submit" look="primary" aria-disabled={busy}>
          {change.isPending ? t("Saving …") : t("Save")}
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="min-w-40 flex-1 text-sm text-muted">
          {shut
            ? t("Cannot sign in, neither here nor with the API.")
            : person.email === null
              ? t("No address is known, so no link can be mailed.")
              : person.state === "invited"
                ? t("The link in the mail may have run out.")
                : t("Somebody who forgot the password can also ask for a link at the door.")}
        </p>
        <span className="flex flex-wrap gap-2">
          {person.second_factor && (
            <Button
              size="small"
              disabled={busy}
              onClick={() =>
                change.mutate({
                  change: { second_factor: false },
                  said: t("{name} signs in by password alone until a new app is set up.", { name: called }),
                })
              }
            >
              {t("Remove second factor")}
            </Button>
          )}
          {!shut && person.email !== null && (
            <Button size="small" onClick={() => mail.mutate()} disabled={busy}>
              {person.state === "invited" ? t("Invite again") : t("Mail a link")}
            </Button>
          )}
          <Button
            size="small"
            look={shut ? "secondary" : "bad"}
            disabled={busy}
            onClick={() =>
              change.mutate({
                change: { disabled: !shut },
                said: shut
                  ? t("{name} may sign in again.", { name: called })
                  : t("{name} is shut out.", { name: called }),
              })
            }
          >
            {shut ? t("Let in again") : t("Shut out§do")}
          </Button>
        </span>
      </div>
    </form>
  );
}

const sorted = (roles: Roles) => Object.entries(roles).sort(([a], [b]) => (a < b ? -1 : 1));
