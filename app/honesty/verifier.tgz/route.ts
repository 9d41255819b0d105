import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { verifierPackageContract } from "@/lib/honesty/verifier/contract";
import { showVerifierPackage } from "@/lib/honesty/verifier/show-verifier";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(verifierPackageContract, ({ headers }) => showVerifierPackage(headers)),
);
