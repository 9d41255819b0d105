import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { expect, it } from "vitest";
import { AssignmentMenu } from "@/components/moderation/assignment-menu";
import { queueItem } from "@/components/moderation/fixtures/queue-item";
import { ItemNotes } from "@/components/moderation/item-notes";
import { WithTranslation } from "@/components/moderation/with-translation";
import { PersonProvider } from "@/components/portal/person-provider";
import { Toasts } from "@/components/ui/toast";
import type { ModerationNote } from "@/lib/moderation/notes/schema";
import { renderInEnglish } from "@/lib/tools/test/render";

const mia = { id: "mia", name: "Mia Berg" };
const note: ModerationNote = {
  id: "n1",
  author: { id: "ada", name: "Ada" },
  text: "Ask @Mia Berg <b>first</b>",
  mentions: [mia],
  at: "2026-05-20T10:00:00Z",
  edited_at: null,
  own: true,
  may_delete: true,
};

const render = (element: ReactElement): string =>
  renderInEnglish(
    <QueryClientProvider client={new QueryClient()}>
      <PersonProvider id="ada">
        <Toasts>{element}</Toasts>
      </PersonProvider>
    </QueryClientProvider>,
  );
const notes = (...given: ModerationNote[]) =>
  render(
    <ItemNotes
      clientId="shop.example"
      item={queueItem}
      notes={given}
      timeZone="UTC"
      keysOn
      startOpen={false}
      onReady={() => undefined}
    />,
  );
const buttonsIn = (html: string): string[] =>
  [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(
    ([, attributes = "", text = ""]) => /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? text.replace(/<[^>]*>/g, ""),
  );

it("marks mentions in a note, and offers only what the person may do", () => {
  const own = notes(note);
  expect(own).toMatch(/Ask <strong[^>]*>@Mia Berg<\/strong> &lt;b&gt;first&lt;\/b&gt;/);
  expect(buttonsIn(own)).toEqual(["Edit note", "Delete note", "Add note"]);
  expect(buttonsIn(notes({ ...note, own: false }))).toEqual(["Delete note", "Add note"]);
  expect(buttonsIn(notes({ ...note, own: false, may_delete: false }))).toEqual(["Add note"]);
});

it("shows a note of a deleted person, and that a note was edited", () => {
  expect(notes({ ...note, author: null })).toContain("Former team member");
  expect(notes(note)).not.toContain("(edited)");
  expect(notes({ ...note, edited_at: "2026-05-21T10:00:00Z" })).toContain("(edited)");
});

it("has no heading without notes", () => {
  expect(notes()).not.toContain("<h3");
  expect(notes(note)).toMatch(/<h3[^>]*>Internal notes<\/h3>/);
});

it("says whom an item is assigned to", () => {
  const menu = (assigned: typeof mia | null) =>
    render(<AssignmentMenu clientId="s" item={{ ...queueItem, assigned }} keysOn onAssign={() => undefined} />);
  expect(buttonsIn(menu(null))).toEqual(["Assign"]);
  expect(buttonsIn(menu(mia))).toEqual(["Assigned to Mia Berg"]);
});

it("offers to translate texts in other languages if the operator set up a service", () => {
  const buttons = (lang: string | null, hasService: boolean, extract = "Text") =>
    buttonsIn(
      render(
        <WithTranslation clientId="s" item={{ ...queueItem, lang, extract }} hasService={hasService}>
          <p>Text</p>
        </WithTranslation>,
      ),
    );
  expect(buttons("sv", true)).toEqual(["Translate"]);
  expect(buttons(null, true)).toEqual(["Translate"]);
  expect([buttons("en", true), buttons("sv", false), buttons("sv", true, "")]).toEqual([[], [], []]);
});
