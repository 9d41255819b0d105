import { AnalyticsQuery } from "@/lib/insights/analytics/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId } from "@/lib/platform/http/fields";

export const analyticsCsvContract = endpoint({
  id: "portal.analytics.csv",
  method: "GET",
  path: "/portal/api/v1/analytics/csv",
  tag: "Portal",
  summary: "Export review counts by group",
  description:
    "All groups of the analytics page, in its order. `average_before`: in the comparison period; empty if too few.",
  auth: "session",
  query: AnalyticsQuery.extend({ client_id: clientId }),
  produces: "text/csv; charset=utf-8",
});
