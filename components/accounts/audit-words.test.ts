import { expect, it } from "vitest";
import { subjectWords } from "@/components/accounts/audit-words";
import { dictionaryOf } from "@/lib/words/rooms";
import { english, wordsOf } from "@/lib/words/rules";

it("calls the keys of the API what settings call them, not the keys of a keyboard", () => {
  const german = wordsOf("de", dictionaryOf("de"));
  expect([subjectWords("key", english), subjectWords("key", german)]).toEqual(["API keys", "API-Schlüssel"]);
  expect(subjectWords("something_new", german)).toBe("something_new");
});
