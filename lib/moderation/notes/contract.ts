import { z } from "zod";
import { NoteInput, NoteParams, SavedNote } from "@/lib/moderation/notes/schema";
import { ItemParams } from "@/lib/moderation/queue/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, single } from "@/lib/platform/http/fields";

const shared = { tag: "Portal", auth: "session", role: "moderator", query: z.object({ client_id: clientId }) } as const;

export const writeNoteContract = endpoint({
  ...shared,
  id: "portal.notes.create",
  method: "POST",
  path: "/portal/api/v1/queue/{kind}/{id}/notes",
  summary: "Add a note about an item, which only the store's moderators see",
  description: "A repeated text by the same person within a minute is stored once.",
  params: ItemParams,
  body: NoteInput,
  status: 201,
  response: single(SavedNote),
});

export const editNoteContract = endpoint({
  ...shared,
  id: "portal.notes.update",
  method: "PUT",
  path: "/portal/api/v1/queue/{kind}/{id}/notes/{note}",
  summary: "Edit a note of one's own",
  params: NoteParams,
  body: NoteInput,
  response: single(SavedNote),
});

export const removeNoteContract = endpoint({
  ...shared,
  id: "portal.notes.remove",
  method: "DELETE",
  path: "/portal/api/v1/queue/{kind}/{id}/notes/{note}",
  summary: "Delete a note",
  description: "Admins can delete anyone's notes.",
  params: NoteParams,
  status: 204,
});
