import { endpoint } from "@/lib/platform/http/contract";
import { QuestionBody, QuestionEcho, ReviewBody, ReviewEcho } from "@/lib/reviews/collect/schema";
import { receiptHeaderOf } from "@/lib/reviews/submissions/receipt-header";

export const collectReviewContract = endpoint({
  id: "collect.review",
  method: "POST",
  path: "/collect/reviews",
  tag: "Collection",
  summary: "Submit a product review",
  description:
    "The review is pending until it is moderated. A repeated submission within 60 seconds is stored once. The `Link` header names the author's receipt. Fields that the store doesn't collect are ignored. If the store verifies email addresses, the author gets a link to confirm the address, at most once an hour per address, and the review is pending until then.",
  auth: "public_key",
  body: ReviewBody,
  status: 201,
  response: ReviewEcho,
  headers: receiptHeaderOf("the review"),
  limit: "submission",
  example: {
    body: {
      client_id: "shop.example.com",
      api_key: "pk_0f3a…",
      product_id: "LAMP-OAK-S",
      author: "Ada",
      author_email: "ada@example.org",
      score: 5,
      content: "Warm light, and the switch sits where the hand looks for it.",
      pros: ["Warm light"],
      images: [{ token: "9c1185a5c5e9fc54612808977ee8f548", format: "jpeg", width: 3024, height: 4032 }],
    },
    answer: {
      client_id: "shop.example.com",
      product_id: "LAMP-OAK-S",
      author: "Ada",
      author_email: "ada@example.org",
      score: 5,
      content: "Warm light, and the switch sits where the hand looks for it.",
      pros: ["Warm light"],
      images: [{ token: "9c1185a5c5e9fc54612808977ee8f548", format: "jpeg", width: 3024, height: 4032 }],
    },
  },
});

export const collectQuestionContract = endpoint({
  id: "collect.question",
  method: "POST",
  path: "/collect/questions",
  tag: "Collection",
  summary: "Submit a question about a product",
  description:
    "The question is pending until it is moderated. A repeated submission within 60 seconds is stored once. Answers to custom questions are validated, but never required. If the store doesn't collect questions, the call returns 406 for `question`. If the store verifies email addresses, the author must confirm the address, as for reviews.",
  auth: "public_key",
  body: QuestionBody,
  status: 201,
  response: QuestionEcho,
  headers: receiptHeaderOf("the question"),
  limit: "submission",
  example: {
    body: {
      client_id: "shop.example.com",
      api_key: "pk_0f3a…",
      product_id: "LAMP-OAK-S",
      author: "Bo",
      author_email: "bo@example.org",
      question: "Can the lamp be dimmed?",
      mail_answer: "true",
    },
    answer: {
      client_id: "shop.example.com",
      product_id: "LAMP-OAK-S",
      author: "Bo",
      author_email: "bo@example.org",
      question: "Can the lamp be dimmed?",
      mail_answer: "true",
    },
  },
});

// The same calls at the addresses of a hosted service whose interface this is.

export const oldCollectReviewContract = endpoint({
  ...collectReviewContract,
  id: "collect.review_of_older_site",
  path: "/api/reviews",
  summary: "Submit a product review to the address of older sites",
  description: "The same as `/collect/reviews`.",
});

export const oldCollectQuestionContract = endpoint({
  ...collectQuestionContract,
  id: "collect.question_of_older_site",
  path: "/api/questions",
  summary: "Submit a question to the address of older sites",
  description: "The same as `/collect/questions`.",
});
