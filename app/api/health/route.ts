import { healthContract } from "@/lib/api/contract";
import { checkHealth } from "@/lib/api/health";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(route(healthContract, checkHealth));
