"use client";

import { useMutation } from "@tanstack/react-query";
import { Ellipsis, History, KeyRound, Pause, Pencil, Play, Send, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { SigningSecret } from "@/components/integrations/webhooks/signing-secret";
import { WebhookForm } from "@/components/integrations/webhooks/webhook-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import { ignoreDoubleClick } from "@/components/ui/submit-guard";
import { useToast } from "@/components/ui/toast";
import type {
  deleteWebhookContract,
  pauseWebhookContract,
  replayWebhookContract,
  resumeWebhookContract,
  rotateWebhookContract,
  testWebhookContract,
} from "@/lib/integrations/webhooks/contract";
import type { Webhook } from "@/lib/integrations/webhooks/schema";
import { call, loadNoticeTranslator, messageOf } from "@/lib/platform/http/client";

type Props = { webhook: Webhook; clientId: string; listHref: string };
type DialogName = "change" | "rotate" | "replay" | "remove";

/** Actions for a webhook: frequent ones as buttons, the rest in a menu. */
export function WebhookActions({ webhook, clientId, listHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [open, setOpen] = useState<DialogName | null>(null);
  const close = () => setOpen(null);
  const target = { params: { id: webhook.id }, query: { client_id: clientId } };
  const isStopped = webhook.state !== "active";
  const showToast = (text: string, tone: "plain" | "bad" = "plain") =>
    toast.show({ id: `webhook-${webhook.id}`, text, tone });

  const test = useMutation({
    mutationFn: async () => {
      const { data } = await call<typeof testWebhookContract>("POST /portal/api/v1/webhooks/{id}/test", target);
      return translateNoticeFields(data, await loadNoticeTranslator([data]));
    },
    onSuccess: (data) => showToast(data.message, data.ok ? "plain" : "bad"),
    onError: (error) => showToast(messageOf(error, t), "bad"),
    onSettled: () => router.refresh(),
  });
  const togglePause = useMutation({
    mutationFn: () =>
      isStopped
        ? call<typeof resumeWebhookContract>("POST /portal/api/v1/webhooks/{id}/resume", target)
        : call<typeof pauseWebhookContract>("POST /portal/api/v1/webhooks/{id}/pause", target),
    onSuccess: () => showToast(isStopped ? t("webhooks.resumed") : t("webhooks.paused")),
    onError: (error) => showToast(messageOf(error, t), "bad"),
    onSettled: () => router.refresh(),
  });

  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="small" onClick={ignoreDoubleClick(() => test.mutate())} disabled={test.isPending}>
        <Send aria-hidden="true" className="size-3.5" />
        {test.isPending ? t("common.sending") : t("webhooks.sendTest")}
      </Button>
      <Button
        size="small"
        variant={webhook.state === "disabled" ? "primary" : "secondary"}
        onClick={ignoreDoubleClick(() => togglePause.mutate())}
        disabled={togglePause.isPending}
      >
        {isStopped ? (
          <Play aria-hidden="true" className="size-3.5" />
        ) : (
          <Pause aria-hidden="true" className="size-3.5" />
        )}
        {webhook.state === "failing"
          ? t("webhooks.retryNow")
          : isStopped
            ? t("integrations.resume")
            : t("integrations.pause")}
      </Button>
      <Menu
        label={t("webhooks.more")}
        trigger={
          <Button size="small" variant="quiet" aria-label={t("webhooks.more")}>
            <Ellipsis aria-hidden="true" className="size-4" />
          </Button>
        }
      >
        {(
          [
            ["replay", t("webhooks.replayTitle"), History],
            ["rotate", t("webhooks.rotateSecret"), KeyRound],
            ["change", t("common.edit"), Pencil],
            ["remove", t("common.remove"), Trash2],
          ] as const
        ).map(([what, words, Icon]) => (
          <MenuItem key={what} onSelect={() => setOpen(what)}>
            <button type="button">
              <Icon aria-hidden="true" className="size-4 text-muted" />
              {words}
            </button>
          </MenuItem>
        ))}
      </Menu>
      {open === "change" && <WebhookForm webhook={webhook} clientId={clientId} open onOpenChange={close} />}
      {open === "rotate" && <Rotate target={target} onDone={close} />}
      {open === "replay" && <ReplayPeriod target={target} onDone={close} />}
      {open === "remove" && (
        <Remove
          target={target}
          onDone={close}
          onRemoved={() => {
            router.push(listHref);
            router.refresh();
          }}
        />
      )}
    </div>
  );
}

type Target = { params: { id: string }; query: { client_id: string } };

function Rotate({ target, onDone }: { target: Target; onDone: () => void }) {
  const t = useTranslations();
  const router = useRouter();
  const rotate = useMutation({
    mutationFn: () => call<typeof rotateWebhookContract>("POST /portal/api/v1/webhooks/{id}/rotate", target),
    onSuccess: () => router.refresh(),
  });
  const secret = rotate.data?.data.secret;
  return (
    <Dialog open onOpenChange={onDone} title={secret ? t("webhooks.copySecretTitle") : t("webhooks.rotateTitle")}>
      {secret ? (
        <SigningSecret secret={secret} overlap onDone={onDone} />
      ) : (
        <>
          <p className="text-sm text-muted">{t("webhooks.rotateHint")}</p>
          {rotate.error && <ErrorNotice error={rotate.error} />}
          <DialogFooter onDone={onDone}>
            <Button variant="primary" onClick={() => rotate.mutate()} disabled={rotate.isPending}>
              {t("webhooks.rotateConfirm")}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

/** Converts a form's local date and time to ISO. */
const toIsoTime = (local: string): string => new Date(local).toISOString();

function ReplayPeriod({ target, onDone }: { target: Target; onDone: () => void }) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const replay = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) =>
      call<typeof replayWebhookContract>("POST /portal/api/v1/webhooks/{id}/replay", {
        ...target,
        body: { from: toIsoTime(from), ...(to && { to: toIsoTime(to) }) },
      }),
    onSuccess: ({ data: { replayed } }) => {
      toast.show({
        id: "replayed",
        text: replayed === 0 ? t("webhooks.replayEmpty") : t("deliveries.resending", { n: replayed }),
      });
      router.refresh();
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    replay.mutate({ from: String(form.get("from")), to: String(form.get("to") ?? "") });
  };
  return (
    <Dialog open onOpenChange={onDone} title={t("webhooks.replayTitle")} description={t("webhooks.replayHint")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field id="replay-from" label={t("webhooks.replayFrom")}>
            {(wiring) => <Input {...wiring} name="from" type="datetime-local" required />}
          </Field>
          <Field id="replay-to" label={t("webhooks.replayTo")} optional>
            {(wiring) => <Input {...wiring} name="to" type="datetime-local" />}
          </Field>
        </div>
        {replay.error && <ErrorNotice error={replay.error} />}
        <DialogFooter onDone={onDone}>
          <Button type="submit" variant="primary" disabled={replay.isPending}>
            {t("deliveries.resend")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Remove({ target, onDone, onRemoved }: { target: Target; onDone: () => void; onRemoved: () => void }) {
  const t = useTranslations();
  const remove = useMutation({
    mutationFn: () => call<typeof deleteWebhookContract>("DELETE /portal/api/v1/webhooks/{id}", target),
    onSuccess: onRemoved,
  });
  return (
    <Dialog open onOpenChange={onDone} title={t("webhooks.removeTitle")} description={t("webhooks.removeHint")}>
      {remove.error && <ErrorNotice error={remove.error} />}
      <DialogFooter onDone={onDone} cancelLabel={t("common.cancel")}>
        <Button variant="bad" onClick={() => remove.mutate()} disabled={remove.isPending}>
          {t("common.remove")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function ErrorNotice({ error }: { error: unknown }) {
  const t = useTranslations();
  return (
    <div className="mt-3">
      <Notice tone="bad" alert>
        {messageOf(error, t)}
      </Notice>
    </div>
  );
}

function DialogFooter({
  onDone,
  cancelLabel,
  children,
}: {
  onDone: () => void;
  cancelLabel?: string;
  children: React.ReactNode;
}) {
  const t = useTranslations();
  return (
    <div className="mt-4 flex justify-end gap-2">
      <Button onClick={onDone}>{cancelLabel ?? t("common.cancel")}</Button>
      {children}
    </div>
  );
}
