import { describe, expect, it } from "vitest";
import { messageTargets } from "@/components/forms/message-targets";

const [shop, other] = ["https://shop.example", "https://other.example"];
const both = [other, shop];

describe("the origins that a framed form sends to", () => {
  it("are the framing page's, which the browser names", () => {
    expect(messageTargets(both, shop, "")).toEqual([shop]);
    // The referrer can be of a page that the frame showed before.
    expect(messageTargets(both, shop, `${other}/lamp`)).toEqual([shop]);
  });

  it("are that of the referrer in browsers that don't name it", () => {
    expect(messageTargets(both, undefined, `${shop}/lamp`)).toEqual([shop]);
    expect(messageTargets(both, "null", `${shop}/lamp`)).toEqual([shop]);
  });

  it("are all that may frame the form if the page hides its own, and never another", () => {
    expect(messageTargets(both, undefined, "")).toEqual(both);
    expect(messageTargets(both, undefined, "https://candor.example/reviews/new")).toEqual(both);
    expect(messageTargets(both, "https://evil.example", "about:client")).toEqual(both);
    expect(messageTargets([], "https://evil.example", "https://evil.example/")).toEqual([]);
  });

  it("are any if every page may frame the form", () => {
    expect(messageTargets(["*"], shop, `${shop}/lamp`)).toEqual(["*"]);
  });
});
