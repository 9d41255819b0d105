"use client";

import { useMutation } from "@tanstack/react-query";
import clsx from "clsx";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { AccessibleStores, hasSeveralStores } from "@/components/accounts/accessible-stores";
import type { ClientName } from "@/components/accounts/client-choice";
import { scopeLabels } from "@/components/accounts/labels";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-text";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { Ago } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { revokeApiKeyContract } from "@/lib/accounts/contract";
import type { ApiKey } from "@/lib/accounts/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import { formatMoment } from "@/lib/platform/i18n/format";

type Props = { clientId: string; keys: ApiKey[]; clients: ClientName[]; timeZone: string };

/** A client's keys: scopes, last use, and a button to revoke each. */
export function KeysTable({ clientId, keys, clients, timeZone }: Props) {
  const t = useTranslations();
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const wide = hasSeveralStores(keys);
  return (
    <>
      <Table caption={t("navigation.apiKeys")} stacks>
        <Heads>
          <Head>{t("apiKeys.key")}</Head>
          <Head>{t("apiKeys.permissions")}</Head>
          {wide && <Head>{t("access.storeAccess")}</Head>}
          <Head>{t("apiKeys.lastUsed")}</Head>
          <Head>{t("apiKeys.created")}</Head>
          <Head>
            <span className="sr-only">{t("apiKeys.revoke")}</span>
          </Head>
        </Heads>
        <Rows>
          {keys.map((key) => (
            <Row key={key.id} className={clsx(key.revoked_at && "text-muted")}>
              <Cell className="min-w-40">
                <span className="block max-w-64 font-medium break-words">{key.name}</span>
                <span className="block font-mono text-xs text-muted">{key.prefix}…</span>
                <span className="text-xs break-all text-muted">
                  {t("common.id")} {key.id} <CopyButton text={key.id} label={t("common.id")} />
                </span>
              </Cell>
              <Cell label={t("apiKeys.permissions")}>
                <span className="flex flex-wrap gap-1">
                  {key.scopes.map((scope) => (
                    <Badge key={scope}>{t(scopeLabels[scope].name)}</Badge>
                  ))}
                </span>
              </Cell>
              {wide && (
                <Cell label={t("access.storeAccess")} className="max-w-56 min-w-36">
                  <AccessibleStores clients={key.clients} names={clients} others={key.other_clients} />
                </Cell>
              )}
              <Cell label={t("apiKeys.lastUsed")} className="whitespace-nowrap text-muted">
                {key.last_used_at
                  ? t.rich("common.timeAgo", { age: <Ago at={key.last_used_at} timeZone={timeZone} within /> })
                  : t("access.never")}
              </Cell>
              <Cell label={t("apiKeys.created")} className="whitespace-nowrap text-muted">
                <span className="figures block">{formatMoment(key.created_at, timeZone, t.language)}</span>
                {key.created_by && (
                  <span className="block max-w-40 truncate text-xs">
                    {t("apiKeys.createdBy", { name: key.created_by })}
                  </span>
                )}
              </Cell>
              <Cell className="text-right">
                {key.revoked_at ? (
                  <Badge>
                    {t("apiKeys.revokedOn", { moment: formatMoment(key.revoked_at, timeZone, t.language) })}
                  </Badge>
                ) : (
                  <Button
                    variant="bad"
                    size="small"
                    onClick={() => setRevoking(key)}
                    aria-label={t("apiKeys.revokeKey", { name: key.name })}
                  >
                    {t("apiKeys.revoke")}
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </Rows>
      </Table>
      <Dialog
        open={revoking !== null}
        onOpenChange={(open) => !open && setRevoking(null)}
        title={t("apiKeys.revokeTitle", { name: revoking?.name ?? "" })}
        description={t("apiKeys.revokeHint")}
      >
        {revoking && (
          <RevokeKey clientId={clientId} apiKey={revoking} timeZone={timeZone} onDone={() => setRevoking(null)} />
        )}
      </Dialog>
    </>
  );
}

type EndProps = { clientId: string; apiKey: ApiKey; timeZone: string; onDone: () => void };

function RevokeKey({ clientId, apiKey, timeZone, onDone }: EndProps) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const end = useMutation({
    mutationFn: () =>
      call<typeof revokeApiKeyContract>("DELETE /portal/api/v1/api_keys/{id}", {
        params: { id: apiKey.id },
        query: { client_id: clientId },
      }),
    onSuccess: () => {
      toast.show({ id: "key", text: t("apiKeys.keyRevoked", { name: apiKey.name }) });
      router.refresh();
      onDone();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">
        {apiKey.last_used_at
          ? t.rich("apiKeys.lastUsedAgo", { age: <Ago at={apiKey.last_used_at} timeZone={timeZone} within /> })
          : t("apiKeys.neverUsed")}
      </p>
      {end.error && (
        <Notice tone="bad" alert>
          {messageOf(end.error, t)}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{t("common.cancel")}</Button>
        <Button variant="bad" onClick={() => end.mutate()} disabled={end.isPending}>
          {end.isPending ? t("apiKeys.revoking") : t("apiKeys.revoke")}
        </Button>
      </div>
    </div>
  );
}
