"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { replyTemplatesOptions } from "@/components/moderation/queries";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { lazyEntries, Menu } from "@/components/ui/menu";
import type { TemplateValues } from "@/lib/reviews/replies/rules";

const TemplateEntries = lazyEntries(
  async () => (await import("@/components/moderation/reply-template-parts")).TemplateEntries,
);
const TemplateDialogs = lazyDialog(
  async () => (await import("@/components/moderation/reply-template-parts")).TemplateDialogs,
  ({ text, onClose }) => ({ open: text !== null, close: onClose }),
);

type Props = {
  clientId: string;
  places: TemplateValues;
  /** text in the reply box */
  text: string;
  onPick: (text: string) => void;
};

/** Templates to start a reply with, and a way to save the current text as one. */
export function ReplyTemplates({ clientId, places, text, onPick }: Props) {
  const t = useTranslations();
  const templates = useQuery(replyTemplatesOptions(clientId)).data ?? [];
  const [dialogText, setDialogText] = useState<string | null>(null);
  return (
    <>
      <Menu
        label={t("navigation.templates")}
        trigger={
          <Button variant="quiet" size="small" className="h-9">
            {t("navigation.templates")}
            <ChevronDown aria-hidden="true" className="size-3.5" />
          </Button>
        }
      >
        <TemplateEntries templates={templates} places={places} text={text} onPick={onPick} onDialog={setDialogText} />
      </Menu>
      <TemplateDialogs
        clientId={clientId}
        templates={templates}
        text={dialogText}
        onClose={() => setDialogText(null)}
      />
    </>
  );
}
