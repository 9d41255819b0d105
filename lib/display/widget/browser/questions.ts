import type { QuestionList } from "../types";
import { h } from "./dom";
import { pages } from "./pages";
import { show } from "./place";
import { type Product, read, settings, summaryOf, views, words } from "./service";
import { write } from "./write";

/** Questions that were answered, and a way to ask one. */
export async function showQuestions(host: HTMLElement, product: Product): Promise<() => void> {
  const summary = await summaryOf(product);
  const first: QuestionList =
    summary.your_question_count && summary.your_question_url
      ? await read(summary.your_question_url)
      : { questions: [], next_page_url: null };
  const { list, more, status, add } = pages<QuestionList>(words.more_questions, ({ questions }) =>
    questions.map(views.question),
  );
  const section = views.section(
    words.questions,
    first.questions.length === 0 && h("p", { class: "meta" }, words.no_questions),
    list,
    more,
    status,
    settings.questions &&
      h(
        "p",
        { class: "ask" },
        h("button", { type: "button", class: "plain", onclick: () => write(section, product, "question") }, words.ask),
      ),
  );
  return () => show(host, section, () => add(first));
}
