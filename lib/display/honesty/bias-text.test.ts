import { expect, it } from "vitest";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { biasText } from "@/lib/display/honesty/bias-text";
import { writerFor } from "@/lib/display/honesty/texts";
import { type BiasFinding, biasQuestions, invitationQuestions } from "@/lib/honesty/bias/find-bias";
import { languages } from "@/lib/platform/i18n/languages";

const client = { display_name: "Lamps", config: {} } as ClientRow;
const finding: BiasFinding = {
  question: "time_to_publish",
  since: "2026-11-02T00:00:00Z",
  until: "2026-11-23T00:00:00Z",
  from: "2026-05-27T00:00:00Z",
  low: { reviews: 62, count: 50, median: 41 * 60 - 1 },
  high: { reviews: 150, count: 56, median: 13 * 60 - 1 },
  p: 0.000012,
};
const textOf = (change: Partial<BiasFinding>, language: (typeof languages)[number] = "en") =>
  biasText(writerFor(client, language), { ...finding, ...change });

it("says who waits how much longer", () => {
  expect(textOf({})).toBe(
    "Reviews with 1 or 2 stars wait 3.2 times as long to be published as those with 4 or 5: 41 hr against 13 hr, 212 reviews, p < 0.001",
  );
  expect(textOf({ low: { ...finding.high }, high: { ...finding.low }, p: 0.0042 })).toBe(
    "Reviews with 4 or 5 stars wait 3.2 times as long to be published as those with 1 or 2: 41 hr against 13 hr, 212 reviews, p = 0.004",
  );
  // The number is how many times as long, not how much longer.
  expect(textOf({}, "es")).toContain("tardan en publicarse 3,2 veces lo que tardan las que tienen 4 o 5");
  expect(textOf({}, "fr")).toContain("est 3,2 fois celui des avis à 4 ou 5");
});

it("says what happens more or less often", () => {
  const shares = { low: { reviews: 40, count: 20, median: null }, high: { reviews: 80, count: 72, median: null } };
  expect(textOf({ question: "published", ...shares })).toBe(
    "Reviews with 1 or 2 stars are published less often than those with 4 or 5: 50% against 90%, 120 reviews, p < 0.001",
  );
  expect(textOf({ question: "removed", low: shares.high, high: shares.low })).toMatch(
    /are removed more often .*: 90% against 50%/,
  );
  expect(textOf({ question: "replied", ...shares })).toMatch(/get a reply less often/);
});

it("says which orders are invited more or less often", () => {
  const sides = { low: { reviews: 25, count: 10, median: null }, high: { reviews: 30, count: 27, median: null } };
  expect(textOf({ question: "invited_value", ...sides })).toBe(
    "Customers with orders of high value are invited to review more often than those with orders of low value: 90% against 40%, 55 orders, p < 0.001",
  );
  expect(textOf({ question: "invited_value", low: sides.high, high: sides.low })).toContain(
    "of high value are invited to review less often than those with orders of low value: 40% against 90%",
  );
  expect(textOf({ question: "invited_returns", ...sides })).toBe(
    "Customers who returned something are invited to review less often than those who kept everything: 40% against 90%, 55 orders, p < 0.001",
  );
});

it("has words for each question in each language", () => {
  for (const language of languages) {
    const texts = [...biasQuestions, ...invitationQuestions].map((question) => textOf({ question }, language));
    expect(new Set(texts).size).toBe(biasQuestions.length + invitationQuestions.length);
    for (const text of texts) expect(text).not.toMatch(/[{}]|undefined|honesty\./);
  }
});
