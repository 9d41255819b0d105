"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import type { createClientContract, setContractContract } from "@/lib/accounts/contract";
import type { AccountLine } from "@/lib/accounts/schema";
import { call, faultOf, messageOf } from "@/lib/http/client";

/** An account with its clients: what they may send, and what they sent today. */
export function AccountCard({ account }: { account: AccountLine }) {
  const [adding, setAdding] = useState(false);
  return (
    <section aria-labelledby={`account-${account.id}`}>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={`account-${account.id}`} className="font-semibold break-words">
          {account.name}
        </h2>
        {account.demo && <Badge>Demo</Badge>}
        <span className="figures text-sm text-muted">
          {account.clients.length}
          {account.more && "+"} {account.clients.length === 1 ? "client" : "clients"}, {account.people}{" "}
          {account.people === 1 ? "person" : "people"}
        </span>
        <Button
          size="small"
          className="ml-auto"
          onClick={() => setAdding(true)}
          aria-label={`New client of ${account.name}`}
        >
          <Plus aria-hidden="true" className="size-4" />
          Client
        </Button>
      </div>
      {account.clients.length > 0 ? (
        <Table caption={`Clients of ${account.name}`}>
          <thead>
            <tr>
              <Head>Client</Head>
              <Head>Moderated by</Head>
              <Head className="text-right">Sent today</Head>
              <Head className="text-right">Its own limit a day</Head>
              <Head>The contract’s limit</Head>
            </tr>
          </thead>
          <tbody>
            {account.clients.map((client) => (
              <Row key={client.id}>
                <Cell>
                  <Link
                    className="font-medium hover:underline"
                    href={`/portal?client_id=${encodeURIComponent(client.id)}`}
                  >
                    {client.display_name}
                  </Link>
                  {client.display_name !== client.id && <span className="block text-muted">{client.id}</span>}
                </Cell>
                <Cell>{client.own_moderation ? "itself" : <Badge tone="accent">you</Badge>}</Cell>
                <Cell className="figures text-right">{client.sent_today.toLocaleString("en-GB")}</Cell>
                <Cell className="figures text-right">{client.send_limit.toLocaleString("en-GB")}</Cell>
                <Cell>
                  <ContractLimit key={client.contract_send_limit} client={client} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      ) : (
        <p className="rounded-card border border-dashed border-line px-5 py-4 text-sm text-muted">
          No client yet. A client is one shop or site.
        </p>
      )}
      {adding && <NewClientDialog account={account} onClose={() => setAdding(false)} />}
    </section>
  );
}

function ContractLimit({ client }: { client: AccountLine["clients"][number] }) {
  const router = useRouter();
  const saved = client.contract_send_limit === null ? "" : String(client.contract_send_limit);
  const [typed, setTyped] = useState(saved);
  const save = useMutation({
    mutationFn: () => {
      const limit = typed.trim() === "" ? null : Number(typed);
      return call<typeof setContractContract>("PUT /portal/api/v1/clients/{id}/contract", {
        params: { id: client.id },
        body: { contract_send_limit: limit },
      });
    },
    onSuccess: () => router.refresh(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <span className="flex items-center gap-2">
        <Input
          compact
          inputMode="numeric"
          aria-label={`Contract's limit of ${client.display_name}`}
          aria-invalid={save.error ? true : undefined}
          placeholder="none"
          className="figures w-28"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            if (save.isError) save.reset();
          }}
        />
        {typed !== saved && (
          <Button type="submit" size="small" disabled={save.isPending}>
            Save
          </Button>
        )}
      </span>
      {save.error && (
        <span role="alert" className="mt-1 block max-w-56 text-sm text-bad">
          {faultOf(save.error, "contract_send_limit") ?? messageOf(save.error)}
        </span>
      )}
    </form>
  );
}

function NewClientDialog({ account, onClose }: { account: AccountLine; onClose: () => void }) {
  const router = useRouter();
  const make = useMutation({
    mutationFn: (given: { id: string; display_name: string | undefined }) =>
      call<typeof createClientContract>("POST /portal/api/v1/clients", { body: { account_id: account.id, ...given } }),
    onSuccess: () => {
      onClose();
      router.refresh();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`New client of ${account.name}`}
      description="Its people find the rest in its settings."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          make.mutate({
            id: String(form.get("id")).trim(),
            display_name: String(form.get("display_name")).trim() || undefined,
          });
        }}
      >
        <Field
          id="new-client-id"
          label="Id"
          hint="Usually the site's name. It stands in addresses and stays."
          error={faultOf(make.error, "id")}
        >
          {(wiring) => <Input {...wiring} name="id" required maxLength={100} placeholder="shop.example" />}
        </Field>
        <Field id="new-client-name" label="Name of the shop" optional error={faultOf(make.error, "display_name")}>
          {(wiring) => <Input {...wiring} name="display_name" maxLength={255} />}
        </Field>
        {make.error && (
          <Notice tone="bad" alert>
            {messageOf(make.error)}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={make.isPending}>
            Make it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
