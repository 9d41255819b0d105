import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { openVote, submitVote } from "@/lib/forms/vote/open-vote";
import { feedbackLinkContract, giveFeedbackContract } from "@/lib/reviews/votes/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(feedbackLinkContract, ({ params, query, ...visit }) => openVote(params.token, query, visit)),
  route(giveFeedbackContract, ({ params, body, ...visit }) => submitVote(params.token, body, visit)),
);
