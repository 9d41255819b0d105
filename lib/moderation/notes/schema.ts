import { z } from "zod";
import { Colleague } from "@/lib/accounts/schema";
import { MAX_MENTIONS, MAX_NOTE_LENGTH } from "@/lib/moderation/notes/values";
import { filledText, timestamp } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { decidedKinds } from "@/lib/reviews/decisions/schema";

/** Maximum notes of an item: all are loaded with it. */
export const MAX_NOTES = 100;

/** A note about an item as its context shows it. */
export const ModerationNote = z.object({
  id: z.string(),
  /** null: the person was deleted */
  author: Colleague.nullable(),
  text: z.string(),
  /** mentioned people who still exist; the text has their names after an @ */
  mentions: z.array(Colleague),
  at: timestamp,
  edited_at: timestamp.nullable(),
  /** whether the caller wrote it, and so can edit it */
  own: z.boolean(),
  may_delete: z.boolean(),
});
export type ModerationNote = z.infer<typeof ModerationNote>;

export const NoteInput = z.object({
  text: filledText(MAX_NOTE_LENGTH).meta({ description: "Text of the note, only shown to the team." }),
  mentions: z
    .array(z.string().min(1).max(64))
    .max(MAX_MENTIONS, { error: encodeReason("too_many_named", { max: MAX_MENTIONS }) })
    .default([])
    .meta({ description: "People whose names the text contains after an `@`." }),
});
export type NoteInput = z.output<typeof NoteInput>;

export const NoteParams = z.object({
  kind: z.enum(decidedKinds),
  id: z.string().min(1).max(64),
  note: z.string().min(1).max(64),
});

/** A stored note, and the people it mentions that it didn't mention before. */
export const SavedNote = z.object({ id: z.string(), mentioned: z.array(z.string()) });
export type SavedNote = z.infer<typeof SavedNote>;
