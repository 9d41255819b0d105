import { expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { aClient } from "@/lib/tools/test/factories";
import { DeltaShareClient } from "./client";
import { fetchFile } from "./fetch-file";

// With production settings: neither the endpoint nor a file may be internal.

const profile = {
  shareCredentialsVersion: 1 as const,
  bearerToken: "secret-token",
};

it("rejects a profile with an internal or unencrypted endpoint when it is saved", async () => {
  const { id } = await aClient();
  for (const endpoint of ["http://share.example/delta", "https://127.0.0.1/share", "https://169.254.169.254/share"]) {
    const made = setIntegrationFromText(systemActor, { id }, "share", [], {
      profile: { ...profile, endpoint },
    });
    await expect(made).rejects.toMatchObject({
      code: "invalid_field",
      issues: [{ field: "secrets.profile" }],
    });
  }
});

it("doesn't call such an endpoint later either", async () => {
  expect(
    () =>
      new DeltaShareClient({
        profile: { ...profile, endpoint: "http://share.example/delta" },
      }),
  ).toThrow(/https/);
  const inside = new DeltaShareClient({
    profile: { ...profile, endpoint: "https://10.1.2.3/delta" },
    retryDelays: [],
  });
  await expect(inside.shares()).rejects.toMatchObject({ kind: "rejected" });
});

it("doesn't fetch files from the internal network or reveal their URL", async () => {
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
