import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { editNoteContract, removeNoteContract } from "@/lib/moderation/notes/contract";
import { editNote, removeNote } from "@/lib/moderation/notes/write-note";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(editNoteContract, async ({ actor, client, params, body }) => ({
    data: await editNote(actor, client, params.kind, params.id, params.note, body),
  })),
  route(removeNoteContract, ({ actor, client, params }) =>
    removeNote(actor, client, params.kind, params.id, params.note),
  ),
);
