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

// The display API's responses, by the widget's names for them. Types only: no schema reaches the browser.

export type Summary = DisplaySummary;
export type Review = DisplayReview;
export type ReviewList = DisplayReviewList;
export type Question = DisplayQuestion;
export type QuestionList = DisplayQuestionList;
export type SellerReview = DisplaySellerReview;
export type SellerList = DisplaySellerReviewList;
export type Ratings = DisplayRatings;
