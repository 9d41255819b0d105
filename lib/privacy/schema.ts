import { z } from "zod";
import { Order, OrderLine } from "@/lib/orders/schema";
import { clientId, cursor, emailAddress, filledText, timestamp } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { decidedKinds } from "@/lib/reviews/decisions/schema";

const Contribution = z.object({
  author_nick: z.string().meta({ description: "Public name of the author." }),
  title: z.string().meta({
    description: "Title of the review, or the question; empty if there is none.",
  }),
  content: z.string().meta({
    description: "Text of the review, or details of the question; empty if there is none.",
  }),
});

/** Data stored about a person. Orders and items aren't personal data themselves, but are erased with it. */
export const PersonalData = z
  .object({
    name: z.string().nullable().meta({ description: "Name used in emails; null if unknown." }),
    customer_id: z
      .string()
      .nullable()
      .meta({ description: "Id of the customer; of several, the one that changed last." }),
    email: z.string().nullable().meta({ description: "Email address as submitted." }),
    reviews: z.array(Contribution).meta({ description: "Product reviews, oldest first." }),
    questions: z.array(Contribution).meta({ description: "Questions, oldest first." }),
    seller_reviews: z.array(Contribution).meta({ description: "Seller reviews, oldest first." }),
  })
  .meta({ id: "PersonalData" });
export type PersonalData = z.infer<typeof PersonalData>;

/** Identifies the person: exactly one of the two. */
const person = {
  customer_id: filledText(255).nullish().meta({
    description: "Everything about this customer, and data without a customer that has one of their email addresses.",
  }),
  email: emailAddress.nullish().meta({
    description:
      "Everything with this address, ignoring case and surrounding spaces, and all customers who have or had it.",
  }),
};
const exactlyOne = (named: { customer_id?: string | null; email?: string | null }, context: z.RefinementCtx): void => {
  const given = [named.customer_id, named.email].filter((one) => one !== undefined && one !== null).length;
  if (given === 1) return;
  const message = encodeReason(given === 0 ? "required_or_email" : "not_with_email");
  context.addIssue({ code: "custom", path: ["customer_id"], message });
};

export const PersonIdentifier = z.object(person).superRefine(exactlyOne);
export type PersonIdentifier = z.output<typeof PersonIdentifier>;

/** The raw query; errors are reported as for a body, see `PersonIdentifier`. */
export const PersonQuery = z.object({
  client_id: clientId,
  customer_id: z
    .string()
    .optional()
    .meta(person.customer_id.meta() ?? {}),
  email: z
    .string()
    .optional()
    .meta(person.email.meta() ?? {}),
});

export const Deletion = z
  .object({
    client_id: z.string().optional().meta({ description: "Store, instead of the query parameter." }),
    ...person,
  })
  .superRefine(exactlyOne);

export const DeletionPending = z.object({
  status: z
    .literal("pending")
    .meta({ description: "The deletion is in progress. Repeat the call until it returns 204." }),
});

/** Numbers of erased or exported rows, by kind. */
const counts = z.record(z.string(), z.int());

/** A pending erasure: its start, and the rows erased so far. */
const PendingErasure = z.object({ since: timestamp, removed: counts });

/** A person as the portal shows them: the API's view, and what is erased with it. */
export const PersonOverview = z.object({
  person: PersonalData,
  orders: z.array(OrderLine).meta({ description: "Newest orders." }),
  more_orders: z.boolean(),
  removal: PendingErasure.nullable().meta({ description: "Deletion in progress, or null." }),
});
export type PersonOverview = z.infer<typeof PersonOverview>;

/** A note of the store's team about something that the person submitted. */
const NoteAboutPerson = z.object({ at: timestamp, about: z.enum(decidedKinds), text: z.string() });
export type NoteAboutPerson = z.infer<typeof NoteAboutPerson>;

/** The file for a person who asks for their stored data. */
export const PersonFile = z.object({
  client: z.string().meta({ description: "Name of the store." }),
  made_at: timestamp,
  personal_data: PersonalData,
  notes: z
    .array(NoteAboutPerson)
    .meta({ description: "Internal notes of the store's team about what the person submitted, oldest first." }),
  orders: z.array(Order).meta({ description: "Orders as in the API, by customer, oldest first." }),
  orders_left_out: z
    .boolean()
    .meta({ description: "Whether there are more orders than the file can contain. The API lists all." }),
});
export type PersonFile = z.infer<typeof PersonFile>;

export const RegisterQuery = z.object({ client_id: z.string().optional(), after: cursor });

/** An entry of the register: what was done with personal data, when and by whom, but not whose data it was. */
export const RegisterEntry = z.object({
  id: z.string(),
  kind: z
    .enum(["removal", "copy"])
    .meta({ description: "Kind of request. `copy`: a file of the stored data was created." }),
  state: z.enum(["under_way", "done"]),
  requested_at: timestamp.nullable(),
  done_at: timestamp.nullable(),
  by: z.string().nullable().meta({ description: "Person or API key that made the request." }),
  by_key: z.boolean(),
  by_self: z.boolean().meta({ description: "The person did it on their own page." }),
  counts,
});
export type RegisterEntry = z.infer<typeof RegisterEntry>;
