import * as accounts from "@/lib/accounts/contract";
import * as autoModeration from "@/lib/auto-moderation/contract";
import * as clients from "@/lib/clients/contract";
import * as collect from "@/lib/collect/contract";
import { setDigestContract } from "@/lib/digests/contract";
import * as display from "@/lib/display/contract";
import * as externals from "@/lib/externals/contract";
import * as feedback from "@/lib/feedback/contract";
import * as feeds from "@/lib/feeds/contract";
import * as home from "@/lib/home/contract";
import type { Contract } from "@/lib/http/contract";
import { healthContract, readyContract } from "@/lib/http/health";
import { apiDescriptionContract, portalDescriptionContract } from "@/lib/http/openapi";
import * as integrations from "@/lib/integrations/contract";
import {
  previewMailContract,
  sendByHandContract,
  setSendingContract,
  tellOutcomeContract,
  testMailContract,
} from "@/lib/invitations/contract";
import * as jobs from "@/lib/jobs/contract";
import * as mailEvents from "@/lib/mail-events/contract";
import * as orders from "@/lib/orders/contract";
import * as personalData from "@/lib/personal-data/contract";
import * as products from "@/lib/products/contract";
import * as questions from "@/lib/questions/contract";
import * as queue from "@/lib/queue/contract";
import * as replies from "@/lib/replies/contract";
import * as reviewFeed from "@/lib/review-feed/contract";
import * as reviews from "@/lib/reviews/contract";
import * as sellerReviews from "@/lib/seller-reviews/contract";
import * as summaries from "@/lib/summaries/contract";
import * as uploads from "@/lib/uploads/contract";
import * as webhooks from "@/lib/webhooks/contract";
import * as widget from "@/lib/widget/contract";

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
