import { expect, it } from "vitest";
import { Period } from "@/components/insights/home/period";
import type { PeriodFigures } from "@/lib/insights/home/schema";
import { renderInEnglish } from "@/lib/tools/test/render";

const figures: PeriodFigures = {
  from: "2026-04-21",
  to: "2026-05-20",
  reviews: {
    published: 40,
    average: 4.25,
    dist: [1, 2, 3, 14, 20],
    replied: 10,
    reply_hours: 26,
    decided: 30,
    decision_hours: 1.5,
  },
  reviewsBefore: {
    published: 30,
    average: 4.1,
    dist: [2, 2, 3, 8, 15],
    replied: 9,
    reply_hours: 20,
    decided: 25,
    decision_hours: 2,
  },
  emails: { sent: 1_000, answered: 61 },
  emailsBefore: { sent: 900, answered: 45 },
  risen: [{ id: "P/1", name: "Lamp", average: 4.5, average_before: 4 }],
  fallen: [],
  reviewsCapped: null,
  emailsCapped: null,
};
const href = {
  analytics: "/analytics",
  invitations: "/invitations",
  published: "/published",
  unreplied: "/unreplied",
  product: (id: string) => `/products/${encodeURIComponent(id)}`,
};
const html = (changed: Partial<PeriodFigures> = {}) =>
  renderInEnglish(<Period figures={{ ...figures, ...changed }} href={href} />);
const text = (markup: string) => markup.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|");
/** The figure with this name. */
const figure = (name: string, changed?: Partial<PeriodFigures>) =>
  html(changed)
    .split("<dt")
    .find((part) => part.includes(`>${name}<`))
    ?.split("</dl>")[0] ?? "";

it("shows each figure with its change in words and with a sign, and a link", () => {
  const expected = [
    ["Average rating", "4.25", "Up 0.15 from 4.10", "+0.15", "/analytics"],
    ["Reviews published", "40", "Up 10 from 30", "+10", "/published"],
    ["Invitation emails sent", "1,000", "Up 100 from 900", "+100", "/invitations"],
    ["Invitation conversion rate", "6.1%", "Up 1.1 percentage points from 5%", "+1.1 percentage points", "/analytics"],
    ["Reviews with a reply", "25%", "Down 5 percentage points from 30%", "−5 percentage points", "/unreplied"],
    ["Time to reply", "26\u00a0hr", "Up 6\u00a0hr from 20\u00a0hr", "+6\u00a0hr", "/published"],
    ["Moderation time", "1.5\u00a0hr", "Down 30\u00a0min from 2\u00a0hr", "−30\u00a0min", "/analytics"],
  ];
  for (const [name = "", value, words, signed, link] of expected) {
    const shown = figure(name);
    expect(text(shown)).toContain(`|${value}|`);
    expect(text(shown)).toContain(`|${words}|`);
    expect(text(shown)).toContain(`|${signed}|`);
    expect(shown).toContain(`href="${link}"`);
  }
});

it("marks the average as better or worse, and nothing that may still change", () => {
  expect(figure("Average rating")).toContain("text-good");
  const worse = figure("Average rating", { reviewsBefore: { ...figures.reviewsBefore, average: 5 } as never });
  expect(worse).toContain("text-bad");
  // Recent reviews and emails still get decisions, replies and responses.
  for (const name of ["Moderation time", "Time to reply", "Invitation conversion rate", "Invitation emails sent"])
    expect(figure(name), name).not.toMatch(/text-(good|bad)/);
});

it("has no arrow without a difference, or without anything to compare", () => {
  const same = figure("Average rating", { reviewsBefore: { ...figures.reviewsBefore, average: 4.25 } as never });
  expect(text(same)).toContain("Unchanged at 4.25");
  const alone = figure("Invitation conversion rate", { emailsBefore: { sent: 0, answered: 0 } });
  expect(text(alone)).toContain("No earlier data");
  for (const shown of [same, alone]) expect(shown).not.toContain("<svg");
});

it("lists products with their averages, and links those in the catalog", () => {
  expect(html()).toContain('href="/products/P%2F1"');
  expect(text(html())).toContain("Largest decreases|No products");
  expect(html({ risen: [{ id: "P-2", name: null, average: 4, average_before: 3 }] })).not.toContain("/products/");
});

it("says if not everything is counted, and if there is nothing", () => {
  const capped = html({ reviewsBefore: null, reviewsCapped: { counted: 100_000, since: "2026-05-02" } });
  expect(capped).toContain("Only the newest 100,000 reviews are counted, since 2 May 2026");
  expect(capped).not.toContain("Largest increases");
  const none = {
    published: 0,
    average: null,
    dist: [0, 0, 0, 0, 0],
    replied: 0,
    reply_hours: null,
    decided: 0,
  } as const;
  const reviews = { ...none, decision_hours: null };
  const emails = { sent: 0, answered: 0 };
  const empty = html({ reviews, reviewsBefore: reviews, emails, emailsBefore: emails, risen: [] });
  expect(empty).toContain("in the last 60 days");
  expect(empty).not.toContain("<dl");
});
