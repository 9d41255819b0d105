"use client";

import { useMutation } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import type { ClientName } from "@/components/accounts/client-choice";
import { type Reach, ReachChoice } from "@/components/accounts/reach-choice";
import { type GivenRole, RoleChoice } from "@/components/accounts/role-choice";
import { faultWords } from "@/components/accounts/words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import { invitePersonContract } from "@/lib/accounts/contract";
import { call, faultOf, messageOf } from "@/lib/http/client";

type Props = { clientId: string; clients: ClientName[]; mayGiveAll: boolean };

/** Invites somebody by mail. */
export function InvitePerson(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden="true" className="size-4" />
        Invite
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Invite somebody"
        description="They get a mail with a link to set a password. It works for 7 days."
      >
        <InviteForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function InviteForm({ clientId, clients, mayGiveAll, onDone }: Props & { onDone: () => void }) {
  const router = useRouter();
  const toast = useToast();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<GivenRole>("moderator");
  const [reach, setReach] = useState<Reach>({ all: false, clients: [clientId] });
  const invite = useMutation({
    mutationFn: () =>
      call(invitePersonContract, {
        query: { client_id: clientId },
        body: { email, name: name || null, role, ...(reach.all ? { all_clients: true } : { clients: reach.clients }) },
      }),
    onSuccess: () => {
      toast.show({ id: "person", text: `The invitation goes to ${email.trim()}.` });
      router.refresh();
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!invite.isPending) invite.mutate();
  };
  const emailFault = faultWords(invite.error, "email") ?? faultWords(invite.error, "username");
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <Field id="invite-email" label="E-mail address" hint="It becomes the user name." error={emailFault}>
        {(wiring) => (
          <Input
            {...wiring}
            type="email"
            value={email}
            maxLength={320}
            autoComplete="off"
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field id="invite-name" label="Name" optional error={faultWords(invite.error, "name")}>
        {(wiring) => (
          <Input
            {...wiring}
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <RoleChoice role={role} onChange={setRole} />
      <ReachChoice
        clients={clients}
        reach={reach}
        onChange={setReach}
        mayGiveAll={mayGiveAll}
        error={faultWords(invite.error, "clients")}
      />
      {invite.error && !emailFault && !faultOf(invite.error, "name") && !faultOf(invite.error, "clients") && (
        <Notice tone="bad" alert>
          {messageOf(invite.error)}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" aria-disabled={invite.isPending}>
          {invite.isPending ? "Sending …" : "Send the invitation"}
        </Button>
      </div>
    </form>
  );
}
