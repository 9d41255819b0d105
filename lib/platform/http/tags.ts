/** The tags of the OpenAPI description, in order, with their descriptions. */
export const tags = {
  Clients: "Stores and their settings. The API calls a store a client.",
  Products: "The product catalog, as imported from feeds and integrations.",
  Orders: "Orders and their items. Candor uses them to schedule invitations.",
  Reviews: "Product reviews with any status: list, import and moderate them.",
  "Seller reviews": "Reviews of the store itself.",
  Questions: "Questions about products, with their answers.",
  Summaries: "Counts and averages by product or family.",
  "Personal data": "Retrieve or delete everything stored about a person.",
  Collection:
    "Submissions by visitors: reviews, questions, images and votes. No secret key is required, and calls can be made from browsers.",
  Display: "Published reviews for your store's pages. No key is required, and calls can be made from browsers.",
  Honesty:
    "A log per store of what it does with reviews, which outsiders can verify: `node verify.mjs <address of the store's page>`, with the program at `/honesty/verify.mjs`. No key is required.",
  "Test stores":
    "A test store has its own clock: advance it to see what happens on later days. Its emails stay in the mailbox, its pages are marked and not indexed, and it isn't included in any figures.",
  Service: "Health checks and this API description.",
  Emails: "Delivery events from the email service, and outcomes reported by your external sender.",
  Webhooks:
    "Events that Candor posts to your server, signed according to the Standard Webhooks specification (https://www.standardwebhooks.com). Delivered at least once, and in order for each review, question or invitation: the next event is sent after the previous one was delivered. Any status other than 2xx is a failure, and so is no response within 15 seconds. Candor retries after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, then every 4 h. After a day without a delivery, the webhook is disabled and the store's admins get an email. How to verify a signature: [Webhooks](/docs/guides/webhooks).",
  Portal: "Calls of the portal's own pages.",
} as const;

export type Tag = keyof typeof tags;
