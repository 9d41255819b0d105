import { expect, it } from "vitest";
import { SimilarTexts } from "@/components/moderation/similar-texts";
import { renderInEnglish } from "@/lib/tools/test/render";

it("lists each similar text with how similar it is, its day and status, and a link to it", () => {
  const html = renderInEnglish(
    <SimilarTexts
      clientId="shop.example"
      alike={[
        {
          kind: "review",
          id: "r1",
          text: "A warm light.",
          similarity: 0.93,
          date: "2026-05-01",
          accepted: true,
        },
        { kind: "question", id: "q1", text: "Is it <warm>?", similarity: 1, date: "2026-05-02", accepted: null },
      ]}
    />,
  );
  const entries = html.split("<li>").slice(1);
  const textOf = (entry: string) =>
    entry
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
  expect(entries.map(textOf)).toEqual([
    "93% 1 May 2026 Published A warm light.",
    "100% 2 May 2026 Pending Is it &lt;warm&gt;?",
  ]);
  expect(entries.map((entry) => /href="([^"]*)"/.exec(entry)?.[1])).toEqual([
    "/portal/reviews/r1?client_id=shop.example",
    "/portal/questions/q1?client_id=shop.example",
  ]);
});
