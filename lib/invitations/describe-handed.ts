import { readClient, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { seconds } from "@/lib/http/seconds";
import { invitationValues } from "@/lib/invitations/render-invitation";
import { stands } from "@/lib/invitations/stands";
import { isAnswered } from "./reminders-sql";
import { hasRatedShop } from "./seller-sql";
import { selectAskedItems, selectHanded, selectObjection, selectReviewed } from "./sql";

/** What a sender of the merchant's own needs for the mail of one invitation: whom, in which language, and every link. */
export type HandedInvitation = {
  invitation_id: string;
  kind: "invitation" | "reminder" | "seller";
  /** the invitation that a reminder reminds of, whose links it has */
  reminder_of: string | null;
  /** the only event that carries a customer's name and address */
  customer: { id: string | null; name: string | null; email: string };
  language: string;
  shop: string;
  review_url: string;
  seller_review_url: string | null;
  not_received_url: string | null;
  opt_out_url: string;
  expires_at: string | null;
  items: object[];
};

/** `withdrawn`: why it is not to be sent any more, in a sentence. */
export type Handing = { data: HandedInvitation } | { withdrawn: string };

/**
 * What a webhook is told of an invitation that was handed over, as things stand now: nothing of it lies in a queue. Withdrawn
 * where its person was erased or objects meanwhile, and where nothing is left to ask for.
 */
export async function describeHanded(clientId: string, invitationId: string): Promise<Handing> {
  const [client, invitation] = await Promise.all([
    readClient(pool(), clientId),
    selectHanded(pool(), clientId, invitationId),
  ]);
  if (!client || !invitation) return { withdrawn: "The invitation is gone: its customer's data were removed." };
  if (await selectObjection(pool(), clientId, invitation)) return { withdrawn: "The customer wants no more mail." };
  const { kind, reminder_of, name, lang, email, email_key, email_hash, customer_id, expires_at } = invitation;
  const asking = reminder_of ?? invitationId;
  const today = dayIn(timeZoneOf(client));
  const gone = { withdrawn: "Nothing is left to ask the customer for." };
  if (reminder_of && (await isAnswered(pool(), clientId, reminder_of))) return gone;
  if (kind === "seller" && (await hasRatedShop(pool(), clientId, email_key, today))) return gone;
  const reviewed =
    kind === "invitation" ? await selectReviewed(pool(), clientId, invitation, today) : new Set<number>();
  const left = (await selectAskedItems(pool(), clientId, asking)).filter((item) => stands(item, kind, reviewed, today));
  if (left.length === 0) return gone;
  const items = kind === "seller" ? [] : left;
  // All of them: how many fit is for whoever writes the mail to say.
  const all = { ...client, config: { ...client.config, max_items: Math.max(items.length, 1) } };
  const person = { id: asking, customer_id, name, email, lang, email_hash, reminder: reminder_of !== null };
  const values = invitationValues(all, person, items);
  return {
    data: {
      invitation_id: invitationId,
      kind,
      reminder_of,
      customer: { id: customer_id, name, email },
      language: values.language,
      shop: client.display_name,
      review_url: values.review_url,
      seller_review_url: values.seller_review_url,
      not_received_url: values.not_received_url,
      opt_out_url: values.opt_out_url,
      expires_at: expires_at && seconds(expires_at),
      items: values.items.map(({ initial, ...item }) => item),
    },
  };
}
