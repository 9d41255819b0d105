"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { createClientContract, setContractContract } from "@/lib/accounts/contract";
import type { AccountLine } from "@/lib/accounts/schema";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";

/** An account with its clients: what they may send, and what they sent today. */
export function AccountCard({ account }: { account: AccountLine }) {
  const t = useWords();
  const [adding, setAdding] = useState(false);
  return (
    <section aria-labelledby={`account-${account.id}`}>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={`account-${account.id}`} className="font-semibold break-words">
          {account.name}
        </h2>
        {account.demo && <Badge>{t("Demo")}</Badge>}
        <span className="figures text-sm text-muted">
          {[
            account.more
              ? t("more than {n} client|more than {n} clients", { n: account.clients.length })
              : t("{n} client|{n} clients", { n: account.clients.length }),
            t("{n} person|{n} people", { n: account.people }),
          ].join(", ")}
        </span>
        <Button
          size="small"
          className="ml-auto"
          onClick={() => setAdding(true)}
          aria-label={t("New client of {name}", { name: account.name })}
        >
          <Plus aria-hidden="true" className="size-4" />
          {t("Client")}
        </Button>
      </div>
      {account.clients.length > 0 ? (
        <Table caption={t("Clients of {name}", { name: account.name })} stacks fixed>
          <Heads>
            <Head>{t("Client")}</Head>
            <Head className="w-32">{t("Moderated by")}</Head>
            <Head className="w-32 text-right">{t("Sent today")}</Head>
            <Head className="w-40 text-right">{t("Its own limit a day")}</Head>
            <Head className="w-60">{t("The contract’s limit")}</Head>
          </Heads>
          <Rows>
            {account.clients.map((client) => (
              <Row key={client.id}>
                <Cell className="break-words">
                  <Link
                    className="font-medium hover:underline"
                    href={`/portal?client_id=${encodeURIComponent(client.id)}`}
                  >
                    {client.display_name}
                  </Link>
                  {client.display_name !== client.id && <span className="block text-muted">{client.id}</span>}
                </Cell>
                <Cell label={t("Moderated by")}>
                  {client.own_moderation ? t("itself") : <Badge tone="accent">{t("you")}</Badge>}
                </Cell>
                <Cell label={t("Sent today")} className="figures text-right">
                  {client.sent_today.toLocaleString(t.locale)}
                </Cell>
                <Cell label={t("Its own limit a day")} className="figures text-right">
                  {client.send_limit.toLocaleString(t.locale)}
                </Cell>
                <Cell label={t("The contract’s limit")}>
                  <ContractLimit key={client.contract_send_limit} client={client} />
                </Cell>
              </Row>
            ))}
          </Rows>
        </Table>
      ) : (
        <p className="rounded-card border border-dashed border-line px-5 py-4 text-sm text-muted">
          {t("No client yet. A client is one shop or site.")}
        </p>
      )}
      {adding && <NewClientDialog account={account} onClose={() => setAdding(false)} />}
    </section>
  );
}

function ContractLimit({ client }: { client: AccountLine["clients"][number] }) {
  const t = useWords();
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
          aria-label={t("Contract's limit of {name}", { name: client.display_name })}
          aria-invalid={save.error ? true : undefined}
          placeholder={t("none§limit")}
          className="figures w-28"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            if (save.isError) save.reset();
          }}
        />
        {typed !== saved && (
          <Button type="submit" size="small" disabled={save.isPending}>
            {t("Save")}
          </Button>
        )}
      </span>
      {save.error && (
        <span role="alert" className="mt-1 block max-w-56 text-sm text-bad">
          {issueOf(save.error, "contract_send_limit") ?? t(messageOf(save.error))}
        </span>
      )}
    </form>
  );
}

function NewClientDialog({ account, onClose }: { account: AccountLine; onClose: () => void }) {
  const t = useWords();
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
      title={t("New client of {name}", { name: account.name })}
      description={t("Its people find the rest in its settings.")}
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
          label={t("Id")}
          hint={t("Usually the site's name. It stands in addresses and stays.")}
          error={issueOf(make.error, "id")}
        >
          {(wiring) => <Input {...wiring} name="id" required maxLength={100} placeholder="shop.example" />}
        </Field>
        <Field id="new-client-name" label={t("Name of the shop")} optional error={issueOf(make.error, "display_name")}>
          {(wiring) => <Input {...wiring} name="display_name" maxLength={255} />}
        </Field>
        {make.error && (
          <Notice tone="bad" alert>
            {t(messageOf(make.error))}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" disabled={make.isPending}>
            {t("Make it")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
