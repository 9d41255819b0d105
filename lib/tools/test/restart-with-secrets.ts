import { afterEach, vi } from "vitest";
import { startAdmin } from "@/lib/tools/test/program";
import { settings } from "@/lib/tools/test/settings";

// The service after a restart with other secrets.

export const OLD_SECRET = settings.CANDOR_SECRET;
export const NEW_SECRET = "the secret of tomorrow, which is 32 bytes or more";

/** The settings of an installation: its secret and earlier ones. */
export const secretSettings = (current: string, ...old: string[]) => ({
  CANDOR_SECRET: current,
  CANDOR_OLD_SECRETS: JSON.stringify(old),
});

/** Reloads the modules as in a process started with these settings. */
export async function reloadWithEnvironment(environment: Record<string, string>) {
  Object.assign(process.env, environment);
  vi.resetModules();
  const [seal, rotate, links, factor, hash, env, lastingSecret] = await Promise.all([
    import("@/lib/platform/secrets/seal"),
    import("@/lib/platform/secrets/rotate-secrets"),
    import("@/lib/invitations/links"),
    import("@/lib/accounts/sign-in/second-factor"),
    import("@/lib/platform/secrets/person-hash"),
    import("@/lib/platform/env"),
    import("@/lib/platform/secrets/lasting-secret"),
  ]);
  return {
    ...seal,
    ...rotate,
    ...links,
    ...factor,
    ...hash,
    ...env,
    ...lastingSecret,
  };
}

/** Runs the admin command in a separate process and returns its JSON output. */
export function startAdminJson(env: Record<string, string>, ...args: string[]) {
  const { child, printed } = startAdmin([...args, "--json"], { env });
  const result = printed.then(({ out, err, status }) => ({
    status,
    err,
    report: out === "" ? null : JSON.parse(out),
  }));
  return { child, ended: printed.then(({ status }) => status), output: result };
}

export const startSecretsCommand = (environment: Record<string, string>, ...args: string[]) =>
  startAdminJson(environment, "secrets", ...args);

afterEach(() => {
  delete process.env.CANDOR_OLD_SECRETS;
  delete process.env.CANDOR_OLD_LINKS;
  process.env.CANDOR_SECRET = OLD_SECRET;
});
