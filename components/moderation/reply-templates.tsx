"use client";

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, ChevronDown, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { SavedList, SaveForm } from "@/components/ui/saved-list";
import { call, messageOf } from "@/lib/platform/http/client";
import type {
  listTemplatesContract,
  removeTemplateContract,
  saveTemplateContract,
} from "@/lib/reviews/replies/contract";
import { fillTemplate, type TemplateValues, toTemplate } from "@/lib/reviews/replies/rules";
import type { ReplyTemplate } from "@/lib/reviews/replies/schema";

export const templatesOptions = (clientId: string) =>
  queryOptions({
    queryKey: ["reply-templates", clientId],
    queryFn: async ({ signal }) =>
      (
        await call<typeof listTemplatesContract>("GET /portal/api/v1/reply_templates", {
          query: { client_id: clientId },
          signal,
        })
      ).data,
  });

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
  const cache = useQueryClient();
  const templates = useQuery(templatesOptions(clientId)).data ?? [];
  const query = { client_id: clientId };
  const save = ({ name, text: words }: Pick<ReplyTemplate, "name" | "text">) =>
    call<typeof saveTemplateContract>("POST /portal/api/v1/reply_templates", { query, body: { name, text: words } });
  const remove = ({ id }: ReplyTemplate) =>
    call<typeof removeTemplateContract>("DELETE /portal/api/v1/reply_templates/{id}", { params: { id }, query });
  const dialogProps = {
    what: "template",
    refresh: () => cache.invalidateQueries({ queryKey: templatesOptions(clientId).queryKey }),
    errorMessage: (error: unknown) => messageOf(error, t),
  };
  const [saved, setSaved] = useState<string | null>(null);
  const pick = (template: ReplyTemplate) => {
    const words = fillTemplate(template.text, places);
    onPick(text.trim() === "" ? words : `${text.trimEnd()}\n\n${words}`);
  };
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
        {templates.length === 0 && <MenuLabel>{t("queue.noTemplates")}</MenuLabel>}
        {templates.map((template) => (
          <MenuItem key={template.id} onSelect={() => pick(template)}>
            <button type="button">
              <span className="min-w-0 max-w-80">
                <span className="block truncate">{template.name}</span>
                <span className="block truncate text-xs text-muted">{fillTemplate(template.text, places)}</span>
              </span>
            </button>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem disabled={text.trim() === ""} onSelect={() => setSaved(toTemplate(text.trim(), places))}>
          <button type="button" className="data-disabled:cursor-default data-disabled:opacity-50">
            <BookmarkPlus aria-hidden="true" className="size-4 text-muted" />
            {t("queue.saveTemplateMenu")}
          </button>
        </MenuItem>
        {templates.length > 0 && (
          <MenuItem onSelect={() => setSaved("")}>
            <button type="button">
              <Trash2 aria-hidden="true" className="size-4 text-muted" />
              {t("queue.removeTemplatesMenu")}
            </button>
          </MenuItem>
        )}
      </Menu>
      {/* One dialog each: while a dialog closes it keeps its content, and a click can't hit the wrong one. */}
      <Dialog
        open={Boolean(saved)}
        onOpenChange={(open) => !open && setSaved(null)}
        title={t("queue.saveTemplate")}
        description={t("queue.templateHint", { author: "{author}", product: "{product}", shop: "{shop}" })}
      >
        <SaveForm
          {...dialogProps}
          existing={templates}
          maxNameLength={80}
          text={saved ?? ""}
          savedMessage={(name) => t("queue.templateSaved", { name })}
          save={(name, words) => save({ name, text: words })}
          onSaved={() => setSaved(null)}
        />
      </Dialog>
      <Dialog
        open={saved === ""}
        onOpenChange={(open) => !open && setSaved(null)}
        title={t("navigation.templates")}
        description={t("queue.templatesHint")}
      >
        <SavedList
          {...dialogProps}
          entries={templates}
          detail={(one) => one.text}
          remove={remove}
          restore={save}
          restoreHint={t("queue.restoreTemplate")}
        />
      </Dialog>
    </>
  );
}
