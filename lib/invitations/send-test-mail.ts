import type { Actor } from "@/lib/accounts/actor";
import { refuseOpenDemo } from "@/lib/accounts/sign-in/demo";
import { optOutLink } from "@/lib/invitations/links";
import {
  getPreviewedClient,
  type PreviewOptions,
  previewIssues,
  renderSample,
} from "@/lib/invitations/preview-invitation";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { emailAddress } from "@/lib/platform/http/fields";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { validate } from "@/lib/platform/http/validate";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { senderOf } from "@/lib/platform/mail/sender";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import { selectSuppressionReason } from "./sql";

/**
 * Sends a sample of the client's invitation to an address, marked as a test; doesn't count toward limit and cooldown.
 * Returns the email's id; the outbox sends it. Limited per person and hour, since content and address are arbitrary.
 * Throws `not_found`, `invalid_field` (no address, or templates that can't be saved), `forbidden` at an open demo,
 * `rate_limited`, and `conflict` if the address is suppressed.
 */
export async function sendTestMail(
  clientId: string,
  to: string,
  of: PreviewOptions = {},
  actor?: Pick<Actor, "id">,
): Promise<{ mail_id: string }> {
  const address = validate(emailAddress, to, "invalid_field");
  const client = await getPreviewedClient(clientId, of);
  refuseOpenDemo(client);
  if (actor) takeToken("people_mail", actor.id);
  const issues = await previewIssues(client, of);
  if (issues.length > 0)
    throw new AppError("invalid_field", {
      issues,
    });
  const hash = personHash(clientId, "email", address);
  const { subject, html, text } = await renderSample(client, of, {
    email: address,
    email_hash: hash,
  });
  const optOutUrl = optOutLink(clientId, hash);
  return transaction(async (db) => {
    const person = {
      email_key: emailKey(address),
      customer_id: null,
      email_hash: hash,
    };
    if (await selectSuppressionReason(db, clientId, person))
      throw new AppError("conflict", { reason: "address_suppressed" });
    const mailId = await queueMail(
      {
        idempotencyKey: `test:${clientId}:${newId("try")}`,
        clientId,
        kind: "test",
        to: address,
        ...senderOf(client),
        subject: `[Test] ${subject}`,
        html,
        text,
        headers: {
          "List-Unsubscribe": `<${optOutUrl}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: clientId } }]);
    return { mail_id: mailId };
  });
}
