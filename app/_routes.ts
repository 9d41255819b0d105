import * as readiness from "@/app/api/health/ready/route";
import * as health from "@/app/api/health/route";
import * as mailEvents from "@/app/api/mail-events/[provider]/route";
import * as feedback from "@/app/collect/feedback/[token]/route";
import * as collectQuestion from "@/app/collect/questions/route";
import * as collectReview from "@/app/collect/reviews/route";
import * as stopDigest from "@/app/d/[token]/route";
import * as image from "@/app/images/[key]/[file]/route";
import * as optOut from "@/app/o/[token]/route";
import * as widgetBadge from "@/app/onpage/[client_id]/badge.html/route";
import * as widgetFormPart from "@/app/onpage/[client_id]/form.js/route";
import * as widgetForm from "@/app/onpage/[client_id]/form.json/route";
import * as googleReviews from "@/app/onpage/[client_id]/google/product_reviews.xml/route";
import * as googleReviewsPacked from "@/app/onpage/[client_id]/google/product_reviews.xml.gz/route";
import * as widgetStyles from "@/app/onpage/[client_id]/head.css/route";
import * as widgetScript from "@/app/onpage/[client_id]/head.js/route";
import * as structuredData from "@/app/onpage/[client_id]/product.jsonld/route";
import * as widgetQuestions from "@/app/onpage/[client_id]/questions.html/route";
import * as displayQuestions from "@/app/onpage/[client_id]/questions.json/route";
import * as displayRatings from "@/app/onpage/[client_id]/ratings.json/route";
import * as displayReviews from "@/app/onpage/[client_id]/reviews/list.json/route";
import * as widgetReviews from "@/app/onpage/[client_id]/reviews.html/route";
import * as displaySummary from "@/app/onpage/[client_id]/reviews.json/route";
import * as widgetSeller from "@/app/onpage/[client_id]/seller.html/route";
import * as displaySellerReviews from "@/app/onpage/[client_id]/seller_reviews.json/route";
import * as portalDescription from "@/app/portal/api/openapi.json/route";
import * as accountDigest from "@/app/portal/api/v1/account/digest/route";
import * as accountPassword from "@/app/portal/api/v1/account/password/route";
import * as account from "@/app/portal/api/v1/account/route";
import * as secondFactorConfirm from "@/app/portal/api/v1/account/second_factor/confirm/route";
import * as secondFactorRemove from "@/app/portal/api/v1/account/second_factor/remove/route";
import * as secondFactor from "@/app/portal/api/v1/account/second_factor/route";
import * as session from "@/app/portal/api/v1/account/sessions/[id]/route";
import * as sessions from "@/app/portal/api/v1/account/sessions/route";
import * as accounts from "@/app/portal/api/v1/accounts/route";
import * as apiKey from "@/app/portal/api/v1/api_keys/[id]/route";
import * as apiKeys from "@/app/portal/api/v1/api_keys/route";
import * as auditCsv from "@/app/portal/api/v1/audit/csv/route";
import * as audit from "@/app/portal/api/v1/audit/route";
import * as clientContract from "@/app/portal/api/v1/clients/[id]/contract/route";
import * as newClients from "@/app/portal/api/v1/clients/route";
import * as externals from "@/app/portal/api/v1/externals/route";
import * as feedUploadImport from "@/app/portal/api/v1/feed_uploads/[id]/import/route";
import * as feedUploadPart from "@/app/portal/api/v1/feed_uploads/[id]/parts/[part]/route";
import * as feedUploads from "@/app/portal/api/v1/feed_uploads/route";
import * as feed from "@/app/portal/api/v1/feeds/[id]/route";
import * as feedRun from "@/app/portal/api/v1/feeds/[id]/run/route";
import * as feeds from "@/app/portal/api/v1/feeds/route";
import * as integrationPause from "@/app/portal/api/v1/integrations/[kind]/pause/route";
import * as integrationPreview from "@/app/portal/api/v1/integrations/[kind]/preview/route";
import * as integrationResume from "@/app/portal/api/v1/integrations/[kind]/resume/route";
import * as integrationRetry from "@/app/portal/api/v1/integrations/[kind]/retry/route";
import * as integration from "@/app/portal/api/v1/integrations/[kind]/route";
import * as integrationSync from "@/app/portal/api/v1/integrations/[kind]/sync/route";
import * as integrationTest from "@/app/portal/api/v1/integrations/[kind]/test/route";
import * as integrations from "@/app/portal/api/v1/integrations/route";
import * as jobRetry from "@/app/portal/api/v1/jobs/[id]/retry/route";
import * as holdItems from "@/app/portal/api/v1/orders/[id]/hold/route";
import * as changeHolds from "@/app/portal/api/v1/orders/[id]/holds/route";
import * as sendByHand from "@/app/portal/api/v1/orders/[id]/send/route";
import * as personFile from "@/app/portal/api/v1/personal_data/file/route";
import * as personRegister from "@/app/portal/api/v1/personal_data/register/route";
import * as personCase from "@/app/portal/api/v1/personal_data/route";
import * as queueLook from "@/app/portal/api/v1/queue/[kind]/[id]/look/route";
import * as queuePhoto from "@/app/portal/api/v1/queue/[kind]/[id]/photos/[token]/route";
import * as queueRejectionMail from "@/app/portal/api/v1/queue/[kind]/[id]/rejection_mail/route";
import * as queueReply from "@/app/portal/api/v1/queue/[kind]/[id]/replies/[reply]/route";
import * as queueReplies from "@/app/portal/api/v1/queue/[kind]/[id]/replies/route";
import * as queueCase from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as queue from "@/app/portal/api/v1/queue/route";
import * as queueView from "@/app/portal/api/v1/queue_views/[id]/route";
import * as queueViews from "@/app/portal/api/v1/queue_views/route";
import * as replyTemplate from "@/app/portal/api/v1/reply_templates/[id]/route";
import * as replyTemplates from "@/app/portal/api/v1/reply_templates/route";

