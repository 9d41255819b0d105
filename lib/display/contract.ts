import {
  DisplayParams,
  DisplayQuestionList,
  DisplayRatings,
  DisplayReviewList,
  DisplaySellerReviewList,
  DisplaySummary,
  ExternalListQuery,
  MAX_RATINGS,
  OldSellerReviewListQuery,
  QuestionListQuery,
  RatingsQuery,
  ReviewListQuery,
  ScoreQuery,
  SellerReviewListQuery,
  SummaryQuery,
} from "@/lib/display/schema";
import { endpoint } from "@/lib/platform/http/contract";

const tagged = "Has a strong ETag. `If-None-Match` gets 304 if nothing changed.";
const described = `If the store shows reviews by family, \`key\` means the product's whole family. ${tagged}`;

const cached = { alternatives: { 304: undefined }, alsoProduces: ["text/javascript; charset=utf-8"] };

export const displaySummaryContract = endpoint({
  id: "display.summary",
  method: "GET",
  path: "/onpage/{client_id}/reviews.json",
  tag: "Display",
  summary: "Retrieve a product's counts and scores, and the URLs of its reviews and questions",
  description: described,
  auth: "public",
  params: DisplayParams,
  query: SummaryQuery,
  response: DisplaySummary,
  ...cached,
  example: {
    params: { client_id: "shop.example.com" },
    query: "key=LAMP-OAK-S",
    answer: {
      score: 8.67,
      pro_score_dist_all: [0, 0, 0, 0, 0],
      user_score_dist_all: [0, 0, 0, 0, 0],
      product_pros: ["Warm light"],
      product_cons: [],
      pro_review_count: 0,
      pro_review_url: null,
      pro_review_page_url: null,
      user_review_count: 0,
      user_review_url: null,
      user_review_page_url: null,
      your_review_count: 3,
      your_review_url: "https://reviews.example.com/onpage/shop.example.com/reviews/list.json?key=LAMP-OAK-S",
      your_avg_score: 4.33,
      your_score_dist: [0, 0, 0, 2, 1],
      your_photo_review_count: 0,
      your_verified_review_count: 2,
      your_review_languages: [{ lang: "en", count: 3 }],
      your_review_answers: null,
      your_question_count: 1,
      your_question_url: "https://reviews.example.com/onpage/shop.example.com/questions.json?key=LAMP-OAK-S",
      write_review_url: "https://reviews.example.com/reviews/new?client_id=shop.example.com&key=LAMP-OAK-S",
      ask_question_url: "https://reviews.example.com/questions/new?client_id=shop.example.com&key=LAMP-OAK-S",
      feedback_enabled: true,
      videos: [],
    },
  },
});

export const displayReviewsContract = endpoint({
  id: "display.reviews",
  method: "GET",
  path: "/onpage/{client_id}/reviews/list.json",
  tag: "Display",
  summary: "List published reviews of a product or family",
  description: `${described} Take the URL from \`your_review_url\`, add your filters, and follow \`next_page_url\` while there is one.`,
  auth: "public",
  params: DisplayParams,
  query: ReviewListQuery,
  response: DisplayReviewList,
  ...cached,
  example: {
    params: { client_id: "shop.example.com" },
    query: "key=LAMP-OAK-S",
    answer: {
      reviews: [
        {
          id: "5f0c1d9be27a4836",
          type: "customer",
          author: "Ada",
          score: 5,
          score_max: 5,
          date: "2026-05-20",
          extract: "Warm light, and the switch sits where the hand looks for it.",
          pros: ["Warm light"],
          cons: [],
          lang: "en",
          verified_buyer: true,
          votes_up: 2,
          votes_down: 0,
          product: "Oak table lamp, small",
          responses: [],
          images: [],
          properties: { recommended: true },
          feedback_url: "https://reviews.example.com/collect/feedback/q3mR0n2TTy6VgkXw1sZzAA",
          client_id: "shop.example.com",
          source: "Example Shop",
          domain: "shop.example.com",
          icon: null,
          link: null,
          question_answers: [],
          original: null,
        },
      ],
      next_page_url: null,
    },
  },
});

export const displayExternalReviewsContract = endpoint({
  id: "display.external_reviews",
  method: "GET",
  path: "/onpage/{client_id}/reviews/external.json",
  tag: "Display",
  summary: "List external reviews of a product or family",
  description: `The list of \`pro_review_url\` and \`user_review_url\`. It is empty: only totals of external reviews are imported. ${tagged}`,
  auth: "public",
  params: DisplayParams,
  query: ExternalListQuery,
  response: DisplayReviewList,
  ...cached,
  example: {
    params: { client_id: "shop.example.com" },
    query: "key=LAMP-OAK-S&kind=user",
    answer: { reviews: [], next_page_url: null },
  },
});

