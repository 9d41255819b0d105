import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { writeNoteContract } from "@/lib/moderation/notes/contract";
import { writeNote } from "@/lib/moderation/notes/write-note";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(writeNoteContract, async ({ actor, client, params, body }) => ({
    data: await writeNote(actor, client, params.kind, params.id, body),
  })),
);
