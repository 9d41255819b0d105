import * as accounts from "@/lib/accounts/contract";
import * as clients from "@/lib/accounts/stores/contract";
import { healthContract, readyContract } from "@/lib/api/health";
import { apiDescriptionContract, portalDescriptionContract } from "@/lib/api/openapi";
import * as products from "@/lib/catalog/products/contract";
import * as summaries from "@/lib/catalog/summaries/contract";
import * as display from "@/lib/display/contract";
import * as reviewFeed from "@/lib/display/google-feed/contract";
import * as widget from "@/lib/display/widget/contract";
import * as feeds from "@/lib/feeds/contract";
import * as externals from "@/lib/feeds/external-ratings/contract";
import * as home from "@/lib/insights/home/contract";
import * as integrations from "@/lib/integrations/contract";
import * as webhooks from "@/lib/integrations/webhooks/contract";
import {
  previewMailContract,
  sendByHandContract,
  setSendingContract,
  tellOutcomeContract,
  testMailContract,
} from "@/lib/invitations/contract";
import * as mailEvents from "@/lib/invitations/mail-events/contract";
import { setDigestContract } from "@/lib/moderation/digests/contract";
import * as queue from "@/lib/moderation/queue/contract";
import * as autoModeration from "@/lib/moderation/rules/contract";
import * as orders from "@/lib/orders/contract";
import type { Contract } from "@/lib/platform/http/contract";
import * as jobs from "@/lib/platform/jobs/contract";
import * as personalData from "@/lib/privacy/contract";
import * as collect from "@/lib/reviews/collect/contract";
import * as questions from "@/lib/reviews/questions/contract";
import * as replies from "@/lib/reviews/replies/contract";
import * as reviews from "@/lib/reviews/reviews/contract";
import * as sellerReviews from "@/lib/reviews/seller-reviews/contract";
import * as uploads from "@/lib/reviews/uploads/contract";
import * as feedback from "@/lib/reviews/votes/contract";

// What the descriptions tell, in their order. Contracts alone: the routes that answer a description are routes
// themselves. A test holds this list against all routes but pages.

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** A domain's contracts, those of the portal alone or the others: the list before the single one, reading before writing. */
const ofDomain = (module: Record<string, Contract>, { portal = false } = {}): Contract[] =>
  Object.values(module)
    .filter(({ auth }) => (auth === "session") === portal)
    .sort(
      (a, b) =>
        (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || methods.indexOf(a.method) - methods.indexOf(b.method),
    );

export const publicContracts: Contract[] = [
  ...ofDomain(clients),
  ...ofDomain(products),
  ...ofDomain(orders),
  tellOutcomeContract,
  ...ofDomain(reviews),
  ...ofDomain(sellerReviews),
  ...ofDomain(questions),
  ...ofDomain(summaries),
  ...ofDomain(personalData),
  ...ofDomain(collect),
  ...ofDomain(feedback),
  ...ofDomain(uploads),
  ...ofDomain(display),
  ...ofDomain(mailEvents),
  ...ofDomain(reviewFeed),
  ...ofDomain(widget).filter(({ produces }) => !produces.startsWith("text/html")),
  healthContract,
  readyContract,
  apiDescriptionContract,
];

export const portalContracts: Contract[] = [
  ...[
    queue,
    replies,
    home,
    clients,
    autoModeration,
    orders,
    personalData,
    feeds,
    externals,
    integrations,
    webhooks,
    accounts,
    jobs,
  ].flatMap((module) => ofDomain(module, { portal: true })),
  sendByHandContract,
  setSendingContract,
  previewMailContract,
  testMailContract,
  setDigestContract,
  portalDescriptionContract,
];
