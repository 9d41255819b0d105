import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { isSuppressed } from "@/lib/invitations/suppress-address";
import type { RejectionMail } from "@/lib/moderation/queue/schema";
import { reasonLines } from "@/lib/moderation/rejections/statement";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { rejectReasons, type TextKind } from "@/lib/reviews/decisions/schema";
import { rejectionMessage } from "./mail-rejection";
import { selectAnswer, selectRejectable } from "./sql";

/**
 * Returns the rejection email an item's author would get now, in their language and for each reason, or why none would
 * be sent. Uses the same texts as the email. Throws `not_found`.
 */
export async function previewRejection(client: ClientRow, kind: TextKind, id: string): Promise<RejectionMail> {
  const item =
    kind === "answer" ? await selectAnswer(pool(), client.id, id) : await selectRejectable(pool(), client.id, kind, id);
  if (!item) throw new AppError("not_found", { reason: `${kind}_not_found` });
  const { message, label } = rejectionMessage(
    client,
    kind === "answer" ? "question" : kind,
    { ...item, by: "user", canAppeal: true, appealed: false },
    "unspecified",
    {
      edit: "",
      stop: "",
    },
  );
  return {
    told: kind === "answer" ? "nobody" : await mailStatusOf(client, item),
    lang: message.language,
    subject: message.subject,
    lines: message.lines,
    label,
    reasons: Object.fromEntries(
      rejectReasons.map((reason) => [reason, reasonLines(client, message.language, reason).join(" ")]),
    ) as RejectionMail["reasons"],
    after: message.after ?? [],
    button: message.button?.label ?? "",
    note: message.note,
  };
}

async function mailStatusOf(
  client: Pick<ClientRow, "id">,
  { author_email, from_here }: { author_email: string | null; from_here: boolean },
): Promise<RejectionMail["told"]> {
  if (!from_here) return "not_from_here";
  if (author_email === null) return "no_address";
  const suppressed = await isSuppressed(pool(), client.id, personHash(client.id, "email", author_email));
  return suppressed ? "suppressed" : "mailed";
}
