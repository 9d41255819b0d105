import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { giveFeedbackContract } from "@/lib/reviews/votes/contract";
import { giveFeedback } from "@/lib/reviews/votes/give-feedback";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(giveFeedbackContract, ({ params, body, address, headers }) =>
    giveFeedback(params.token, body, { address, origin: headers.get("origin") }),
  ),
);
