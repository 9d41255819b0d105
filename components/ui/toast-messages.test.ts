import { expect, it } from "vitest";
import { withMessage, withoutMessage } from "./toast-messages";

const message = (id: string, number: number) => ({ id, number, text: `${id} ${number}` });

it("keeps a message that replaces one being dismissed", () => {
  const first = withMessage([], message("decision", 1));
  const second = withMessage(first, message("decision", 2));
  expect(second).toEqual([message("decision", 2)]);
  expect(withoutMessage(second, 1)).toEqual([message("decision", 2)]);
  expect(withoutMessage(second, 2)).toEqual([]);
});

it("hides the message with its number, at any position", () => {
  const held = [message("a", 1), message("b", 2), message("c", 3)];
  expect(withoutMessage(held, 2)).toEqual([message("a", 1), message("c", 3)]);
});

it("shows the last three", () => {
  const held = [message("a", 1), message("b", 2), message("c", 3)];
  expect(withMessage(held, message("d", 4)).map(({ id }) => id)).toEqual(["b", "c", "d"]);
});
