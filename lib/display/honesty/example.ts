import { FiguresReader } from "@/lib/honesty/figures";

const exampleCheckpoint =
  "reviews.example.com/honesty/shop.example.com/log\n3\nuJzRkmZcZ8aPcMw+4sUmWbBRnrvSCC0NzE5zJkZdYf8=\n\n— reviews.example.com/honesty/shop.example.com/log Az3gr…\n";

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
    checkpoint: exampleCheckpoint,
    ...reader.figures(new Date("2026-05-22T00:00:00Z")),
  };
}

/** The receipt of that review, for the API reference. */
export const exampleReceipt = {
  kind: "review",
  item: "3f1c9a0be47d5528a16b0c7be2d94f60",
  status: "published",
  is_behind: false,
  checkpoint: exampleCheckpoint,
  keys: ["reviews.example.com/honesty/shop.example.com/log+033de0a2+Af…"],
  entries: [
    {
      index: 1,
      entry:
        '{"type":"received","at":"2026-05-20T17:02:11Z","kind":"review","item":"3f1c9a0be47d5528a16b0c7be2d94f60","stars":4,"source":"invitation","verified":"buyer"}',
      proof: ["9kVR/NbweCPLh5cc+5FEZCXaGChrOrHvk14MvXpp9oo=", "OUbKZP942TymEJCkN8u2s9LKDUiPX5zPMFlgg2iydpM="],
    },
    {
      index: 2,
      entry:
        '{"type":"published","at":"2026-05-21T07:12:45Z","kind":"review","item":"3f1c9a0be47d5528a16b0c7be2d94f60","by":"person"}',
      proof: ["Q7sA0M53kKU7kSVrNwyIeyR5GlU5pvv7cMWHDoyRrl0="],
    },
  ],
  how_to_verify: ["Each entry is in the log: its hash is SHA-256 of a zero byte and the bytes of `entry`, and …"],
};
