import { FiguresReader } from "@/lib/honesty/figures";

/** The figures of a log with one review, for the API reference. */
export function exampleFigures() {
  const reader = new FiguresReader();
  const about = { kind: "review", item: "3f1c9a0be47d5528a16b0c7be2d94f60" } as const;
  reader.read({ type: "began", at: "2026-05-20T09:00:00Z" });
  reader.read({
    type: "received",
    at: "2026-05-20T17:02:11Z",
    ...about,
    stars: 4,
    source: "invitation",
    verified: "buyer",
  });
  reader.read({ type: "published", at: "2026-05-21T07:12:45Z", ...about, by: "person" });
  return {
    checkpoint:
      "reviews.example.com/honesty/shop.example.com/log\n3\nuJzRkmZcZ8aPcMw+4sUmWbBRnrvSCC0NzE5zJkZdYf8=\n\n— reviews.example.com/honesty/shop.example.com/log Az3gr…\n",
    ...reader.figures(new Date("2026-05-22T00:00:00Z")),
  };
}
