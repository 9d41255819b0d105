import { checkReadiness, readyContract } from "@/lib/http/health";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(route(readyContract, checkReadiness));
