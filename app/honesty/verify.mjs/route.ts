import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { verifierContract } from "@/lib/honesty/verifier/contract";
import { showVerifier } from "@/lib/honesty/verifier/show-verifier";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(verifierContract, ({ headers }) => showVerifier(headers)),
);
