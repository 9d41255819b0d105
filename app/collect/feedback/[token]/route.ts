import { giveFeedbackContract } from "@/lib/feedback/contract";
import { giveFeedback } from "@/lib/feedback/give-feedback";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(giveFeedbackContract, ({ params, body, address, headers }) =>
    giveFeedback(params.token, body, { address, origin: headers.get("origin") }),
  ),
);
