import { isOwnPage } from "@/lib/accounts/sign-in/resolve-client";
import { votePage } from "@/lib/forms/vote/vote-page";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { validate } from "@/lib/platform/http/validate";
import { acceptedLanguages, languageOf } from "@/lib/platform/i18n/languages";
import { findTarget } from "@/lib/reviews/votes/cast-vote";
import { giveFeedback } from "@/lib/reviews/votes/give-feedback";
import { linkCaller } from "@/lib/reviews/votes/rules";
import { FeedbackForm, type FeedbackQuery } from "@/lib/reviews/votes/schema";

type Visit = { headers: Headers; address: string; method: string };

/**
 * Answers a link to vote: with a page that changes nothing, or for scripts of allowed pages by counting. Throws
 * `not_found`, `forbidden` and `invalid_parameter` for scripts only.
 */
export async function openVote(
  token: string,
  { callback, ...fields }: FeedbackQuery,
  { headers, address, method }: Visit,
): Promise<Reply<undefined>> {
  const caller = linkCaller(headers, callback);
  const review = await findTarget(token);
  const isUnknownPage = caller.script && caller.origin === null && review && review.allowed_origins.length > 0;
  if (!caller.script || isUnknownPage || method !== "GET")
    return votePage(review, fields, headers.get("accept-language"));
  const feedback = validate(FeedbackForm, fields, "invalid_parameter");
  await giveFeedback(token, feedback, { address, origin: caller.origin });
  const uncached = { "Cache-Control": "no-store" };
  if (callback === undefined) return new Reply<undefined>(undefined, { status: 204, headers: uncached });
  return new Reply<undefined>(new RawJson(`/**/${callback}({"counted":true});`), {
    headers: { ...uncached, "Content-Type": "text/javascript; charset=utf-8" },
  });
}

/** Stores posted feedback. The page's own form gets a page; stores' forms get 204, so that the browser stays on theirs. */
export async function submitVote(
  token: string,
  feedback: FeedbackForm,
  { headers, address }: Visit,
): Promise<Reply<undefined> | undefined> {
  const isOwn = isOwnPage(headers);
  const isPerson = isOwn && headers.get("sec-fetch-dest") !== "empty";
  const review = isPerson ? await findTarget(token) : null;
  // Hidden since the page was opened: a person gets a page, not an API's error.
  if (isPerson && !review) return votePage(null, "done", headers.get("accept-language"));
  const language = isOwn ? languageOf(...acceptedLanguages(headers.get("accept-language"))) : null;
  await giveFeedback(token, feedback, { address, origin: isOwn ? null : headers.get("origin"), language });
  return isPerson ? votePage(review, "done", headers.get("accept-language")) : undefined;
}
