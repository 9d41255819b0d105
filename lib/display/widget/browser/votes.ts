import type { Review } from "../types";
import { h } from "./dom";
import { ask, shop, t } from "./service";

/** The visitor's own votes, by the review's id, and the name under which they were cast. */
type Cast = { voter: string; votes: Record<string, 1 | -1> };

const PLACE = "candor";
let cast: Cast | undefined;

/** Kept by the browser from the first vote on, so that it can be changed; nothing is kept of those who only read. */
function remembered(): Cast {
  if (cast) return cast;
  let kept: Partial<Cast> | null = null;
  try {
    kept = JSON.parse(localStorage.getItem(PLACE) as string);
  } catch {
    // storage that is closed to this page: this page's memory will do
  }
  // Other scripts of the page write there too, so it may hold anything.
  cast =
    typeof kept?.voter === "string" && /^.{1,99}$/.test(kept.voter)
      ? { voter: kept.voter, votes: { ...kept.votes } }
      : { voter: crypto.randomUUID?.() ?? `${Math.random()}${Math.random()}`, votes: {} };
  return cast;
}

function remember(id: string, vote: 1 | -1 | 0): void {
  const mine = remembered();
  if (vote) mine.votes[id] = vote;
  else delete mine.votes[id];
  try {
    localStorage.setItem(PLACE, JSON.stringify(mine));
  } catch {
    // as above
  }
}

/** Votes on a review, and a way to report it. */
export function actions({ id, feedback_url, votes_up, votes_down }: Review): HTMLElement {
  const before = remembered().votes[id];
  let vote: 1 | -1 | 0 = before === 1 || before === -1 ? before : 0;
  const others = { up: votes_up - Number(vote === 1), down: votes_down - Number(vote === -1) };
  const said = h("span", { role: "status" });
  // One after the other, whatever is clicked meanwhile.
  let sent: Promise<unknown> = Promise.resolve();

  const tell = (values: Record<string, string>) =>
    ask(feedback_url, {
      method: "POST",
      body: new URLSearchParams({ voter_id: remembered().voter, ...values }),
    });
  const button = (mine: 1 | -1) =>
    h("button", { type: "button", class: "vote", onclick: () => choose(vote === mine ? 0 : mine) });
  const yes = button(1);
  const no = button(-1);
  const report = h("button", { type: "button", class: "text-button", onclick: () => askWhy() }, t("report"));

  function draw() {
    for (const [element, mine, word, count] of [
      [yes, 1, t("yes"), others.up],
      [no, -1, t("no"), others.down],
    ] as const) {
      const n = Math.max(0, count) + Number(vote === mine);
      element.textContent = n ? `${word} · ${n}` : word;
      element.setAttribute("aria-pressed", `${vote === mine}`);
    }
  }
  function choose(chosen: 1 | -1 | 0) {
    const before = vote;
    vote = chosen;
    // Before the answer: a page that is left meanwhile has sent the vote all the same.
    remember(id, chosen);
    said.textContent = "";
    draw();
    sent = sent
      .then(() => tell({ type: chosen === 1 ? "up" : chosen ? "down" : "reset" }))
      .catch(() => {
        if (vote === chosen) {
          vote = before;
          remember(id, before);
        }
        said.textContent = t("failed");
        draw();
      });
  }
  function askWhy() {
    const comment = h("input", { maxlength: 2000 }) as HTMLInputElement;
    const form = h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          tell({ type: "bad", comment: comment.value }).then(
            () => {
              form.remove();
              said.textContent = t("reported", { shop });
            },
            () => {
              said.textContent = t("failed");
            },
          );
        },
      },
      h("label", null, t("reportWhy"), comment),
      h("button", { class: "plain" }, t("send")),
      h("button", { type: "button", class: "text-button", onclick: () => back() }, t("cancel")),
    );
    function back() {
      form.replaceWith(report);
      report.focus();
    }
    report.replaceWith(form);
    comment.focus();
  }
  draw();
  return h("div", { class: "actions" }, h("span", null, t("helpful")), yes, no, said, report);
}
