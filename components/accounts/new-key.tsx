"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { ClientChoice, type ClientName } from "@/components/accounts/client-choice";
import { scopeLabels } from "@/components/accounts/labels";
import { Button } from "@/components/ui/button";
import { CopyText } from "@/components/ui/copy-text";
import { Dialog } from "@/components/ui/dialog";
import { FormActions } from "@/components/ui/form-actions";
import { TextField } from "@/components/ui/text-field";
import type { createApiKeyContract } from "@/lib/accounts/contract";
import { scopes } from "@/lib/accounts/values";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";
import type { Scope } from "@/lib/platform/http/contract";

type Props = { clientId: string; clients: ClientName[]; publicUrl: string };

/** Creates a key and shows its secret once. */
export function NewKey({ clientId, clients, publicUrl }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setOpen(false);
    setSecret(null);
  };
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" className="size-4" />
        {t("apiKeys.newKey")}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => (next ? setOpen(true) : close())}
        title={secret ? t("apiKeys.copyTitle") : t("apiKeys.newKeyTitle")}
        description={secret ? t("apiKeys.copyHint") : undefined}
      >
        {secret ? (
          <div className="flex flex-col gap-4">
            <CopyText text={secret} label={t("apiKeys.keyCopy")} />
            <div className="flex flex-col gap-1.5">
              <p className="text-sm text-muted">{t("apiKeys.exampleRequest")}</p>
              <CopyText
                text={`curl -H "Authorization: Bearer ${secret}" \\\n  "${publicUrl}/v1/reviews?client_id=${clientId}"`}
                label={t("apiKeys.requestCopy")}
              />
            </div>
            <div className="flex justify-end">
              <Button variant="primary" onClick={close}>
                {t("apiKeys.copied")}
              </Button>
            </div>
          </div>
        ) : (
          <KeyForm
            clientId={clientId}
            clients={clients}
            onCreated={(made) => {
              setSecret(made);
              router.refresh();
            }}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  );
}

type FormProps = Omit<Props, "publicUrl"> & {
  onCreated: (secret: string) => void;
  onCancel: () => void;
};

function KeyForm({ clientId, clients, onCreated, onCancel }: FormProps) {
  const t = useTranslations();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Scope[]>(["read", "write"]);
  const [clientIds, setClientIds] = useState([clientId]);
  const make = useMutation({
    mutationFn: () =>
      call<typeof createApiKeyContract>("POST /portal/api/v1/api_keys", {
        query: { client_id: clientId },
        body: { name, scopes: chosen, clients: clientIds },
      }),
    onSuccess: ({ data }) => onCreated(data.secret),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!make.isPending) make.mutate();
  };
  const issues = ["name", "scopes", "clients"].some((member) => issueOf(make.error, member));
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <TextField
        id="key-name"
        label={t("common.name")}
        hint={t("apiKeys.nameHint")}
        error={issueOf(make.error, "name")}
        value={name}
        maxLength={100}
        onText={setName}
      />
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-1.5 text-sm font-medium">{t("apiKeys.permissionsLabel")}</legend>
        {scopes.map((scope) => (
          <label key={scope} className="flex gap-2.5 text-sm">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
              }
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              <span className="font-medium">{t(scopeLabels[scope].name)}</span>
              <span className="block text-muted">{t(scopeLabels[scope].what)}</span>
            </span>
          </label>
        ))}
        {issueOf(make.error, "scopes") && <p className="text-sm font-medium text-bad">{t("common.errorSelectOne")}</p>}
      </fieldset>
      <ClientChoice
        legend={t("apiKeys.storesLabel")}
        clients={clients}
        chosen={clientIds}
        onChange={setClientIds}
        error={issueOf(make.error, "clients") && t("common.errorSelectOne")}
      />
      <FormActions
        error={make.error && !issues && messageOf(make.error, t)}
        busy={make.isPending}
        busyLabel={t("apiKeys.creating")}
        onCancel={onCancel}
      >
        {t("apiKeys.create")}
      </FormActions>
    </form>
  );
}
