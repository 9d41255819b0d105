import { expect, it } from "vitest";
import {
  actions,
  configDetails,
  details,
  detailWords,
  holdings,
  subjectWords,
} from "@/components/accounts/audit-words";
import { ClientSettings } from "@/lib/accounts/stores/settings";
import { languages } from "@/lib/platform/i18n/languages";
import { dictionaryOf } from "@/lib/platform/i18n/rooms";
import { english, wordsOf } from "@/lib/platform/i18n/rules";
import { removable } from "@/lib/privacy/batch";

it("calls the keys of the API what settings call them, not the keys of a keyboard", () => {
  const german = wordsOf("de", dictionaryOf("de"));
  expect([subjectWords("key", english), subjectWords("key", german)]).toEqual(["API keys", "API-Schlüssel"]);
  expect(subjectWords("something_new", german)).toBe("something_new");
});

it("has words in every language for all that the audit is written with", () => {
  const texts = [actions, details, configDetails, holdings].flatMap((words) => Object.values(words));
  const alike = new Set(["HTML"]);
  for (const language of languages.filter((each) => each !== "en")) {
    const known = dictionaryOf(language);
    expect([language, texts.filter((text) => !alike.has(text) && !Object.hasOwn(known, text))]).toEqual([language, []]);
  }
  // The compiler holds whoever writes a line to these names. What a client's settings hold, and what is of a person, is written as it is.
  expect(Object.keys(ClientSettings.shape).filter((name) => !Object.hasOwn(details, name))).toEqual([]);
  expect(Object.keys(ClientSettings.shape.config.shape).filter((name) => !Object.hasOwn(configDetails, name))).toEqual(
    [],
  );
  expect(removable.filter((name) => !Object.hasOwn(holdings, name))).toEqual([]);
});

it("tells particulars as people say them", () => {
  const said = (detail: Record<string, unknown>, t = english) =>
    detailWords({ detail, subject_name: "anna" }, "Europe/Berlin", t);
  expect(said({ username: "anna", role: "admin", was: "viewer" })).toBe("Role: Admin; Before: Viewer");
  expect(said({ name: "Shop", scopes: ["read", "privacy"] })).toBe("Name: Shop; Permissions: Read and Personal data");
  expect(said({ roles: { "shop-a": "moderator" }, all_clients: true })).toBe(
    "At single clients: shop-a: Moderator; All clients: Yes",
  );
  expect(said({ url: "https://x.example", schedule: "every_6_hours", enabled: false, format: null })).toBe(
    "Address: https://x.example; How often: every 6 hours; Fetched by itself: No; Format: –",
  );
  expect(said({ items: ["A", "B"], until: "2026-03-08" })).toBe("Items: A and B; Until: 8 March 2026");
  expect(said({ items: ["A"], until: null })).toBe("Items: A; Held back for good");
  expect(said({ removed: { reviews: 2, seller_reviews: 1 }, requested_at: "2026-03-08T12:05:00Z" })).toBe(
    "Deleted: Reviews: 2 and Seller reviews: 1; Asked for: 8 Mar 2026, 13:05",
  );
  expect(said({ secrets: [], send_limit: 2_000 })).toBe("Mails a day, at most: 2,000");
  expect(said({ allowed_origins: [], custom_questions: [] })).toBe("Pages that may send reviews: –; Own questions: –");
  expect(said({ clients: [], other_clients: 2 })).toBe("Other clients: 2");
  expect(said({ config: { html_template: "<p>", logo_width: 80 } })).toBe("HTML; Its width: 80");
  expect(said({ secrets: ["consumer_key", "consumer_secret"] })).toBe("New credentials: 2");
  const german = wordsOf("de", dictionaryOf("de"));
  expect(said({ config: { time_zone: "Europe/Berlin", templates: { de: { subject: "x" } } }, rules: {} }, german)).toBe(
    "Zeitzone: Europe/Berlin; Vorlagen; Regeln",
  );
  // What was written before it was called otherwise.
  expect(said({ something_old: 1, constructor: "x" })).toBe("something old: 1; constructor: x");
  expect(said({ url: "x".repeat(200) })).toHaveLength(142);
});
