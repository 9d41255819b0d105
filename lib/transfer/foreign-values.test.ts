import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { escapeFormula, unescapeFormula } from "@/lib/platform/parsing/csv-cells";
import { FeedReport } from "@/lib/platform/parsing/report";
import {
  plainText,
  readAddresses,
  readIncentivized,
  readScore,
  readStatus,
  shortText,
} from "@/lib/transfer/foreign-values";

const repairs = (report: FeedReport) => report.repairs.map(({ kind }) => kind);

describe("readScore", () => {
  it.each([
    ["5", 5],
    [" 1 ", 1],
    ["4,6", 5],
    ["4.4", 4],
    ["5.0", 5],
    ["0", null],
    ["5.5", null],
    ["-3", null],
    ["ten", null],
    ["4/5", null],
    ["1e0", null],
  ])("reads %j as %j", (given, score) => expect(readScore(given, 1, new FeedReport())).toBe(score));

  it("reports rounding", () => {
    const report = new FeedReport();
    readScore("4,6", 3, report);
    expect(report.repairs).toMatchObject([{ kind: "rounded_score", rows: [3] }]);
  });
});

test.each([
  ["true", true],
  ["1", true],
  ["5% discount", true],
  ["", false],
  [" FALSE ", false],
  ["no", false],
  ["0", false],
  ["Nein", false],
  ["nej", false],
  ["non", false],
  ["f", false],
  ["off", false],
  ["NULL", false],
  [" - ", false],
  ["N/A", false],
  ["0.00", false],
  ["0,00 €", false],
  ["0,00\u00a0€", false],
  ["€ 0,00", false],
  ["$0", false],
  ["US$0.00", false],
  ["EUR 0", false],
  ["0 kr", false],
  ["kr 0", false],
  ["0 Kč", false],
  ["00", false],
  ["0%", false],
  ["0 points", false],
  ["0.50", true],
  ["0,05 €", true],
  ["$10", true],
  ["10.00", true],
  ["EUR 100", true],
  ["0.0.5", true],
  ["SAVE0", true],
  ["Gift 0.00", true],
  ["0FF", true],
  ["EUR0.00", false],
  ["0.00EUR", false],
  ["0EUR", false],
  ["EUR0", false],
  ["0TOP", true],
  ["0ALL", true],
  ["EUR0.50", true],
  ["no_incentive", false],
  ["not_incentivized", false],
  ["--", false],
  ["—", false],
  ["keine", false],
  ["ingen", false],
  ["aucune", false],
  ["inget", false],
  ["kr0", false],
  ["0.00 kr.", false],
  ["0,-", false],
  ["A$0.00", false],
  ["R$ 0,00", false],
  ["0.00 AUD", false],
  ["CAD 0.00", false],
  ["0 pts", false],
  ["0 puntos", false],
  ["0.–", false],
  ["0off", true],
  ["0 or 5 €", true],
  ["yes 0", true],
  ["true 0", true],
  ["0 yes", true],
  ["0 (true)", true],
  ["Noël 2025", true],
  ["notebook", true],
  ["0 coupons", false],
  ["0 vouchers", false],
  ["0 loyalty points", false],
  ["0kr", false],
  ["JPY 0", false],
  ["no reward", false],
  ["No incentive", false],
  ["not incentivized", false],
  ["non-incentivised", false],
  ["no compensation", false],
  ["Non-monetary reward", true],
  ["non-cash gift", true],
  ["No-cost sample", true],
  ["not paid, free product", true],
  ["none (free sample)", true],
  ["no strings 10% coupon", true],
  ["No. 4711", true],
  ["no reward but a gift", true],
  ["0 EUR + free product", true],
  ["$0 (received product free)", true],
  ["0% off, free gift", true],
  ["0 off", true],
  ["0 paid, product for free", true],
  ["0 ja", true],
  ["0 oui", true],
  ["ALL0", true],
  ["No.", false],
  ["NA", false],
  ["Not applicable", false],
  ["None given", false],
  ["no discount", false],
  ["not rewarded.", false],
  ["no gift but a voucher", true],
  ["No reward given", false],
  ["none offered", false],
  ["no  voucher", false],
  ["N.A.", false],
  ["-0.00", false],
  ["(0.00)", false],
  ["-5", true],
  ["not-given", false],
  ["(none)", false],
  ["$0.00 voucher", true],
])("whether a review is incentivized: %j", (given, is) => expect(readIncentivized(given)).toBe(is));

