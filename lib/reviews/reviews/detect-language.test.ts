import { expect, it } from "vitest";
import { detectLanguage } from "@/lib/reviews/reviews/detect-language";

it("loads the detector once: the second text costs no more than later ones", async () => {
  await detectLanguage("The first text loads it.");
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  // Loading takes many turns of the event loop; a loaded detector takes none.
  expect(await detectLanguage("A fine lamp for reading at night, says everybody in my family.")).toBe("en");
  clearInterval(timer);
  expect(turns).toBe(0);
});

it("returns null if it isn't certain", async () => {
  expect(await detectLanguage(" \n")).toBeNull();
  expect(await detectLanguage("ok")).toBeNull();
});
