"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { WebhookForm } from "@/components/integrations/webhooks/webhook-form";
import { Button } from "@/components/ui/button";

export function AddWebhook({ clientId }: { clientId: string }) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" className="size-4" />
        {t("webhooks.createWebhook")}
      </Button>
      {open && <WebhookForm webhook={null} clientId={clientId} open onOpenChange={setOpen} />}
    </>
  );
}