export const displayQuestionsContract = endpoint({
  id: "display.questions",
  method: "GET",
  path: "/onpage/{client_id}/questions.json",
  tag: "Display",
  summary: "List answered questions about a product or family, newest first",
  description: `${described} Take the URL from \`your_question_url\` and follow \`next_page_url\` while there is one.`,
  auth: "public",
  params: DisplayParams,
  query: QuestionListQuery,
  response: DisplayQuestionList,
  ...cached,
  example: {
    params: { client_id: "shop.example.com" },
    query: "key=LAMP-OAK-S",
    answer: {
      questions: [
        {
          id: "91ac04be77d35f20",
          author: "Bo",
          date: "2026-05-22",
          question: "Which bulb does it take?",
          details: "",
          lang: "en",
          product: "Oak table lamp, small",
          images: [],
          answers: [
            { author: "Example Shop", date: "2026-05-23", answer: "E27, up to 40 W.", lang: "en", from_seller: true },
          ],
          title: "Which bulb does it take?",
          extract: "",
          responses: [
            {
              author: "Example Shop",
              date: "2026-05-23",
              extract: "E27, up to 40 W.",
              lang: "en",
              from_seller: true,
              name: "Example Shop",
              response: "E27, up to 40 W.",
              icon: null,
              images: [],
            },
          ],
          votes_up: 0,
          votes_down: 0,
          feedback_url: null,
        },
      ],
      next_page_url: null,
    },
  },
});

export const displaySellerReviewsContract = endpoint({
  id: "display.seller_reviews",
  method: "GET",
  path: "/onpage/{client_id}/seller_reviews.json",
  tag: "Display",
  summary: "List published seller reviews, newest first, with their summary",
  description: `The summary covers all published seller reviews, including those not listed. ${tagged}`,
  auth: "public",
  params: DisplayParams,
  query: SellerReviewListQuery,
  response: DisplaySellerReviewList,
  ...cached,
  example: {
    params: { client_id: "shop.example.com" },
    query: "limit=10&min=4",
    answer: {
      avg_score: 4.85,
      review_count: 20,
      score_dist: [0, 0, 0, 3, 17],
      seller_reviews: [
        {
          id: "b80e4c6d1f2a9357",
          author: "Ada",
          score: 5,
          score_max: 5,
          date: "2026-05-20",
          extract: "Sent the same day, well packed.",
          lang: "en",
          verified_buyer: true,
          responses: [],
          images: [],
          properties: {},
        },
      ],
      next_page_url: null,
    },
  },
});

export const displayRatingsContract = endpoint({
  id: "display.ratings",
  method: "GET",
  path: "/onpage/{client_id}/ratings.json",
  tag: "Display",
  summary: "List ratings of up to 200 products, for listing pages",
  description: `${described} The URL and headers can be up to 16 KB in total: split the call if ids are long.`,
  auth: "public",
  params: DisplayParams,
  query: RatingsQuery,
  response: DisplayRatings,
  ...cached,
  example: {
    params: { client_id: "shop.example.com" },
    query: "key=LAMP-OAK-S&key=LAMP-ASH-L",
    answer: {
      ratings: [
        {
          key: "LAMP-OAK-S",
          url_key: null,
          score: 8.67,
          your_review_count: 3,
          your_avg_score: 4.33,
          your_score_dist: [0, 0, 0, 2, 1],
          pro_review_count: 0,
          user_review_count: 0,
        },
        {
          key: "LAMP-ASH-L",
          url_key: null,
          score: null,
          your_review_count: 0,
          your_avg_score: null,
          your_score_dist: [0, 0, 0, 0, 0],
          pro_review_count: 0,
          user_review_count: 0,
        },
      ],
    },
  },
});

// Addresses of a hosted service whose interface this is: sites made for it work when only the host changes.

export const badgeSummaryContract = endpoint({
  ...displaySummaryContract,
  id: "display.summary_of_badge",
  path: "/badge/{client_id}/reviews.json",
  summary: "Retrieve a product's summary at its address of older sites",
  description: `The same as \`/onpage/{client_id}/reviews.json\`. ${tagged}`,
});

export const displayScoresContract = endpoint({
  ...displayRatingsContract,
  id: "display.scores",
  path: "/onpage/{client_id}/score.json",
  summary: "List ratings of products at the address of older sites",
  description: `The same as \`/onpage/{client_id}/ratings.json\`, without errors for its parameters: ids that can't exist are left out, and so are those beyond ${MAX_RATINGS}. ${tagged}`,
  query: ScoreQuery,
  example: { ...displayRatingsContract.example, query: "keys[]=LAMP-OAK-S&keys[]=LAMP-ASH-L" },
});

export const oldSellerReviewsContract = endpoint({
  ...displaySellerReviewsContract,
  id: "display.seller_reviews_of_client",
  path: "/seller_reviews.json",
  summary: "List published seller reviews at the address of older sites",
  description: `The same as \`/onpage/{client_id}/seller_reviews.json\`, without errors for \`limit\`, \`offset\`, \`min\` and \`max\`: a value out of range counts as the nearest one, and anything else as the default. ${tagged}`,
  params: undefined,
  query: OldSellerReviewListQuery,
  errors: ["not_found"],
  example: { ...displaySellerReviewsContract.example, params: undefined, query: "client_id=shop.example.com&limit=10" },
});