test("whether a review is incentivized is read in linear time", () => {
  const [zeros, blanks, letters] = ["0", " ", "a"].map((one) => one.repeat(200_000));
  for (const given of [`${zeros}${blanks}${letters}1`, `${zeros}.${zeros}1`, `$${blanks}!`, `${letters} 0`])
    expect(readIncentivized(given)).toBe(true);
});

describe("readStatus", () => {
  it.each([
    ["Active", true, null],
    ["published", true, null],
    ["1", true, null],
    ["not-yet", null, null],
    ["0", null, null],
    ["Pending", null, null],
    ["Hidden", false, "unspecified"],
    ["REJECTED", false, "unspecified"],
    ["spam", false, "spam"],
    ["something new", null, null],
  ])("%s", (word, accepted, reject_reason) =>
    expect(readStatus(word, 1, new FeedReport())).toEqual({ accepted, reject_reason }),
  );

  it("reports an unknown status", () => {
    const report = new FeedReport();
    readStatus("something new", 1, report);
    expect(repairs(report)).toEqual(["unknown_status"]);
  });
});

describe("plainText", () => {
  it("removes HTML and keeps lines", () => {
    const report = new FeedReport();
    const html = "<p>Warm&nbsp;light &amp; <b>brass</b></p><p>I &lt;3 it<br/>really</p><script>alert(1)</script>";
    expect(plainText(html, 1, report)).toBe("Warm\u00a0light & brass\n\nI <3 it\nreally");
    expect(repairs(report)).toEqual(["html"]);
  });

  it("keeps text that only looks like HTML", () => {
    const report = new FeedReport();
    for (const text of ["I <3 this", "a < b and c > d", "5 > 4 & rising", "<promise>", "R&D; and AT&T"]) {
      expect(plainText(text, 1, report)).toBe(text);
    }
    expect(report.repairs).toEqual([]);
  });

  it("corrects entities, control characters, line breaks, lone surrogates and spaces", () => {
    const report = new FeedReport();
    expect(plainText(" l&#39;eau\0\r\nb\ud800 ", 1, report)).toBe("l'eau\nb\ufffd");
    expect(repairs(report)).toEqual(["invalid_characters", "entities", "control_characters"]);
    expect(shortText(`${"🙂".repeat(200)}`, 255, 1, report)).toBe("🙂".repeat(127));
    expect(shortText("a\n\tb", 255, 1, report)).toBe("a b");
    expect(shortText("  ", 255, 1, report)).toBeNull();
  });

  it("never throws, and returns only storable text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (given) => {
        const text = plainText(`<p>${given}`, 1, new FeedReport());
        expect(text.includes("\0")).toBe(false);
        expect(text.isWellFormed()).toBe(true);
        readScore(given, 1, new FeedReport());
        readAddresses(given);
      }),
    );
  });
});

describe("readAddresses", () => {
  it("splits image URLs at commas, semicolons and spaces, and drops others", () => {
    const list =
      "https://a.example/1.jpg,http://a.example/w_1,h_2/2.png; //b.example/3.jpg,javascript:alert(1), /4.jpg, https://a.example/1.jpg,";
    expect(readAddresses(list)).toEqual([
      "https://a.example/1.jpg",
      "http://a.example/w_1,h_2/2.png",
      "https://b.example/3.jpg",
    ]);
    expect(readAddresses("")).toEqual([]);
  });
});

describe("a text in our own CSV", () => {
  it("never starts like a formula, and is read back unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\n\uFF1Dab"), maxLength: 6 }), (text) => {
        const cell = escapeFormula(text);
        expect(cell).not.toMatch(/^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/);
        expect(unescapeFormula(cell)).toBe(text);
      }),
    );
  });
});
