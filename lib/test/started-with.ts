import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, vi } from "vitest";
import { root } from "@/lib/launch/bootstrap.mjs";
import { settings } from "@/lib/test/settings";

// The service as it is after a start with other secrets.

export const BEFORE = settings.CANDOR_SECRET;
export const AFTER = "the secret of tomorrow, which is 32 bytes or more";

/** The settings of an installation: its secret, and those before. */
export const set = (current: string, ...old: string[]) => ({
  CANDOR_SECRET: current,
  CANDOR_OLD_SECRETS: JSON.stringify(old),
});

/** The modules as a process has them that was started with other settings. */
export async function startedWith(environment: Record<string, string>) {
  Object.assign(process.env, environment);
  vi.resetModules();
  const [seal, rotate, links, factor, hash, env, lasting] = await Promise.all([
    import("@/lib/seal"),
    import("@/lib/secrets/rotate-secrets"),
    import("@/lib/invitations/links"),
    import("@/lib/auth/second-factor"),
    import("@/lib/personal-data/person-hash"),
    import("@/lib/env"),
    import("@/lib/secrets/lasting-secret"),
  ]);
  return {
    ...seal,
    ...rotate,
    ...links,
    ...factor,
    ...hash,
    ...env,
    ...lasting,
  };
}

/** The operator's command in a process of its own. */
export function commanded(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", path.join(root, "app/_admin.ts"), ...args, "--json"], {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const told = Promise.all([text(child.stdout), text(child.stderr), ended]).then(([out, err, status]) => ({
    status,
    err,
    report: out === "" ? null : JSON.parse(out),
  }));
  return { child, ended, told };
}

export const rotating = (environment: Record<string, string>, ...args: string[]) =>
  commanded(environment, "secrets", ...args);

afterEach(() => {
  delete process.env.CANDOR_OLD_SECRETS;
  delete process.env.CANDOR_OLD_LINKS;
  process.env.CANDOR_SECRET = BEFORE;
});
