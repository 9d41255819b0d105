import { expect, it } from "vitest";
import { eventGroups, eventsStory, waitingWords } from "@/components/webhooks/words";
import { thinEvents, webhookEvents } from "@/lib/webhooks/values";
import { english } from "@/lib/words/rules";

it("has a box for each event, once", () => {
  expect(eventGroups.flatMap(({ events }) => Object.keys(events)).sort()).toEqual([...webhookEvents].sort());
});

it("says in a few words what is told", () => {
  expect(eventsStory(thinEvents, english)).toBe("everything");
  expect(eventsStory(webhookEvents, english)).toBe("everything, and invitations to send");
  expect(eventsStory(["review.created"], english)).toBe("1 event");
  expect(eventsStory(["personal_data.deleted", "review.created", "review.updated"], english)).toBe(
    "personal data and 2 other events",
  );
  expect([
    waitingWords(0, english),
    waitingWords(1, english),
    waitingWords(7, english),
    waitingWords(1_000, english),
  ]).toEqual(["nothing waits", "1 event waits", "7 events wait", "1,000 events or more wait"]);
});
