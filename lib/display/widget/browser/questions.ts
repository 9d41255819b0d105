import type { QuestionList } from "../types";
import { h } from "./dom";
import { show } from "./host";
import { pagedList } from "./paged-list";
import { fetchSummary, type Product, readJson, settings, t, views } from "./service";
import { openForm } from "./write";

/** Answered questions, and a button to ask one. */
export async function showQuestions(host: HTMLElement, product: Product): Promise<() => void> {
  const summary = await fetchSummary(product);
  const first: QuestionList = summary.your_question_url
    ? await readJson(summary.your_question_url)
    : { questions: [], next_page_url: null };
  const { list, more, status, add } = pagedList<QuestionList>(t("moreQuestions"), ({ questions }) =>
    questions.map(views.question),
  );
  const section = views.section(
    t("questions"),
    first.questions.length === 0 && h("p", { class: "meta" }, t("noQuestions")),
    list,
    more,
    status,
    settings.questions &&
      h(
        "p",
        { class: "ask" },
        h(
          "button",
          { type: "button", class: "plain", onclick: () => openForm(section, product, "question") },
          t("ask"),
        ),
      ),
  );
  return () => show(host, section, () => add(first));
}
