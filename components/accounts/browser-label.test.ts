import { describe, expect, it } from "vitest";
import { browserLabel } from "@/components/accounts/browser-label";
import { english } from "@/lib/platform/i18n/english";

describe("a session's browser", () => {
  it.each([
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
      "Chrome on Linux",
    ],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604",
      "Safari on iOS",
    ],
    ["curl/8.5.0", "Unknown browser"],
    [null, "Unknown browser"],
  ])("%s", (agent, words) => expect(browserLabel(agent, english)).toBe(words));
});
