import { endpoint } from "@/lib/platform/http/contract";
import { QuestionBody, QuestionEcho, ReviewBody, ReviewEcho } from "@/lib/reviews/collect/schema";

export const collectReviewContract = endpoint({
  id: "collect.review",
  method: "POST",
  path: "/collect/reviews",
  tag: "Collection",
  summary: "Submit a product review",
  description:
    "The review waits for moderation. The same submission within 60 seconds is stored once. Fields that the client does not collect are ignored. Where the client confirms addresses, the author is mailed a link, and the review waits until it is used; the address gets at most one such mail an hour.",
  auth: "public_key",
  body: ReviewBody,
  status: 201,
  response: ReviewEcho,
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
  summary: "Ask a question about a product",
  description:
    "The question waits for moderation. The same submission within 60 seconds is stored once. Custom questions are judged where they are answered; none is required here. A client that does not collect questions answers 406 on `question`. Where the client confirms addresses, the question waits as a review does.",
  auth: "public_key",
  body: QuestionBody,
  status: 201,
  response: QuestionEcho,
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
