import { AnalyticsQuery } from "@/lib/insights/analytics/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId } from "@/lib/platform/http/fields";

export const analyticsCsvContract = endpoint({
  id: "portal.analytics.csv",
  method: "GET",
  path: "/portal/api/v1/analytics/csv",
  tag: "Portal",
  summary: "Export the reviews of a period by product, brand and so on",
  description: "All groups of the page, in its order. `change`: of the average since the days compared with.",
  auth: "session",
  query: AnalyticsQuery.extend({ client_id: clientId }),
  produces: "text/csv; charset=utf-8",
});
