import type {
  DisplayQuestion,
  DisplayQuestionList,
  DisplayRatings,
  DisplayReview,
  DisplayReviewList,
  DisplaySellerReview,
  DisplaySellerReviewList,
  DisplaySummary,
} from "@/lib/display/schema";

// What the display interface answers, by the widget's names for it. Types alone: no schema reaches the browser.

export type Summary = DisplaySummary;
export type Review = DisplayReview;
export type ReviewList = DisplayReviewList;
export type Question = DisplayQuestion;
export type QuestionList = DisplayQuestionList;
export type SellerReview = DisplaySellerReview;
export type SellerList = DisplaySellerReviewList;
export type Ratings = DisplayRatings;
