import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";
import {
  Deletion,
  DeletionPending,
  PersonalData,
  PersonFile,
  PersonIdentifier,
  PersonOverview,
  PersonQuery,
  RegisterEntry,
  RegisterQuery,
} from "@/lib/privacy/schema";

export const viewPersonalDataContract = endpoint({
  id: "personal_data.get",
  method: "GET",
  path: "/v1/personal_data",
  tag: "Personal data",
  summary: "Retrieve what is stored about a person",
  description: "Send either `customer_id` or `email`. For an unknown person, names are null and lists are empty.",
  auth: "management",
  scope: "privacy",
  role: "admin",
  query: PersonQuery,
  response: single(PersonalData),
  errors: ["invalid_field"],
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
    "Deletes the person's reviews, questions, images, votes, invitations and emails, their orders and items, and all copies. 204 if nothing is left, whether it was deleted now or never existed. 202 while a larger deletion is in progress: repeat the call until it returns 204. Data that arrives during the deletion may be deleted or kept. Data that arrives after 204 is kept, except earlier orders from a connected store. Deleted orders don't return through a feed, a file or a connected store, but you can post them again.",
  auth: "management",
  scope: "privacy",
  role: "admin",
  query: z.object({ client_id: clientId }),
  clientIn: "query_or_body",
  body: Deletion,
  status: 204,
  alternatives: { 202: single(DeletionPending) },
  idempotency: "after_commit",
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
  summary: "Retrieve what is stored about a person, with orders and the state of a deletion",
  query: PersonQuery,
  response: single(PersonOverview),
  errors: ["invalid_field"],
});

export const personFileContract = endpoint({
  ...admins,
  id: "portal.personal_data.file",
  method: "POST",
  path: "/portal/api/v1/personal_data/file",
  summary: "Create a file with everything stored about a person, and record it in the request log",
  query: z.object({ client_id: clientId }),
  body: PersonIdentifier,
  response: single(PersonFile),
});

export const registerContract = endpoint({
  ...admins,
  id: "portal.personal_data.register",
  method: "GET",
  path: "/portal/api/v1/personal_data/register",
  summary: "List the log of personal data requests, newest first, without identifiers",
  query: RegisterQuery,
  response: page(RegisterEntry),
});
