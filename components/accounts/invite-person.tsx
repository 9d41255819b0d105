"use client";

import { useMutation } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import type { ClientName } from "@/components/accounts/client-choice";
import { type AssignableRole, RoleChoice } from "@/components/accounts/role-choice";
import { type Roles, RolesByClient, rolesOf } from "@/components/accounts/roles-by-client";
import { type StoreAccess, StoreAccessField } from "@/components/accounts/store-access-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FormActions } from "@/components/ui/form-actions";
import { TextField } from "@/components/ui/text-field";
import { useToast } from "@/components/ui/toast";
import type { invitePersonContract } from "@/lib/accounts/contract";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";

type Props = { clientId: string; clients: ClientName[]; mayGiveAll: boolean };

export function InvitePerson(props: Props) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden="true" className="size-4" />
        {t("team.invite")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t("team.inviteTitle")} description={t("team.inviteHint")}>
        <InviteForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function InviteForm({ clientId, clients, mayGiveAll, onDone }: Props & { onDone: () => void }) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<AssignableRole>("moderator");
  const [access, setAccess] = useState<StoreAccess>({ all: false, clients: [clientId] });
  const [roles, setRoles] = useState<Roles>({});
  const invite = useMutation({
    mutationFn: () =>
      call<typeof invitePersonContract>("POST /portal/api/v1/users", {
        query: { client_id: clientId },
        body: {
          email,
          name: name || null,
          role,
          ...(access.all
            ? { all_clients: true }
            : { clients: access.clients, roles: rolesOf(roles, role, access.clients) }),
        },
      }),
    onSuccess: () => {
      toast.show({ id: "person", text: t("team.invitationSent", { email: email.trim() }) });
      router.refresh();
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!invite.isPending) invite.mutate();
  };
  const emailIssue = issueOf(invite.error, "email") ?? issueOf(invite.error, "username");
  const known = emailIssue || ["name", "clients", "roles"].some((member) => issueOf(invite.error, member));
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <TextField
        id="invite-email"
        label={t("common.emailAddress")}
        hint={t("team.emailHint")}
        error={emailIssue}
        type="email"
        value={email}
        maxLength={320}
        autoComplete="off"
        onText={setEmail}
      />
      <TextField
        id="invite-name"
        label={t("common.name")}
        optional
        error={issueOf(invite.error, "name")}
        value={name}
        maxLength={100}
        autoComplete="off"
        onText={setName}
      />
      <RoleChoice role={role} onChange={setRole} />
      <StoreAccessField
        clients={clients}
        access={access}
        onChange={setAccess}
        canGrantAll={mayGiveAll}
        error={issueOf(invite.error, "clients")}
      />
      {!access.all && (
        <RolesByClient
          usual={role}
          clients={clients}
          chosen={access.clients}
          roles={roles}
          onChange={setRoles}
          error={issueOf(invite.error, "roles")}
        />
      )}
      <FormActions
        error={invite.error && !known && messageOf(invite.error, t)}
        busy={invite.isPending}
        busyLabel={t("common.sending")}
        onCancel={onDone}
      >
        {t("team.sendInvitation")}
      </FormActions>
    </form>
  );
}
