"use client";

import { useMutation } from "@tanstack/react-query";
import { Check, Pause, Play, PlugZap, Trash2, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import {
  pauseIntegrationContract,
  removeIntegrationContract,
  resumeIntegrationContract,
  testIntegrationContract,
} from "@/lib/integrations/contract";
import type { Integration } from "@/lib/integrations/schema";

type Props = { integration: Integration; name: string; clientId: string; listHref: string };

/** Try the connection, have it wait or go on, take it away. */
export function IntegrationActions({ integration, name, clientId, listHref }: Props) {
  const router = useRouter();
  const toast = useToast();
  const [testing, setTesting] = useState(false);
  const [removing, setRemoving] = useState(false);
  const target = { params: { kind: integration.kind }, query: { client_id: clientId } };
  const waits = integration.state !== "active";
  const test = useMutation({ mutationFn: () => call(testIntegrationContract, target) });
  const press = useMutation({
    mutationFn: () => call(waits ? resumeIntegrationContract : pauseIntegrationContract, target),
    onSuccess: () =>
      toast.show({ id: "integration", text: waits ? `${name} goes on.` : `${name} waits. What is due is kept.` }),
    onError: (error) => toast.show({ id: "integration", tone: "bad", text: messageOf(error) }),
    onSettled: () => router.refresh(),
  });
  const remove = useMutation({
    mutationFn: () => call(removeIntegrationContract, target),
    onSuccess: () => {
      router.push(listHref);
      router.refresh();
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="small"
        onClick={() => {
          setTesting(true);
          test.mutate();
        }}
      >
        <PlugZap aria-hidden="true" className="size-3.5" />
        Test the connection
      </Button>
      <Button size="small" onClick={() => press.mutate()} disabled={press.isPending}>
        {waits ? <Play aria-hidden="true" className="size-3.5" /> : <Pause aria-hidden="true" className="size-3.5" />}
        {integration.state === "failing" ? "Try again" : waits ? "Resume" : "Pause"}
      </Button>
      <Button size="small" look="quiet" onClick={() => setRemoving(true)} aria-label={`Remove: ${name}`}>
        <Trash2 aria-hidden="true" className="size-4" />
      </Button>
      <Dialog open={testing} onOpenChange={setTesting} title="Test of the connection">
        <div aria-live="polite" className="flex flex-col gap-3 text-sm">
          {test.isPending && <p className="text-muted">Asking …</p>}
          {test.error && <Notice tone="bad">{messageOf(test.error)}</Notice>}
          {test.data?.data.checks.map(({ name: check, ok, message }) => (
            <div key={check} className="flex gap-3">
              {ok ? (
                <Check aria-label="fine" className="mt-0.5 size-4 shrink-0 text-good" />
              ) : (
                <X aria-label="at fault" className="mt-0.5 size-4 shrink-0 text-bad" />
              )}
              <p className="min-w-0 break-words">
                <span className="font-medium">{check}.</span> {message}
              </p>
            </div>
          ))}
        </div>
      </Dialog>
      <Dialog
        open={removing}
        onOpenChange={setRemoving}
        title={`Remove ${name.toLowerCase()}?`}
        description="It is connected no more, and its credentials are forgotten. What came by it stays."
      >
        {remove.error && (
          <Notice tone="bad" alert>
            {messageOf(remove.error)}
          </Notice>
        )}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setRemoving(false)}>Keep it</Button>
          <Button look="bad" onClick={() => remove.mutate()} disabled={remove.isPending}>
            Remove
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
