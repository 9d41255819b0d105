import { expect, it } from "vitest";
import { pathSegment } from "./client";

it("encodes any id as one path segment", () => {
  expect(pathSegment("i/1 ü")).toBe("i%2F1%20%C3%BC");
  expect(pathSegment("i\ud83d1")).toBe("i%EF%BF%BD1");
});
