import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { invitationLink } from "@/lib/invitations/links";
import { pool } from "@/lib/platform/db/pool";
import { senderAddress } from "./check-sender";
import { TEST_CUSTOMER } from "./post-test-order";
import { isFinished, stepsOf } from "./rules";
import type { Setup } from "./schema";
import { selectDismissed, selectSetup } from "./sql";
import { shopPlatforms } from "./values";

/**
 * A store's progress from nothing to reviews on its own pages, as its data shows it: any order, email or review counts,
 * not only those of a test. "A colleague" is somebody other than the actor.
 */
export async function getSetup(actor: Pick<Actor, "id">, client: ClientRow): Promise<Setup> {
  const row = await selectSetup(pool(), client, TEST_CUSTOMER, actor.id);
  const sender = senderAddress(client);
  // The check of an earlier address says nothing about this one.
  const check = row.sender_check?.domain === sender.domain ? row.sender_check : null;
  const steps = stepsOf(
    {
      products: row.products,
      branding: row.branding,
      sender: check?.ok ?? false,
      order: row.ordered,
      email: row.opened || row.reviewed,
      review: row.reviewed,
      moderation: row.published,
      widget: row.widget_found,
      people: row.people,
      import: row.imported,
    },
    row.skipped,
  );
  return {
    steps,
    finished: steps.filter(isFinished).length,
    dismissed: row.dismissed,
    order: row.order_id,
    isTest: row.order_is_test,
    isSent: row.invitation_id !== null,
    storedMail: row.stored_mail,
    form: row.order_is_test && row.invitation_id !== null ? invitationLink(client.id, row.invitation_id) : null,
    sender: { ...sender, check },
    widget: row.widget_check,
    platform: shopPlatforms.find((name) => name === row.platform) ?? "html",
  };
}

/** The progress for the home page; null once all steps are finished, or it was dismissed. */
export async function getOpenSetup(actor: Pick<Actor, "id">, client: ClientRow): Promise<Setup | null> {
  if (await selectDismissed(pool(), client.id)) return null;
  const setup = await getSetup(actor, client);
  return setup.finished === setup.steps.length ? null : setup;
}
