"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
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

/** An account with its clients, their limits and today's usage. */
export function AccountCard({ account }: { account: AccountLine }) {
  const t = useTranslations();
  const [adding, setAdding] = useState(false);
  return (
    <section aria-labelledby={`account-${account.id}`}>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={`account-${account.id}`} className="font-semibold break-words">
          {account.name}
        </h2>
        {account.demo && <Badge>{t("accounts.demo")}</Badge>}
        <span className="figures text-sm text-muted">
          {[
            account.more
              ? t("accounts.storeCountMore", { n: account.clients.length })
              : t("accounts.storeCount", { n: account.clients.length }),
            t("accounts.personCount", { n: account.people }),
          ].join(", ")}
        </span>
        <Button
          size="small"
          className="ml-auto"
          onClick={() => setAdding(true)}
          id={`create-store-${account.id}`}
          aria-labelledby={`create-store-${account.id} account-${account.id}`}
        >
          <Plus aria-hidden="true" className="size-4" />
          {t("accounts.createStore")}
        </Button>
      </div>
      {account.clients.length > 0 ? (
        <Table caption={t("accounts.storesCaption", { name: account.name })} stacks fixed>
          <Heads>
            <Head>{t("navigation.store")}</Head>
            <Head className="w-32">{t("accounts.moderatedBy")}</Head>
            <Head className="w-32 text-right">{t("accounts.sentToday")}</Head>
            <Head className="w-40 text-right">{t("accounts.dailyLimit")}</Head>
            <Head className="w-60">{t("accounts.contractLimit")}</Head>
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
                  {client.test && (
                    <span className="ml-2">
                      <Badge tone="warn">{t("accounts.testStore")}</Badge>
                    </span>
                  )}
                  {client.display_name !== client.id && <span className="block text-muted">{client.id}</span>}
                </Cell>
                <Cell label={t("accounts.moderatedBy")}>
                  {client.own_moderation ? (
                    t("accounts.moderatedByStore")
                  ) : (
                    <Badge tone="accent">{t("accounts.moderatedByYou")}</Badge>
                  )}
                </Cell>
                <Cell label={t("accounts.sentToday")} className="figures text-right">
                  {client.sent_today.toLocaleString(t.language)}
                </Cell>
                <Cell label={t("accounts.dailyLimit")} className="figures text-right">
                  {client.send_limit.toLocaleString(t.language)}
                </Cell>
                <Cell label={t("accounts.contractLimit")}>
                  <ContractLimit key={client.contract_send_limit} client={client} />
                </Cell>
              </Row>
            ))}
          </Rows>
        </Table>
      ) : (
        <p className="rounded-card border border-dashed border-line px-5 py-4 text-sm text-muted">
          {t("accounts.noStores")}
        </p>
      )}
      {adding && <NewClientDialog account={account} onClose={() => setAdding(false)} />}
    </section>
  );
}

function ContractLimit({ client }: { client: AccountLine["clients"][number] }) {
  const t = useTranslations();
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
          aria-label={t("accounts.contractLimitLabel", { name: client.display_name })}
          aria-invalid={save.error ? true : undefined}
          placeholder={t("accounts.noLimit")}
          className="figures w-28"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            if (save.isError) save.reset();
          }}
        />
        {typed !== saved && (
          <Button type="submit" size="small" disabled={save.isPending}>
            {t("common.save")}
          </Button>
        )}
      </span>
      {save.error && (
        <span role="alert" className="mt-1 block max-w-56 text-sm text-bad">
          {issueOf(save.error, "contract_send_limit") ?? messageOf(save.error, t)}
        </span>
      )}
    </form>
  );
}

function NewClientDialog({ account, onClose }: { account: AccountLine; onClose: () => void }) {
  const t = useTranslations();
  const router = useRouter();
  const make = useMutation({
    mutationFn: (given: { id: string; display_name: string | undefined; test: boolean }) =>
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
      title={t("accounts.newStoreTitle", { name: account.name })}
      description={t("accounts.newStoreHint")}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          make.mutate({
            id: String(form.get("id")).trim(),
            display_name: String(form.get("display_name")).trim() || undefined,
            test: form.has("test"),
          });
        }}
      >
        <Field
          id="new-client-id"
          label={t("common.id")}
          hint={t("accounts.storeIdHint")}
          error={issueOf(make.error, "id")}
        >
          {(wiring) => <Input {...wiring} name="id" required maxLength={100} placeholder="shop.example" />}
        </Field>
        <Field id="new-client-name" label={t("common.storeName")} optional error={issueOf(make.error, "display_name")}>
          {(wiring) => <Input {...wiring} name="display_name" maxLength={255} />}
        </Field>
        <label className="flex items-start gap-2 text-sm">
          <input type="checkbox" name="test" className="mt-0.5 size-4 accent-accent" />
          <span>
            <span className="block font-medium">{t("accounts.testStore")}</span>
            <span className="block text-muted">{t("accounts.testStoreHint")}</span>
          </span>
        </label>
        {make.error && (
          <Notice tone="bad" alert>
            {messageOf(make.error, t)}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" disabled={make.isPending}>
            {t("accounts.createStore")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
