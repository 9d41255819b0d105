import { describe, expect, it } from "vitest";
import { fillTemplate, toTemplate } from "@/lib/reviews/replies/rules";

const places = { author: "Ann (Kiel)", product: "Oak lamp", shop: "Lampor & Ljus" };

describe("a template", () => {
  it("is filled with known values; unknown ones are removed with the preceding space", () => {
    const text = "Hi {author}, thank you for {product}! {other} – {shop}";
    expect(fillTemplate(text, places)).toBe("Hi Ann (Kiel), thank you for Oak lamp! {other} – Lampor & Ljus");
    expect(fillTemplate(text, { ...places, author: null })).toBe("Hi, thank you for Oak lamp! {other} – Lampor & Ljus");
  });

  it("doesn't replace placeholders inside values", () => {
    expect(fillTemplate("Hi {author}", { ...places, author: "{shop} $& {author}" })).toBe("Hi {shop} $& {author}");
  });

  it("is created from a reply: whole names become placeholders, parts of words stay", () => {
    expect(toTemplate("Hi Ann (Kiel), the Oak lamp is ours. Oak lampshades? – Lampor & Ljus", places)).toBe(
      "Hi {author}, the {product} is ours. Oak lampshades? – {shop}",
    );
    expect(toTemplate("Hello", { author: "H", product: null, shop: "" })).toBe("Hello");
    const shop = { author: "Bo", product: "Bo's lamp", shop: "Bo" };
    expect(toTemplate("Bo's lamp by Bo, no Boat", shop)).toBe("{product} by {shop}, no Boat");
  });

  it("round-trips", () => {
    const text = "Hi {author}: {product}, says {shop}.";
    expect(toTemplate(fillTemplate(text, places), places)).toBe(text);
  });
});
