import * as clients from "@/lib/clients/contract";
import * as collect from "@/lib/collect/contract";
import * as display from "@/lib/display/contract";
import * as feedback from "@/lib/feedback/contract";
import type { Contract } from "@/lib/http/contract";
import { healthContract } from "@/lib/http/health";
import { apiDescriptionContract, portalDescriptionContract } from "@/lib/http/openapi";
import * as orders from "@/lib/orders/contract";
import * as products from "@/lib/products/contract";
import * as queue from "@/lib/queue/contract";
import * as reviews from "@/lib/reviews/contract";
import * as summaries from "@/lib/summaries/contract";
import * as uploads from "@/lib/uploads/contract";

// What the descriptions tell, in their order. Contracts alone: the routes that answer a description are routes
// themselves. A test holds this list against all routes but pages.

export const publicContracts: Contract[] = [
  ...Object.values(clients),
  ...Object.values(products),
  ...Object.values(orders),
  ...Object.values(reviews),
  ...Object.values(summaries),
  ...Object.values(collect),
  ...Object.values(feedback),
  ...Object.values(uploads),
  ...Object.values(display),
  healthContract,
  apiDescriptionContract,
];

export const portalContracts: Contract[] = [...Object.values(queue), portalDescriptionContract];
