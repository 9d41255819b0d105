import { expect, it } from "vitest";
import { detectLanguage } from "@/lib/reviews/reviews/detect-language";

it("is ready once it is loaded: the second text costs no more than any other", async () => {
  await detectLanguage("The first text loads it.");
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  // Loading takes many turns of the event loop; asking a loaded detector takes none.
  expect(await detectLanguage("A fine lamp for reading at night, says everybody in my family.")).toBe("en");
  clearInterval(timer);
  expect(turns).toBe(0);
});

it("says nothing of what it is not sure of", async () => {
  expect(await detectLanguage(" \n")).toBeNull();
  expect(await detectLanguage("ok")).toBeNull();
});
