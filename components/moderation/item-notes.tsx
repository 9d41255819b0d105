"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { StickyNote } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { splitMentions } from "@/components/moderation/mentions";
import { NoteBox, type NoteBoxProps } from "@/components/moderation/note-box";
import { queryKeys } from "@/components/moderation/queries";
import { type Draft, useDraftText, useNoteDraft } from "@/components/moderation/reply-draft";
import { shortcuts } from "@/components/moderation/shortcuts";
import { Button } from "@/components/ui/button";
import { Ago } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { editNoteContract, removeNoteContract, writeNoteContract } from "@/lib/moderation/notes/contract";
import type { ModerationNote } from "@/lib/moderation/notes/schema";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = {
  clientId: string;
  item: QueueItem;
  notes: ModerationNote[];
  timeZone: string;
  keysOn: boolean;
  heading?: "h2" | "h3";
  /** whether the person asked to add one before this was loaded */
  startOpen: boolean;
  /** called once this handles input */
  onReady: () => void;
};

const focusNow = (element: HTMLElement | null) => element?.focus();

/** The team's notes about an item, and a box to add one. */
export function ItemNotes({
  clientId,
  item,
  notes,
  timeZone,
  keysOn,
  heading: Heading = "h3",
  startOpen,
  onReady,
}: Props) {
  const t = useTranslations();
  const cache = useQueryClient();
  const toast = useToast();
  const draft = useNoteDraft(clientId, item);
  const [open, setOpen] = useState<"asked" | "draft" | null>(startOpen ? "asked" : null);
  const [deleting, setDeleting] = useState<string | null>(null);
  /** the note being edited, and its text so far */
  const [edited, setEdited] = useState<{ id: string; text: string } | null>(null);
  useEffect(() => {
    if (draft.text() !== "") setOpen((now) => now ?? "draft");
  }, [draft]);
  useEffect(onReady, [onReady]);
  const section = useRef<HTMLElement>(null);
  /** the button to add a note, or the text of the new one */
  const newNote = () => section.current?.querySelector<HTMLElement>("[data-add-note]");
  /** whether the focus was on something that disappears: it goes to the new note */
  const losesFocus = useRef(false);
  const markFocus = (part: Element | null | undefined) => {
    losesFocus.current = part?.contains(document.activeElement) ?? false;
  };
  useLayoutEffect(() => {
    if (!losesFocus.current) return;
    losesFocus.current = false;
    newNote()?.focus();
  });
  const close = () => {
    markFocus(newNote()?.closest("form"));
    setOpen(null);
  };
  const markNote = (id: string) => markFocus(section.current?.querySelector(`[data-note="${id}"]`));
  const closeEdited = () => {
    if (edited) markNote(edited.id);
    setEdited(null);
  };
  const closeDeleting = () => {
    if (deleting) markNote(deleting);
    setDeleting(null);
  };
  const query = { client_id: clientId };
  const params = { kind: item.kind, id: item.id };
  const shared = {
    onError: (error: Error) =>
      toast.show({ id: "note", tone: "bad", text: t("common.errorSaving", { message: messageOf(error, t) }) }),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.item(clientId, item.kind, item.id) }),
  };
  const write = useMutation({
    ...shared,
    mutationFn: (body: { text: string; mentions: string[] }) =>
      call<typeof writeNoteContract>("POST /portal/api/v1/queue/{kind}/{id}/notes", { params, query, body }),
    onSuccess: (_data, { text }) => {
      draft.sent(text);
      // What was written meanwhile is another note.
      if (draft.text() === "") close();
    },
  });
  const edit = useMutation({
    ...shared,
    mutationFn: ({ note, ...body }: { note: string; text: string; mentions: string[] }) =>
      call<typeof editNoteContract>("PUT /portal/api/v1/queue/{kind}/{id}/notes/{note}", {
        params: { ...params, note },
        query,
        body,
      }),
    onSuccess: (_data, { note, text }) => {
      // Another note may be open by now, or more may have been written.
      if (edited?.id === note && edited.text === text) closeEdited();
    },
  });
  const remove = useMutation({
    ...shared,
    mutationFn: (note: string) =>
      call<typeof removeNoteContract>("DELETE /portal/api/v1/queue/{kind}/{id}/notes/{note}", {
        params: { ...params, note },
        query,
      }),
    onSuccess: (_data, note) => {
      if (deleting === note) closeDeleting();
    },
  });
  return (
    <section ref={section} aria-label={t("queue.notes")} className="mb-7">
      {notes.length > 0 && <Heading className="mb-2.5 text-sm font-medium">{t("queue.notes")}</Heading>}
      <ul className="flex flex-col gap-3">
        {notes.map((note) => (
          <li
            key={note.id}
            data-note={note.id}
            className="rounded-control border border-line bg-warn-soft px-4 py-3 text-sm"
          >
            {edited?.id === note.id ? (
              <NoteBox
                clientId={clientId}
                label={t("queue.editNote")}
                text={edited.text}
                onText={(text) => setEdited({ id: note.id, text })}
                known={note.mentions}
                busy={edit.isPending}
                focused
                onSave={(text, mentions) => edit.mutate({ note: note.id, text, mentions })}
                onClose={closeEdited}
              />
            ) : (
              <>
                <p className="flex flex-wrap items-center gap-x-2 text-muted">
                  <span className="font-medium text-ink">{note.author?.name ?? t("queue.formerPerson")}</span>
                  <Ago at={note.at} timeZone={timeZone} />
                  {note.edited_at && <span>({t("queue.noteEdited")})</span>}
                </p>
                <p className="mt-1.5 max-w-[65ch] break-words whitespace-pre-line">
                  {splitMentions(note.text, note.mentions).map(({ text, ids }, index) =>
                    ids.length > 0 ? (
                      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity
                      <strong key={index} className="font-medium text-accent">
                        {text}
                      </strong>
                    ) : (
                      text
                    ),
                  )}
                </p>
                {deleting === note.id ? (
                  <div className="mt-2 flex flex-wrap gap-2">
                    <Button
                      ref={focusNow}
                      variant="bad"
                      size="small"
                      aria-disabled={remove.isPending}
                      onClick={() => !remove.isPending && remove.mutate(note.id)}
                    >
                      {t("queue.deleteNote")}
                    </Button>
                    <Button size="small" onClick={closeDeleting}>
                      {t("common.cancel")}
                    </Button>
                  </div>
                ) : (
                  (note.own || note.may_delete) && (
                    <div className="mt-2 -ml-2.5 flex flex-wrap gap-1">
                      {note.own && (
                        <Button
                          variant="quiet"
                          size="small"
                          aria-label={t("queue.editNote")}
                          onClick={() => setEdited({ id: note.id, text: note.text })}
                        >
                          {t("common.edit")}
                        </Button>
                      )}
                      {note.may_delete && (
                        <Button
                          variant="quiet"
                          size="small"
                          aria-label={t("queue.deleteNote")}
                          onClick={() => setDeleting(note.id)}
                        >
                          {t("common.delete")}
                        </Button>
                      )}
                    </div>
                  )
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {open ? (
        <DraftBox
          draft={draft}
          clientId={clientId}
          label={t("queue.addNote")}
          busy={write.isPending}
          onSave={(text, mentions) => write.mutate({ text, mentions })}
          focused={open === "asked"}
          onClose={close}
        />
      ) : (
        <Button
          data-add-note=""
          variant="quiet"
          size="small"
          className={notes.length > 0 ? "mt-2 -ml-2.5" : "-ml-2.5"}
          aria-keyshortcuts={keysOn ? shortcuts.writeNote.keys[0] : undefined}
          onClick={() => setOpen("asked")}
        >
          <StickyNote aria-hidden="true" className="size-4" />
          {t("queue.addNote")}
        </Button>
      )}
    </section>
  );
}

/** A box whose draft is stored in this browser, so that nothing is lost when moving to the next item. */
const DraftBox = ({ draft, ...rest }: Omit<NoteBoxProps, "text" | "onText"> & { draft: Draft }) => (
  <NoteBox {...rest} isNew text={useDraftText(draft)} onText={draft.set} />
);
