import type { Review } from "../types";
import { h } from "./dom";
import { fetchOk, shop, t } from "./service";

/** The visitor's own votes by review id, and the random name they were cast under. */
type StoredVotes = { voter: string; votes: Record<string, 1 | -1> };

const STORAGE_KEY = "candor";
let storedVotes: StoredVotes | undefined;

/**
 * Stored in the browser from the first vote on, so that it can be changed; nothing is stored for visitors who only
 * read.
 */
function readVotes(): StoredVotes {
  if (storedVotes) return storedVotes;
  let parsed: Partial<StoredVotes> | null = null;
  try {
    parsed = JSON.parse(localStorage.getItem(STORAGE_KEY) as string);
  } catch {
    // storage is blocked for this page: votes stay in memory
  }
  // Other scripts of the page can write there too, so it may contain anything.
  storedVotes =
    typeof parsed?.voter === "string" && /^.{1,99}$/.test(parsed.voter)
      ? { voter: parsed.voter, votes: { ...parsed.votes } }
      : { voter: crypto.getRandomValues(new Uint32Array(4)).join("-"), votes: {} };
  return storedVotes;
}

function saveVote(id: string, vote: 1 | -1 | 0): void {
  const storedVotes = readVotes();
  if (vote) storedVotes.votes[id] = vote;
  else delete storedVotes.votes[id];
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(storedVotes));
  } catch {
    // as above
  }
}

/** Buttons to vote on a review and to report it. */
export function reviewActions({ id, feedback_url, votes_up, votes_down }: Review): HTMLElement {
  const before = readVotes().votes[id];
  let vote: 1 | -1 | 0 = before === 1 || before === -1 ? before : 0;
  const others = { up: votes_up - Number(vote === 1), down: votes_down - Number(vote === -1) };
  const status = h("span", { role: "status" });
  // Requests are sent one after the other, whatever is clicked meanwhile.
  let sent: Promise<unknown> = Promise.resolve();

  const sendFeedback = (values: Record<string, string>) =>
    fetchOk(feedback_url, {
      method: "POST",
      body: new URLSearchParams({ voter_id: readVotes().voter, ...values }),
    });
  const button = (mine: 1 | -1) =>
    h("button", { type: "button", class: "vote", onclick: () => choose(vote === mine ? 0 : mine) });
  const yes = button(1);
  const no = button(-1);
  const report = h("button", { type: "button", class: "text-button", onclick: () => showReportForm() }, t("report"));

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
    // Stored before the response: the vote was sent even if the visitor leaves the page now.
    saveVote(id, chosen);
    status.textContent = "";
    draw();
    sent = sent
      .then(() => sendFeedback({ type: chosen === 1 ? "up" : chosen ? "down" : "reset" }))
      .catch(() => {
        if (vote === chosen) {
          vote = before;
          saveVote(id, before);
        }
        status.textContent = t("failed");
        draw();
      });
  }
  function showReportForm() {
    const comment = h("input", { maxlength: 2000 }) as HTMLInputElement;
    const form = h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          sendFeedback({ type: "bad", comment: comment.value }).then(
            () => {
              form.remove();
              status.textContent = t("reported", { shop });
            },
            () => {
              status.textContent = t("failed");
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
  return h("div", { class: "actions" }, h("span", null, t("helpful")), yes, no, status, report);
}