import * as queueReports from "@/app/portal/api/v1/reviews/[id]/reports/route";
import * as ruleTrial from "@/app/portal/api/v1/rules/try/route";
import * as sent from "@/app/portal/api/v1/sent/[kind]/[id]/route";
import * as sendingSettings from "@/app/portal/api/v1/settings/invitations/route";
import * as mailPreview from "@/app/portal/api/v1/settings/mail/preview/route";
import * as mailTest from "@/app/portal/api/v1/settings/mail/test/route";
import * as settings from "@/app/portal/api/v1/settings/route";
import * as testOrders from "@/app/portal/api/v1/test_orders/route";
import * as personLink from "@/app/portal/api/v1/users/[id]/link/route";
import * as portalUser from "@/app/portal/api/v1/users/[id]/route";
import * as portalUsers from "@/app/portal/api/v1/users/route";
import * as waiting from "@/app/portal/api/v1/waiting/route";
import * as webhookDeliveries from "@/app/portal/api/v1/webhooks/[id]/deliveries/route";
import * as webhookPause from "@/app/portal/api/v1/webhooks/[id]/pause/route";
import * as webhookReplay from "@/app/portal/api/v1/webhooks/[id]/replay/route";
import * as webhookResume from "@/app/portal/api/v1/webhooks/[id]/resume/route";
import * as webhookRotate from "@/app/portal/api/v1/webhooks/[id]/rotate/route";
import * as webhook from "@/app/portal/api/v1/webhooks/[id]/route";
import * as webhookTest from "@/app/portal/api/v1/webhooks/[id]/test/route";
import * as webhooks from "@/app/portal/api/v1/webhooks/route";
import * as uploader from "@/app/uploader/route";
import * as clients from "@/app/v1/clients/route";
import * as invitationOutcome from "@/app/v1/invitations/[id]/outcome/route";
import * as description from "@/app/v1/openapi.json/route";
import * as order from "@/app/v1/orders/[id]/route";
import * as orders from "@/app/v1/orders/route";
import * as personalDataDeletion from "@/app/v1/personal_data/delete/route";
import * as personalData from "@/app/v1/personal_data/route";
import * as products from "@/app/v1/products/route";
import * as question from "@/app/v1/questions/[id]/route";
import * as questions from "@/app/v1/questions/route";
import * as review from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import * as sellerReviews from "@/app/v1/seller_reviews/route";
import * as summaries from "@/app/v1/summaries/route";
import * as verify from "@/app/verify/[token]/route";
import type { Methods } from "@/lib/api/methods";
import type { ServedRoute } from "@/lib/api/server";
import type { Contract } from "@/lib/platform/http/contract";

// Every address of the API, for the fast server, the API's description and the test that loops over all endpoints.
// A test holds this list against the route files.
const modules: Methods[] = [
  health,
  readiness,
  description,
  stopDigest,
  optOut,
  mailEvents,
  verify,
  clients,
  orders,
  order,
  invitationOutcome,
  products,
  reviews,
  review,
  sellerReviews,
  questions,
  question,
  summaries,
  personalData,
  personalDataDeletion,
  collectReview,
  collectQuestion,
  feedback,
  uploader,
  image,
  displaySummary,
  displayReviews,
  displayQuestions,
  displaySellerReviews,
  displayRatings,
  googleReviews,
  googleReviewsPacked,
  widgetScript,
  widgetFormPart,
  widgetStyles,
  widgetForm,
  structuredData,
  widgetBadge,
  widgetReviews,
  widgetQuestions,
  widgetSeller,
  portalDescription,
  feeds,
  feed,
  feedRun,
  feedUploads,
  feedUploadPart,
  feedUploadImport,
  integrations,
  integration,
  integrationPause,
  integrationPreview,
  integrationResume,
  integrationTest,
  integrationSync,
  integrationRetry,
  sent,
  webhooks,
  webhook,
  webhookDeliveries,
  webhookPause,
  webhookResume,
  webhookRotate,
  webhookTest,
  webhookReplay,
  jobRetry,
  queue,
  queueCase,
  queueReplies,
  queueReply,
  queueLook,
  queueRejectionMail,
  queuePhoto,
  queueViews,
  queueView,
  queueReports,
  externals,
  accounts,
  newClients,
  clientContract,
  sendingSettings,
  mailPreview,
  mailTest,
  settings,
  ruleTrial,
  testOrders,
  replyTemplates,
  replyTemplate,
  waiting,
  holdItems,
  changeHolds,
  sendByHand,
  personCase,
  personFile,
  personRegister,
  apiKeys,
  apiKey,
  portalUsers,
  portalUser,
  personLink,
  account,
  accountDigest,
  accountPassword,
  sessions,
  session,
  secondFactor,
  secondFactorConfirm,
  secondFactorRemove,
  audit,
  auditCsv,
];

/** The endpoints of one address. */
const contractsOf = (methods: Methods): Contract[] => {
  const found = Object.values(methods).flatMap((handler) =>
    "contract" in handler ? [handler.contract as Contract] : [],
  );
  return [...new Set(found)];
};

/** All endpoints of the service. */
export const contracts: Contract[] = modules.flatMap(contractsOf);

/** Addresses with their handlers. */
export const routes: ServedRoute[] = modules.map((methods) => ({
  path: contractsOf(methods)[0]?.path ?? "",
  methods,
}));
