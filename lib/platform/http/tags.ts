/** The chapters of the API's description, in their order, and what each is about. */
export const tags = {
  Clients: "Stores and sites, each with its settings.",
  Products: "The catalogue, as the client's feed told it last.",
  Orders: "Orders in: whom to ask for a review, about what, and when.",
  Reviews: "Customers' reviews of products, published and not: read, written elsewhere and brought here, moderated.",
  "Seller reviews": "Customers' reviews of the seller.",
  Questions: "Questions about products, and their answers.",
  Summaries: "Counts and averages by product and by family.",
  "Personal data": "What is stored of a person, and its erasure.",
  Collection: "What visitors of a shop send: reviews, questions, images, votes. No secret key; open to browsers.",
  Display: "What a shop shows: accepted reviews only. No key; open to browsers.",
  Service: "The service itself.",
  Mail: "Links that mails carry, and what becomes of them.",
  Webhooks:
    "Events that Candor posts to an address of yours, signed as Standard Webhooks (https://www.standardwebhooks.com) says. Delivered at least once, and in order for each review, question or invitation: the next one is sent when the one before has been delivered. Any status but 2xx, and no answer within 15 seconds, is a failure: the event is retried after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, then every 4 h. After a day in which nothing was delivered the webhook is disabled and the store's admins get an email. How to verify a signature: [Webhooks](/docs/guides/webhooks).",
  Portal: "What the portal's own pages call.",
} as const;

export type Tag = keyof typeof tags;
