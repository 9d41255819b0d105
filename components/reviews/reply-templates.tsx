"use client";

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, ChevronDown, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Menu, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import { listTemplatesContract, removeTemplateContract, saveTemplateContract } from "@/lib/replies/contract";
import { filled, type Places, templateOf } from "@/lib/replies/rules";
import type { ReplyTemplate } from "@/lib/replies/schema";

const templatesOptions = (clientId: string) =>
  queryOptions({
    queryKey: ["reply-templates", clientId],
    queryFn: async ({ signal }) => (await call(listTemplatesContract, { query: { client_id: clientId }, signal })).data,
  });

type Props = {
  clientId: string;
  places: Places;
  /** what stands in the box */
  text: string;
  onPick: (text: string) => void;
};

/** Texts to begin a reply with, and a way to keep the present one as another. */
export function ReplyTemplates({ clientId, places, text, onPick }: Props) {
  const t = useWords();
  const templates = useQuery(templatesOptions(clientId)).data ?? [];
  const [saved, setSaved] = useState<string | null>(null);
  const pick = (template: ReplyTemplate) => {
    const words = filled(template.text, places);
    onPick(text.trim() === "" ? words : `${text.trimEnd()}\n\n${words}`);
  };
  return (
    <>
      <Menu
        label={t("Templates")}
        trigger={
          <Button look="quiet" size="small" className="h-9">
            {t("Templates")}
            <ChevronDown aria-hidden="true" className="size-3.5" />
          </Button>
        }
      >
        {templates.length === 0 && <MenuLabel>{t("No templates yet")}</MenuLabel>}
        {templates.map((template) => (
          <MenuItem key={template.id} onSelect={() => pick(template)}>
            <button type="button">
              <span className="min-w-0 max-w-80">
                <span className="block truncate">{template.name}</span>
                <span className="block truncate text-xs text-muted">{filled(template.text, places)}</span>
              </span>
            </button>
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem disabled={text.trim() === ""} onSelect={() => setSaved(templateOf(text.trim(), places))}>
          <button type="button" className="data-disabled:cursor-default data-disabled:opacity-50">
            <BookmarkPlus aria-hidden="true" className="size-4 text-muted" />
            {t("Keep this text as a template …")}
          </button>
        </MenuItem>
        {templates.length > 0 && (
          <MenuItem onSelect={() => setSaved("")}>
            <button type="button">
              <Trash2 aria-hidden="true" className="size-4 text-muted" />
              {t("Remove templates …")}
            </button>
          </MenuItem>
        )}
      </Menu>
      {/* A window each: while one goes it shows what it was, and no click meets what is not meant. */}
      <Dialog
        open={Boolean(saved)}
        onOpenChange={(open) => !open && setSaved(null)}
        title={t("Keep as a template")}
        description={t("{author}, {product} and {shop} are filled in wherever it is used.")}
      >
        <KeepTemplate clientId={clientId} text={saved ?? ""} taken={templates} onKept={() => setSaved(null)} />
      </Dialog>
      <Dialog
        open={saved === ""}
        onOpenChange={(open) => !open && setSaved(null)}
        title={t("Templates")}
        description={t("Everybody who replies for this shop uses them.")}
      >
        <TemplateList clientId={clientId} templates={templates} />
      </Dialog>
    </>
  );
}

type KeepProps = { clientId: string; text: string; taken: ReplyTemplate[]; onKept: () => void };

function KeepTemplate({ clientId, text: given, taken, onKept }: KeepProps) {
  const t = useWords();
  const id = useId();
  const cache = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState("");
  const [text, setText] = useState(given);
  const keep = useMutation({
    mutationFn: () => call(saveTemplateContract, { query: { client_id: clientId }, body: { name, text } }),
    onSuccess: () => {
      toast.show({
        id: "template",
        text: t("“{name}” is among the templates.", { name: name.trim() }),
        duration: 4_000,
      });
      onKept();
    },
    onSettled: () => cache.invalidateQueries({ queryKey: templatesOptions(clientId).queryKey }),
  });
  const replaces = taken.some((template) => template.name === name.trim());
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // The window belongs to the form that one replies with: that one is not to be sent.
        event.stopPropagation();
        keep.mutate();
      }}
    >
      <Field
        id={`${id}-name`}
        label={t("Name")}
        hint={replaces ? t("Takes the place of the one with this name.") : undefined}
        error={keep.error ? t(messageOf(keep.error)) : undefined}
      >
        {(wiring) => (
          <Input {...wiring} value={name} maxLength={80} required onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field id={`${id}-text`} label={t("Text")}>
        {(wiring) => (
          <TextArea {...wiring} value={text} rows={6} required onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      <Button
        type="submit"
        look="primary"
        className="self-start"
        disabled={keep.isPending || name.trim() === "" || text.trim() === ""}
      >
        {replaces ? t("Replace") : t("Keep")}
      </Button>
    </form>
  );
}

function TemplateList({ clientId, templates }: { clientId: string; templates: ReplyTemplate[] }) {
  const t = useWords();
  const cache = useQueryClient();
  const toast = useToast();
  const query = { client_id: clientId };
  const refresh = () => cache.invalidateQueries({ queryKey: templatesOptions(clientId).queryKey });
  const failed = (error: Error) =>
    toast.show({ id: "template", tone: "bad", text: t("Not saved. {message}", { message: t(messageOf(error)) }) });
  const restore = useMutation({
    mutationFn: ({ name, text }: ReplyTemplate) => call(saveTemplateContract, { query, body: { name, text } }),
    onError: failed,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: ReplyTemplate) => call(removeTemplateContract, { params: { id }, query }),
    onError: failed,
    onSuccess: (_, template) =>
      toast.show({
        id: "template",
        text: t("“{name}” is removed.", { name: template.name }),
        duration: 8_000,
        action: { label: t("Undo"), hint: t("Keep the template again"), run: () => restore.mutate(template) },
      }),
    onSettled: refresh,
  });
  if (templates.length === 0) return <p className="text-sm text-muted">{t("None left.")}</p>;
  return (
    <ul className="flex flex-col">
      {templates.map((template) => (
        <li key={template.id} className="flex items-start gap-3 border-b border-line py-2.5 last:border-b-0">
          <span className="min-w-0 flex-1 text-sm">
            <span className="block font-medium break-words">{template.name}</span>
            <span className="line-clamp-2 break-words text-muted">{template.text}</span>
          </span>
          <Button
            size="small"
            aria-label={t("Remove {name}", { name: template.name })}
            disabled={remove.isPending}
            onClick={() => remove.mutate(template)}
          >
            {t("Remove")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
