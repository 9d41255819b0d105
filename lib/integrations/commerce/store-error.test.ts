import { expect, it } from "vitest";
import { readMessage, toStoreError } from "./store-error";

it("fills parameters into the store's message, followed by nested messages", () => {
  const body = {
    message: "No %fieldName of %1 in %list, %none, %constructor",
    parameters: { fieldName: "sku", "1": 7, list: ["a", "b"], none: { a: 1 } },
    errors: [{ message: "Too %1", parameters: ["long"] }, null, "x", { message: "So." }],
  };
  expect(readMessage(body)?.text).toBe("No sku of 7 in a,b, %none, %constructor Too long So.");
  expect(readMessage({ messages: { error: [{ message: "Broken" }, null, 5] } })?.text).toBe("Broken");
  expect(readMessage({ messages: { error: [] } })?.text).toBe("no reason given");
  expect(readMessage({ total_count: 1 })).toBeNull();
});

it("reads only the beginning of the store's message, however long or nested it is", () => {
  const long = "x".repeat(1_000_000);
  let deep: object = { message: "deep" };
  for (let at = 0; at < 100_000; at += 1) deep = { message: "deep", errors: [deep] };
  const bodies = [
    { message: long },
    { message: "%1".repeat(60_000), parameters: [long] },
    { message: "%1".repeat(60_000), parameters: [Array.from({ length: 100_000 }, () => [long])] },
    { message: "a", errors: Array.from({ length: 100_000 }, () => ({ message: long })) },
    { messages: { error: Array.from({ length: 100_000 }, () => ({ message: long })) } },
    { message: " ".repeat(60_000), parameters: Array.from({ length: 100_000 }, () => long) },
    deep,
  ];
  // Processed as a whole, these are gigabytes of text, more than a string holds, and nested deeper than the stack.
  for (const body of bodies) expect(readMessage(body)?.text.length).toBeLessThanOrEqual(301);
  const elsewhere = toStoreError(301, { location: `https://shop.example/${long}?secret` }, null, "bearer", "orders");
  expect(elsewhere.message.length).toBeLessThan(400);
  expect(elsewhere.message).not.toContain("secret");
});

it("removes characters that can't be stored from the store's message", () => {
  const messageText = readMessage({ message: `a\0b %1 ${"😀".repeat(200)}`, parameters: ["c\0\ud83d"] })?.text;
  expect(messageText?.startsWith("ab c\ufffd 😀")).toBe(true);
  expect(messageText?.isWellFormed()).toBe(true);
  expect(toStoreError(500, {}, { message: "\0" }, "bearer", "orders").message).not.toContain("\0");
});
