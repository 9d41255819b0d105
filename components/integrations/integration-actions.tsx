"use client";

import { useMutation } from "@tanstack/react-query";
import { Pause, Play, PlugZap, RefreshCw, Settings2, Unplug } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { ConnectionTest } from "@/components/integrations/connection-test";
import { runConnectionTest } from "@/components/integrations/run-connection-test";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import type {
  pauseIntegrationContract,
  removeIntegrationContract,
  resumeIntegrationContract,
  syncIntegrationContract,
} from "@/lib/integrations/contract";
import type { Integration } from "@/lib/integrations/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = {
  integration: Integration;
  name: string;
  clientId: string;
  listHref: string;
  /** path of its settings; null if they are changed with the admin command */
  settingsHref: string | null;
};

/** Syncs now, tests, pauses or resumes the connection, and opens or deletes its settings. */
export function IntegrationActions({ integration, name, clientId, listHref, settingsHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [testing, setTesting] = useState(false);
  const [removing, setRemoving] = useState(false);
  const target = { params: { kind: integration.kind }, query: { client_id: clientId } };
  const isPaused = integration.state === "paused";
  const showToast = (text: string, tone: "plain" | "bad" = "plain") => toast.show({ id: "integration", text, tone });
  const test = useMutation({
    mutationFn: () => runConnectionTest(integration.kind, clientId),
    onSettled: () => router.refresh(),
  });
  const togglePause = useMutation({
    mutationFn: () =>
      isPaused
        ? call<typeof resumeIntegrationContract>("POST /portal/api/v1/integrations/{kind}/resume", target)
        : call<typeof pauseIntegrationContract>("POST /portal/api/v1/integrations/{kind}/pause", target),
    onSuccess: () => showToast(isPaused ? t("integrations.resumed", { name }) : t("integrations.paused", { name })),
    onError: (error) => showToast(messageOf(error, t), "bad"),
    onSettled: () => router.refresh(),
  });
  const sync = useMutation({
    mutationFn: () =>
      call<typeof syncIntegrationContract>("POST /portal/api/v1/integrations/{kind}/sync", { ...target, body: {} }),
    onError: (error) => showToast(messageOf(error, t), "bad"),
    onSettled: () => router.refresh(),
  });
  const remove = useMutation({
    mutationFn: () => call<typeof removeIntegrationContract>("DELETE /portal/api/v1/integrations/{kind}", target),
    onSuccess: () => {
      router.push(listHref);
      router.refresh();
    },
  });
  const isRunning = integration.running || sync.isPending;
  // For use within a sentence; German nouns keep their capital.
  const lowercaseName = t.language === "de" ? name : name.toLowerCase();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="small"
        variant={isPaused ? "secondary" : "primary"}
        onClick={() => sync.mutate()}
        disabled={isRunning || isPaused}
      >
        <RefreshCw aria-hidden="true" className={`size-3.5 ${isRunning ? "motion-safe:animate-spin" : ""}`} />
        {isRunning ? t("integrations.running") : t("integrations.syncNow")}
      </Button>
      <Button
        size="small"
        onClick={() => {
          setTesting(true);
          test.mutate();
        }}
      >
        <PlugZap aria-hidden="true" className="size-3.5" />
        {t("integrations.testConnection")}
      </Button>
      <Button size="small" onClick={() => togglePause.mutate()} disabled={togglePause.isPending}>
        {isPaused ? (
          <Play aria-hidden="true" className="size-3.5" />
        ) : (
          <Pause aria-hidden="true" className="size-3.5" />
        )}
        {isPaused ? t("integrations.resume") : t("integrations.pause")}
      </Button>
      {settingsHref !== null && (
        <Link href={settingsHref} className={buttonClass({ size: "small" })}>
          <Settings2 aria-hidden="true" className="size-3.5" />
          {t("navigation.settings")}
        </Link>
      )}
      <Button size="small" variant="quiet" onClick={() => setRemoving(true)}>
        <Unplug aria-hidden="true" className="size-3.5" />
        {t("integrations.disconnect")}
      </Button>
      <Dialog open={testing} onOpenChange={setTesting} title={t("integrations.connectionTestTitle")}>
        <ConnectionTest checks={test.data} pending={test.isPending} error={test.error} />
      </Dialog>
      <Dialog
        open={removing}
        onOpenChange={setRemoving}
        title={t("integrations.disconnectTitle", { name: lowercaseName })}
        description={t("integrations.disconnectHint")}
      >
        {remove.error && (
          <Notice tone="bad" alert>
            {messageOf(remove.error, t)}
          </Notice>
        )}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setRemoving(false)}>{t("common.cancel")}</Button>
          <Button variant="bad" onClick={() => remove.mutate()} disabled={remove.isPending}>
            {t("integrations.disconnect")}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
