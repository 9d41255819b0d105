import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";
import {
  Deletion,
  DeletionPending,
  PersonalData,
  PersonCase,
  PersonFile,
  PersonNamed,
  PersonQuery,
  RegisterEntry,
  RegisterQuery,
} from "@/lib/privacy/schema";

export const viewPersonalDataContract = endpoint({
  id: "personal_data.get",
  method: "GET",
  path: "/v1/personal_data",
  tag: "Personal data",
  summary: "What is stored about a person",
  description:
    "Give exactly one of `customer_id` and `email`. Of somebody who is not known, names are null and lists empty.",
  auth: "management",
  scope: "privacy",
  role: "admin",
  query: PersonQuery,
  response: single(PersonalData),
  refusals: ["invalid_field"],
  example: {
    query: "client_id=shop.example.com&email=ada%40example.org",
    answer: {
      data: {
        name: "Ada Berg",
        customer_id: "c-2071",
        email: "ada@example.org",
        reviews: [
          {
            author_nick: "Ada",
            title: "Made for reading",
            content: "Warm light, and the switch sits where the hand looks for it.",
          },
        ],
        questions: [{ author_nick: "Ada", title: "Does it take an LED bulb?", content: "" }],
        seller_reviews: [{ author_nick: "Ada", title: "", content: "Well packed, and a day early." }],
      },
    },
  },
});

export const deletePersonalDataContract = endpoint({
  id: "personal_data.delete",
  method: "POST",
  path: "/v1/personal_data/delete",
  tag: "Personal data",
  summary: "Delete everything about a person",
  description:
    "Deletes the person's texts, images, votes, invitations and mails, their orders and items, and every copy of these. 204 when nothing is left, whether it was deleted now or never there. 202 while much is being removed: repeat the call to follow it, until it answers 204. What arrives about the person while a removal runs may go with it or stay; what arrives after 204 stays, but for orders of a connected shop that were placed before. Orders that went do not come back by a feed, a file or a connected shop that tells of them again; posted anew they do.",
  auth: "management",
  scope: "privacy",
  role: "admin",
  query: z.object({ client_id: clientId }),
  clientIn: "query_or_body",
  body: Deletion,
  status: 204,
  alternatives: { 202: single(DeletionPending) },
  keepsAnswer: "after_effect",
  example: {
    body: { client_id: "shop.example.com", email: "ada@example.org" },
    others: { 202: { data: { status: "pending" } } },
  },
});

const admins = { tag: "Portal", auth: "session", scope: "privacy", role: "admin" } as const;

export const findPersonContract = endpoint({
  ...admins,
  id: "portal.personal_data.get",
  method: "GET",
  path: "/portal/api/v1/personal_data",
  summary: "What is stored about a person, with their orders, and whether it is being removed",
  query: PersonQuery,
  response: single(PersonCase),
  refusals: ["invalid_field"],
});

export const personFileContract = endpoint({
  ...admins,
  id: "portal.personal_data.file",
  method: "POST",
  path: "/portal/api/v1/personal_data/file",
  summary: "The same in full, to be handed to the person; the register notes that it was made",
  query: z.object({ client_id: clientId }),
  body: PersonNamed,
  response: single(PersonFile),
});

export const registerContract = endpoint({
  ...admins,
  id: "portal.personal_data.register",
  method: "GET",
  path: "/portal/api/v1/personal_data/register",
  summary: "What was done about personal data, newest first, without identifiers",
  query: RegisterQuery,
  response: page(RegisterEntry),
});
