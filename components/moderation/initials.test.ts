import { expect, it } from "vitest";
import { initialsOf } from "@/components/moderation/initials";

it("takes the first letters of the first and last word", () => {
  expect(
    ["Ada Berg", "ada", "ada.berg@shop.example", "Ada Maria af Berg", "Åsa Öberg", "👩 Ada", ""].map(initialsOf),
  ).toEqual(["AB", "A", "AB", "AB", "ÅÖ", "👩A", ""]);
});
