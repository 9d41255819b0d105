import { randomBytes } from "node:crypto";
import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { refuseOpenDemo } from "@/lib/accounts/sign-in/demo";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { addDays } from "@/lib/invitations/days";
import { postOrder } from "@/lib/orders/post-order";
import { dayIn } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { selectSomeProduct } from "./sql";

/** The customer of all test orders, whatever their address. */
export const TEST_CUSTOMER = "candor-test";

/**
 * Creates an order that is due for its invitation now, and processes the client's due invitations. It's treated like
 * any order: cooldown, sending hours and the daily limit apply, and its page shows the result. Throws `forbidden` for a
 * public demo, and `rate_limited`.
 */
export async function postTestOrder(
  actor: Pick<Actor, "kind" | "id">,
  client: ClientRow,
  email: string,
): Promise<{ order_id: string }> {
  refuseOpenDemo(client);
  takeToken("people_mail", actor.id);
  const orderId = `candor-test-${randomBytes(4).toString("hex")}`;
  const product = await selectSomeProduct(pool(), client.id);
  // In the language of its email.
  const t = emailText(languageOf(client.locale));
  const delivered = addDays(dayIn(timeZoneOf(client)), -client.send_emails_after_days);
  await postOrder(client, {
    id: orderId,
    customer: { id: TEST_CUSTOMER, name: t("testOrder.customer"), email },
    items: [
      product === null
        ? {
            id: "candor-test-product",
            name: t("testOrder.product"),
            delivery_date: delivered,
            reviewable: true,
          }
        : { id: product, delivery_date: delivered, reviewable: true },
    ],
  });
  // If the process dies before this, the hourly run sends the invitation.
  await transaction(async (db) => {
    await enqueue(db, [{ name: "invitations/due", data: { client_id: client.id } }]);
    await recordAudit(db, {
      clientId: client.id,
      actor,
      action: "order.tried",
      subject: orderId,
      detail: {},
    });
  });
  return { order_id: orderId };
}
