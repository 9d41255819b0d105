import { describe, expect, it } from "vitest";
import { type Draft, issueAt, type Settings, withoutSent } from "@/components/settings/settings-draft";
import { templateName } from "@/components/settings/template-name";
import { validateDraft } from "@/components/settings/validate-draft";
import { english } from "@/lib/platform/i18n/english";
import { portalText } from "@/lib/platform/i18n/messages";

const german = portalText("de");

describe("an issue of a setting", () => {
  it("is shown at its setting, also if it is nested", () => {
    const issues = [
      {
        field: "config.accent_color",
        message: "It must be a color such as #1f6feb.",
      },
      {
        field: "custom_questions[0].id",
        message: "It uses the key {a} 1, which another entry already has.",
      },
    ];
    expect(issueAt(issues, "config.accent_color")).toBe("It must be a color such as #1f6feb.");
    expect(issueAt(issues, "custom_questions")).toBe("It uses the key {a} 1, which another entry already has.");
    expect(issueAt(issues, "config.accent")).toBeUndefined();
  });
  it("is found before sending, with the same result as in the service", () => {
    const settings = {
      config: {},
      send_limit: 10,
      contract_send_limit: null,
    } as unknown as Settings;
    expect(validateDraft(settings, { send_limit: -1, "config.max_items": "many" })).toEqual([
      { field: "send_limit", reason: "too_small", params: { min: 0 } },
      { field: "config.max_items", reason: "not_a_number" },
    ]);
  });
  it("names a template by its field", () => {
    expect(templateName("config.templates.de.subject", english)).toBe("Subject, German");
    expect(templateName("templates.de.text_template", german)).toBe("Textversion, Deutsch");
  });
});

describe("a draft after a save", () => {
  it("keeps what was set while it was sent, also cleared fields", () => {
    const kept = (held: object, sent: object) => withoutSent(held as Draft, sent as Draft);
    expect(kept({ send_limit: 1 }, { send_limit: 1 })).toEqual({});
    expect(kept({ send_limit: 1, logo_url: "/new.png" }, { send_limit: 1 })).toEqual({ logo_url: "/new.png" });
    expect(kept({ send_limit: 1, "config.logo": undefined }, { send_limit: 1 })).toHaveProperty(["config.logo"]);
    expect(kept({ send_limit: 2 }, { send_limit: 1 })).toEqual({ send_limit: 2 });
  });
});
