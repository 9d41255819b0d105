"use client";

import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, Trash2 } from "lucide-react";
import { useTranslations } from "#messages";
import { replyTemplatesOptions } from "@/components/moderation/queries";
import { Dialog } from "@/components/ui/dialog";
import { MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { SavedList, SaveForm } from "@/components/ui/saved-list";
import { call, messageOf } from "@/lib/platform/http/client";
import type { removeTemplateContract, saveTemplateContract } from "@/lib/reviews/replies/contract";
import { fillTemplate, type TemplateValues, toTemplate } from "@/lib/reviews/replies/rules";
import type { ReplyTemplate } from "@/lib/reviews/replies/schema";

type EntriesProps = {
  templates: ReplyTemplate[];
  places: TemplateValues;
  /** text in the reply box */
  text: string;
  onPick: (text: string) => void;
  /** opens a dialog: to save this text as a template, or to delete templates if it is empty */
  onDialog: (text: string) => void;
};

/** The menu's entries: the templates, and actions for these. */
export function TemplateEntries({ templates, places, text, onPick, onDialog }: EntriesProps) {
  const t = useTranslations();
  const pick = (template: ReplyTemplate) => {
    const words = fillTemplate(template.text, places);
    onPick(text.trim() === "" ? words : `${text.trimEnd()}\n\n${words}`);
  };
  return (
    <>
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
      <MenuItem disabled={text.trim() === ""} onSelect={() => onDialog(toTemplate(text.trim(), places))}>
        <button type="button" className="data-disabled:cursor-default data-disabled:opacity-50">
          <BookmarkPlus aria-hidden="true" className="size-4 text-muted" />
          {t("queue.saveTemplateMenu")}
        </button>
      </MenuItem>
      {templates.length > 0 && (
        <MenuItem onSelect={() => onDialog("")}>
          <button type="button">
            <Trash2 aria-hidden="true" className="size-4 text-muted" />
            {t("queue.removeTemplatesMenu")}
          </button>
        </MenuItem>
      )}
    </>
  );
}

type DialogsProps = {
  clientId: string;
  templates: ReplyTemplate[];
  /** the text to save as a template; empty to delete templates; null while both dialogs are closed */
  text: string | null;
  onClose: () => void;
};

/** Saves a text as a reply template, and deletes templates. */
export function TemplateDialogs({ clientId, templates, text, onClose }: DialogsProps) {
  const t = useTranslations();
  const cache = useQueryClient();
  const query = { client_id: clientId };
  const save = ({ name, text: words }: Pick<ReplyTemplate, "name" | "text">) =>
    call<typeof saveTemplateContract>("POST /portal/api/v1/reply_templates", { query, body: { name, text: words } });
  const remove = ({ id }: ReplyTemplate) =>
    call<typeof removeTemplateContract>("DELETE /portal/api/v1/reply_templates/{id}", { params: { id }, query });
  const dialogProps = {
    what: "template",
    refresh: () => cache.invalidateQueries({ queryKey: replyTemplatesOptions(clientId).queryKey }),
    errorMessage: (error: unknown) => messageOf(error, t),
  };
  // One dialog each: while a dialog closes it keeps its content, and a click can't hit the wrong one.
  return (
    <>
      <Dialog
        open={Boolean(text)}
        onOpenChange={(open) => !open && onClose()}
        title={t("queue.saveTemplate")}
        description={t("queue.templateHint", { author: "{author}", product: "{product}", shop: "{shop}" })}
      >
        <SaveForm
          {...dialogProps}
          existing={templates}
          maxNameLength={80}
          text={text ?? ""}
          savedMessage={(name) => t("queue.templateSaved", { name })}
          save={(name, words) => save({ name, text: words })}
          onSaved={onClose}
        />
      </Dialog>
      <Dialog
        open={text === ""}
        onOpenChange={(open) => !open && onClose()}
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
