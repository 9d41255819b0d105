"use client";

import { FileUp, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { FeedForm } from "@/components/feeds/feed-form";
import { UploadDialog } from "@/components/feeds/upload-dialog";
import { Button } from "@/components/ui/button";

/** Actions for all feeds of a client: add a feed, or upload a file. */
export function FeedActions({ clientId, reportHref }: { clientId: string; reportHref: string }) {
  const t = useTranslations();
  const [open, setOpen] = useState<"feed" | "upload" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setOpen("upload")}>
        <FileUp aria-hidden="true" className="size-4" />
        {t("feeds.uploadFile")}
      </Button>
      <Button variant="primary" onClick={() => setOpen("feed")}>
        <Plus aria-hidden="true" className="size-4" />
        {t("common.addFeed")}
      </Button>
      {open === "feed" && <FeedForm feed={null} clientId={clientId} open onOpenChange={close} />}
      {open === "upload" && <UploadDialog clientId={clientId} open onOpenChange={close} reportHref={reportHref} />}
    </div>
  );
}
