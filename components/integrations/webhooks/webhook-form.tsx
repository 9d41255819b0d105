"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { eventGroups } from "@/components/integrations/webhooks/labels";
import { SigningSecret } from "@/components/integrations/webhooks/signing-secret";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { changeWebhookContract, createWebhookContract } from "@/lib/integrations/webhooks/contract";
import type { Webhook, WebhookInput } from "@/lib/integrations/webhooks/schema";
import { defaultEvents, type WebhookEvent } from "@/lib/integrations/webhooks/values";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = { webhook: Webhook | null; clientId: string; open: boolean; onOpenChange: (open: boolean) => void };

/** A webhook's address and events in a dialog: a new one, whose secret is shown next, or an existing one. */
export function WebhookForm({ webhook, clientId, open, onOpenChange }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [secret, setSecret] = useState<string | null>(null);
  const [events, setEvents] = useState<string[]>(webhook?.events ?? [...defaultEvents]);
  const save = useMutation({
    mutationFn: async (body: WebhookInput): Promise<string | null> => {
      const query = { client_id: clientId };
      if (!webhook)
        return (await call<typeof createWebhookContract>("POST /portal/api/v1/webhooks", { query, body })).data.secret;
      await call<typeof changeWebhookContract>("PUT /portal/api/v1/webhooks/{id}", {
        params: { id: webhook.id },
        query,
        body,
      });
      return null;
    },
    onSuccess: (newSecret) => {
      if (newSecret === null) onOpenChange(false);
      else setSecret(newSecret);
      router.refresh();
    },
  });
  const general = save.error && !["url", "events"].some((member) => issueOf(save.error, member));

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url") ?? "").trim();
    if (!save.isPending) save.mutate({ url, events: events as WebhookEvent[] });
  };
  const toggle = (names: string[], on: boolean) =>
    setEvents(on ? [...new Set([...events, ...names])] : events.filter((event) => !names.includes(event)));

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={secret ? t("webhooks.copySecretTitle") : webhook ? t("webhooks.editTitle") : t("webhooks.createWebhook")}
      description={secret || webhook ? undefined : t("webhooks.addHint")}
    >
      {secret ? (
        <SigningSecret secret={secret} onDone={() => onOpenChange(false)} />
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-5" noValidate>
          <Field
            id="webhook-url"
            label={t("common.url")}
            error={issueOf(save.error, "url")}
            hint={webhook?.hidden ? t("webhooks.urlHiddenHint") : t("webhooks.urlHint")}
          >
            {(wiring) => (
              <Input
                {...wiring}
                name="url"
                type="url"
                required
                maxLength={2_000}
                defaultValue={webhook?.url}
                placeholder="https://shop.example/hooks/reviews"
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <fieldset className="flex flex-col gap-3">
            <legend className="mb-2 text-sm font-medium">{t("webhooks.eventsToSend")}</legend>
            {eventGroups.map(({ name, events: group }) => (
              <EventGroup key={name} name={name} group={group} chosen={events} toggle={toggle} />
            ))}
            {(events.length === 0 || issueOf(save.error, "events")) && (
              <p className="text-sm font-medium text-bad">{t("common.errorSelectOne")}</p>
            )}
          </fieldset>
          {general && (
            <Notice tone="bad" alert>
              {messageOf(save.error, t)}
            </Notice>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={() => onOpenChange(false)}>{t("common.cancel")}</Button>
            <Button type="submit" variant="primary" disabled={save.isPending || events.length === 0}>
              {save.isPending ? t("common.saving") : webhook ? t("common.save") : t("webhooks.createWebhook")}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

type GroupProps = {
  name: MessageKey;
  group: Partial<Record<WebhookEvent, MessageKey>>;
  chosen: string[];
  toggle: (names: string[], on: boolean) => void;
};

/** A group of events: all of them with one checkbox, or some. */
function EventGroup({ name, group, chosen, toggle }: GroupProps) {
  const t = useTranslations();
  const all = Object.keys(group);
  const some = all.filter((event) => chosen.includes(event)).length;
  return (
    <div className="rounded-control border border-line px-3 py-2.5">
      <label className="flex items-center gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          checked={some === all.length}
          ref={(box) => {
            if (box) box.indeterminate = some > 0 && some < all.length;
          }}
          onChange={({ target }) => toggle(all, target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        {t(name)}
      </label>
      {all.length > 1 && (
        <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1.5 pl-6.5">
          {Object.entries(group).map(([event, word]) => (
            <label key={event} className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                aria-label={t("webhooks.groupEvent", { group: t(name), event: t(word) })}
                checked={chosen.includes(event)}
                onChange={({ target }) => toggle([event], target.checked)}
                className="size-4 shrink-0 accent-accent"
              />
              {t(word)}
            </label>
          ))}
        </div>
      )}
    </div>
  );
}
