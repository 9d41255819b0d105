import { describe, expect, it } from "vitest";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { settingChanges, settingRows } from "@/lib/display/honesty/settings-text";
import { writerFor } from "@/lib/display/honesty/texts";

const writer = writerFor(
  { id: "shop", display_name: "Lamps", time_zone: "UTC", config: {} } as unknown as ClientRow,
  "en",
);
const at = "2026-06-01T00:00:00Z";
/** The words of a change of settings. */
const changes = (before: object, after: object) =>
  settingChanges(writer, [
    { at, settings: { send_limit: 100, collect_questions: false, ...before } },
    { at, settings: { send_limit: 100, collect_questions: false, ...after } },
  ]).flatMap(({ texts }) => texts);

describe("changes of settings", () => {
  it("name those with words, and say that others changed too", () => {
    expect(changes({ reminder_after_days: 7 }, { reminder_after_days: 9 })).toEqual([
      "Reminder: 7 days after the invitation → 9 days after the invitation",
    ]);
    expect(changes({ reminder_after_days: 7 }, { reminder_after_days: null, collect_questions: true })).toEqual([
      "Reminder: 7 days after the invitation → None",
      "Other settings changed.",
    ]);
  });

  it("don't give the number of emails a day, only whether any are sent", () => {
    expect(changes({}, { send_limit: 0 })).toEqual(["Invitations by email: Sent → Not sent"]);
    expect(changes({}, { send_limit: 50 })).toEqual(["Other settings changed."]);
    expect(settingRows(writer, { send_limit: 1234 }).map(({ value }) => value)).not.toContain("1,234");
  });

  it("say when a reward for reviews is offered, of logs from before as well", () => {
    const on = "Reward for a review: None declared → Offered to authors";
    expect(changes({ incentive: false }, { incentive: true })).toEqual([on]);
    expect(changes({}, { incentive: true })).toEqual([on]);
  });

  it("have the default pause between emails of a store that set none", () => {
    expect(settingRows(writer, { quarantine_period: null })).toContainEqual(
      expect.objectContaining({ value: "At least 21 days" }),
    );
  });
});
