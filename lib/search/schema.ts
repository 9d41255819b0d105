import { z } from "zod";
import { clientId, filledText } from "@/lib/platform/http/fields";
import { MIN_SEARCH_LENGTH } from "@/lib/platform/http/values";
import { searchKinds } from "@/lib/search/values";

export const SearchQuery = z.object({
  client_id: clientId,
  q: filledText(200).pipe(z.string().min(MIN_SEARCH_LENGTH)).meta({
    description:
      "Words that begin words of the text, in any order and without accents; or an order number or id, or the beginning of one.",
  }),
});

export const SearchResult = z.object({
  kind: z.enum(searchKinds),
  id: z.string(),
  title: z.string().nullable().meta({
    description: "Order number, name of the customer or product, title of the review, or the question.",
  }),
  detail: z.string().nullable().meta({ description: "Customer, email address, brand, or author." }),
  text: z.string().nullable().meta({ description: "Beginning of a review's text." }),
  score: z.int().nullable(),
});
export type SearchResult = z.infer<typeof SearchResult>;
