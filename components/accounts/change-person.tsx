"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import type { z } from "zod";
import { useTranslations } from "#messages";
import type { ClientName } from "@/components/accounts/client-choice";
import { type AssignableRole, RoleChoice } from "@/components/accounts/role-choice";
import { type Roles, RolesByClient, rolesOf } from "@/components/accounts/roles-by-client";
import { type StoreAccess, StoreAccessField } from "@/components/accounts/store-access-field";
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

type Done = { change: z.input<typeof PersonChange>; message: string };

/** Edits a person's role and access, creates a password link, and deactivates or reactivates the person. */
export function ChangePerson({ clientId, person, clients, mayGiveAll, onDone }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [role, setRole] = useState(person.role);
  const [access, setAccess] = useState<StoreAccess>({ all: person.all_clients, clients: person.clients });
  const [roles, setRoles] = useState<Roles>(person.roles);
  const displayName = person.name ?? person.username;
  const query = { client_id: clientId };
  const finish = (text: string) => {
    toast.show({ id: "person", text });
    router.refresh();
    onDone();
  };
  const change = useMutation({
    mutationFn: ({ change: body }: Done) =>
      call<typeof changePersonContract>("PUT /portal/api/v1/users/{id}", { params: { id: person.id }, query, body }),
    onSuccess: (_, { message }) => finish(message),
  });
  const mail = useMutation({
    mutationFn: () =>
      call<typeof mailPersonContract>("POST /portal/api/v1/users/{id}/link", { params: { id: person.id }, query }),
    onSuccess: () => finish(t("team.linkSent", { email: person.email ?? "" })),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    const accessChanged =
      access.all !== person.all_clients || (!access.all && access.clients.join() !== person.clients.join());
    const effectiveRoles = rolesOf(roles, role, access.clients);
    const differs = !access.all && JSON.stringify(sorted(effectiveRoles)) !== JSON.stringify(sorted(person.roles));
    change.mutate({
      change: {
        ...(role !== "operator" && role !== person.role ? { role } : {}),
        ...(differs ? { roles: effectiveRoles } : {}),
        ...(accessChanged
          ? access.all
            ? { all_clients: true }
            : { clients: access.clients, all_clients: false }
          : {}),
      },
      message: t("team.personSaved", { name: displayName }),
    });
  };
  const isDeactivated = person.state === "disabled";
  const error = change.error ?? mail.error;
  const busy = change.isPending || mail.isPending;
  return (
    <form onSubmit={save} noValidate className="flex flex-col gap-5">
      {role !== "operator" && <RoleChoice role={role as AssignableRole} onChange={setRole} />}
      <StoreAccessField
        clients={clients}
        access={access}
        onChange={setAccess}
        canGrantAll={mayGiveAll}
        error={issueOf(error, "clients")}
      />
      {role !== "operator" && !access.all && (
        <RolesByClient
          usual={role as AssignableRole}
          clients={clients}
          chosen={access.clients}
          roles={roles}
          onChange={setRoles}
          error={issueOf(error, "roles")}
        />
      )}
      {error && !issueOf(error, "clients") && !issueOf(error, "roles") && (
        <Notice tone="bad" alert>
          {messageOf(error, t)}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" aria-disabled={busy}>
          {change.isPending ? t("common.saving") : t("common.save")}
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="min-w-40 flex-1 text-sm text-muted">
          {isDeactivated
            ? t("team.deactivatedHint")
            : person.email === null
              ? t("team.noEmailHint")
              : person.state === "invited"
                ? t("team.linkExpiredHint")
                : t("team.forgotPasswordHint")}
        </p>
        <span className="flex flex-wrap gap-2">
          {person.second_factor && (
            <Button
              size="small"
              disabled={busy}
              onClick={() =>
                change.mutate({
                  change: { second_factor: false },
                  message: t("team.twoFactorRemoved", { name: displayName }),
                })
              }
            >
              {t("team.removeTwoFactor")}
            </Button>
          )}
          {!isDeactivated && person.email !== null && (
            <Button size="small" onClick={() => mail.mutate()} disabled={busy}>
              {person.state === "invited" ? t("team.resendInvitation") : t("team.sendLink")}
            </Button>
          )}
          <Button
            size="small"
            variant={isDeactivated ? "secondary" : "bad"}
            disabled={busy}
            onClick={() =>
              change.mutate({
                change: { disabled: !isDeactivated },
                message: isDeactivated
                  ? t("team.personReactivated", { name: displayName })
                  : t("team.personDeactivated", { name: displayName }),
              })
            }
          >
            {isDeactivated ? t("team.reactivate") : t("team.deactivate")}
          </Button>
        </span>
      </div>
    </form>
  );
}

const sorted = (roles: Roles) => Object.entries(roles).sort(([a], [b]) => (a < b ? -1 : 1));
