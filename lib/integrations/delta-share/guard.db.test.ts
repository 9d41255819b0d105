import { expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { setFromText } from "@/lib/integrations/set-from-text";
import { aClient } from "@/lib/tools/test/factories";
import { fetchFile } from "./fetch-file";
import { Share } from "./share";

// As an installation is delivered: nothing leads inside, neither the endpoint nor a file.

const profile = {
  shareCredentialsVersion: 1 as const,
  bearerToken: "secret-token",
};

it("refuses a profile whose endpoint leads inside or travels in the open, while a person sees it", async () => {
  const { id } = await aClient();
  for (const endpoint of ["http://share.example/delta", "https://127.0.0.1/share", "https://169.254.169.254/share"]) {
    const made = setFromText(systemActor, { id }, "share", [], {
      profile: { ...profile, endpoint },
    });
    await expect(made).rejects.toMatchObject({
      code: "invalid_field",
      issues: [{ field: "secrets.profile" }],
    });
  }
});

it("asks no such endpoint later on either", async () => {
  expect(
    () =>
      new Share({
        profile: { ...profile, endpoint: "http://share.example/delta" },
      }),
  ).toThrow(/https/);
  const inside = new Share({
    profile: { ...profile, endpoint: "https://10.1.2.3/delta" },
    waits: [],
  });
  await expect(inside.shares()).rejects.toMatchObject({ kind: "rejected" });
});

it("follows no file to an internal network, and tells nothing of its address", async () => {
  const file = { id: "f", size: 0, expiresAt: null, partitionValues: {} };
  for (const url of [
    "http://files.example/f?sig=secret",
    "https://10.0.0.1/f?sig=secret",
    "https://[::1]/f?sig=secret",
  ]) {
    const error = await fetchFile({ ...file, url }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "unreadable" });
    expect(String(error)).not.toContain("secret");
  }
});
