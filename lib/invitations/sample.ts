import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { InvitationItem, Recipient } from "@/lib/invitations/render-invitation";
import { personHash } from "@/lib/platform/secrets/person-hash";

/** A sample recipient to preview an email; the links lead nowhere. */
export const sampleRecipient = (
  client: Pick<ClientRow, "id">,
  lang: string | null,
  email = "anna.berg@example.com",
): Recipient => ({
  id: "sample",
  customer_id: "1001",
  name: "Anna Berg",
  email,
  lang,
  email_hash: personHash(client.id, "email", email),
});

const productNames = ["Oak table lamp", "Linen throw, sand", "Wall clock Åre", "Enamel kettle", "Stoneware mug"];

/** Sample items of an order, without images. */
export const sampleItems = (count: number): InvitationItem[] =>
  Array.from({ length: count }, (_, index) => ({
    order_id: "100045",
    item_id: `SAMPLE-${index + 1}`,
    position: index + 1,
    family_id: null,
    name: productNames[index % productNames.length] as string,
    category: "Home",
    url: null,
    image_url: null,
  }));
