import { routeModules } from "@/app/generated/routes";
import type { Methods } from "@/lib/api/methods";
import type { ServedRoute } from "@/lib/api/server";
import type { Contract } from "@/lib/platform/http/contract";

// Every path of the API, for the fast server and for tests that loop over all endpoints.

/** The endpoints of one path. */
const contractsOf = (methods: Methods): Contract[] => {
  const found = Object.values(methods).flatMap((handler) =>
    "contract" in handler ? [handler.contract as Contract] : [],
  );
  return [...new Set(found)];
};

/** All endpoints of the service. */
export const contracts: Contract[] = routeModules.flatMap(contractsOf);

/** Paths with their handlers. */
export const routes: ServedRoute[] = routeModules.map((methods) => ({
  path: contractsOf(methods)[0]?.path ?? "",
  methods,
}));
