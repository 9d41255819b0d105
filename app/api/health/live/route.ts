import { liveContract } from "@/lib/api/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(liveContract, async () => ({ status: "ok" as const })),
);
