import { absoluteUrl, listPath } from "@/lib/display/address";
import { decodeDatedCursor, encodeDatedCursor } from "@/lib/display/dated-cursor";
import { displayedResponses } from "@/lib/display/rules";
import {
  type DisplayQuestion,
  type DisplayQuestionList,
  MAX_OFFSET,
  type QuestionListQuery,
} from "@/lib/display/schema";
import { type ShowOptions, show } from "@/lib/display/show";
import { type CurrentDisplay, type DisplayTarget, lookUpDisplay } from "@/lib/display/versions";
import { pool } from "@/lib/platform/db/pool";
import { cutPage } from "@/lib/platform/http/cursor";
import type { Reply } from "@/lib/platform/http/reply";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import { type QuestionRow, selectQuestionPage } from "./dated-lists-sql";

const ORDER = "display.questions";

/**
 * A page of the answered questions about a product or family, newest first. Throws `not_found` for an unknown client,
 * `invalid_cursor`.
 */
export async function showQuestions(
  clientId: string,
  query: QuestionListQuery,
  options: ShowOptions,
): Promise<Reply<DisplayQuestionList>> {
  const { limit, after, offset = 0 } = query;
  const place = after === undefined ? null : decodeDatedCursor(after, ORDER);
  const target: DisplayTarget = { clientId, key: query.key || null, urlKey: query.url_key || null };
  const list = async ({ subject }: CurrentDisplay): Promise<DisplayQuestionList> => {
    if (offset > MAX_OFFSET) return { questions: [], next_page_url: null };
    const rows = await selectQuestionPage(pool(), clientId, subject, place, limit + 1, offset);
    const { shown, last } = cutPage(rows, limit);
    const next =
      last &&
      absoluteUrl(listPath(clientId, "questions.json"), {
        key: target.key,
        url_key: target.urlKey,
        limit: String(limit),
        after: encodeDatedCursor(last, ORDER),
      });
    return { questions: shown.map(toDisplayed), next_page_url: next ?? null };
  };
  return show(
    {
      clientId,
      name: JSON.stringify(["questions", target.key, target.urlKey, limit, offset, after ?? null]),
      lookUp: () => lookUpDisplay(target),
      versionOf: ({ questions }) => questions,
      make: list,
    },
    options,
  );
}

const toDisplayed = ({
  id,
  author,
  date,
  question,
  details,
  lang,
  product,
  images,
  answers,
}: QuestionRow): DisplayQuestion => ({
  id,
  author,
  date,
  question,
  details,
  lang,
  product,
  images: imageObjects(images, { signed: false }),
  answers,
  title: question,
  extract: details,
  responses: displayedResponses(answers.map(({ answer, ...rest }) => ({ ...rest, extract: answer }))),
  votes_up: 0,
  votes_down: 0,
  feedback_url: null,
});
