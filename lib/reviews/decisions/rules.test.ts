import { describe, expect, it } from "vitest";
import { nextDecision } from "@/lib/reviews/decisions/rules";

const pending = { accepted: null, reject_reason: null };
const accepted = { accepted: true, reject_reason: null };
const rejected = { accepted: false, reject_reason: "price" };

describe("nextDecision", () => {
  it("allows every transition", () => {
    for (const from of [pending, accepted, rejected]) {
      expect(nextDecision(from, { accepted: true }) ?? from).toEqual(accepted);
      expect(nextDecision(from, { accepted: null }) ?? from).toEqual(pending);
      expect(nextDecision(from, { accepted: false, reject_reason: "price" }) ?? from).toEqual(rejected);
    }
  });

  it("gives a rejection without a reason a default, and keeps an existing one", () => {
    expect(nextDecision(pending, { accepted: false })).toEqual({ accepted: false, reject_reason: "unspecified" });
    expect(nextDecision(rejected, { accepted: false })).toBeNull();
  });

  it("changes the reason if only the reason is given", () => {
    expect(nextDecision(rejected, { reject_reason: "spam" })).toEqual({ accepted: false, reject_reason: "spam" });
  });

  it("changes nothing if nothing is given", () => {
    for (const from of [pending, accepted, rejected]) expect(nextDecision(from, {})).toBeNull();
  });

  it("rejects a reason without a rejection", () => {
    expect(() => nextDecision(pending, { accepted: true, reject_reason: "spam" })).toThrow(/reason/);
    expect(() => nextDecision(accepted, { reject_reason: "spam" })).toThrow(/reason/);
  });
});
