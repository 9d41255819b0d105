"use client";

import { StickyNote } from "lucide-react";
import { type ComponentProps, useCallback, useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import type { ItemNotes as Notes } from "@/components/moderation/item-notes";
import { useNoteDraft } from "@/components/moderation/reply-draft";
import { shortcuts } from "@/components/moderation/shortcuts";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-dialog";

const ItemNotes = lazyPart(async () => (await import("@/components/moderation/item-notes")).ItemNotes);

/** Opens the box for a new note, or focuses it if it is open with a draft. */
export function openNoteBox(): void {
  const target = document.querySelector<HTMLElement>("main [data-add-note]");
  if (target instanceof HTMLTextAreaElement) {
    target.focus();
    target.setSelectionRange(target.value.length, target.value.length);
    target.scrollIntoView({ block: "nearest" });
  } else target?.click();
}

type Props = Omit<ComponentProps<typeof Notes>, "startOpen" | "onReady">;

/** An item's notes. Most items have none: then their script is loaded when the person adds one. */
export function NotesSlot(props: Props) {
  const { clientId, item, notes, keysOn } = props;
  const t = useTranslations();
  const draft = useNoteDraft(clientId, item);
  const [hasDraft, setHasDraft] = useState(false);
  useEffect(() => setHasDraft(draft.text() !== ""), [draft]);
  const [asked, setAsked] = useState<"loading" | "loaded" | null>(null);
  const onReady = useCallback(() => setAsked((now) => now && "loaded"), []);
  const canceled = useRef(false);
  const cancel = useCallback(() => {
    canceled.current = true;
    setAsked(null);
  }, []);
  // Stays after the last note is deleted: its button has the focus.
  const used = useRef(false);
  used.current ||= notes.length > 0 || hasDraft || asked === "loaded";
  if (used.current || asked)
    return (
      <>
        {asked === "loading" && <Opening onCancel={cancel} />}
        <ItemNotes {...props} startOpen={asked !== null} onReady={onReady} />
      </>
    );
  return (
    <Button
      ref={(button) => {
        if (!button || !canceled.current) return;
        canceled.current = false;
        button.focus();
      }}
      data-add-note=""
      variant="quiet"
      size="small"
      className="mb-7 -ml-2.5"
      aria-keyshortcuts={keysOn ? shortcuts.writeNote.keys[0] : undefined}
      onClick={() => setAsked("loading")}
    >
      <StickyNote aria-hidden="true" className="size-4" />
      {t("queue.addNote")}
    </Button>
  );
}

/** While the box is loading: letters meant for the note aren't shortcuts (use-shortcuts.ts), and Escape cancels it. */
function Opening({ onCancel }: { onCancel: () => void }) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape") onCancel();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [onCancel]);
  return <span data-opening="" />;
}
