import type { QuestionList } from "../shown";
import { h } from "./dom";
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
  const list = h("ol", { class: "list" });
  const status = h("p", { role: "status" });
  let next: string | null = null;
  const more = h("button", { type: "button", class: "plain more", onclick: goOn }, words.more_questions);
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

  function add({ questions, next_page_url }: QuestionList) {
    list.append(...questions.map(views.question));
    next = next_page_url;
    more.hidden = !next;
  }
  async function goOn() {
    const from = next;
    if (!from) return;
    next = null;
    try {
      add(await read<QuestionList>(from));
    } catch {
      next = from;
      status.textContent = words.failed;
    }
  }
  return () => show(host, section, () => add(first));
}
