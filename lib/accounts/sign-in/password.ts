import { createHash, timingSafeEqual } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { demoPassword } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";

/** Most concurrent password checks; each takes 19 MiB and a core for about 20 ms. */
const MAX_CONCURRENT = 4;
const MAX_QUEUED = 200;

/** Argon2id with the library's defaults (19 MiB, 2 passes), in PHC text form. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/**
 * Whether `password` matches `passwordHash`. Without a hash (unknown user) it does the same work, so that the time
 * taken doesn't reveal which user names exist. At most {@link MAX_CONCURRENT} run concurrently; throws `rate_limited`
 * if the queue is long.
 */
export async function checkPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const gate = perProcess("password-gate", () => ({ running: 0, waiting: [] as (() => void)[] }));
  if (gate.running >= MAX_CONCURRENT) {
    if (gate.waiting.length >= MAX_QUEUED)
      throw new AppError("rate_limited", { reason: "too_many_sign_ins", headers: { "Retry-After": "1" } });
    await new Promise<void>((resume) => gate.waiting.push(resume));
  }
  gate.running += 1;
  try {
    const matches = await verify(passwordHash ?? (await dummyHash()), password);
    return passwordHash !== null && matches;
  } finally {
    gate.running -= 1;
    gate.waiting.shift()?.();
  }
}

/** Whether this is the password of the demo's login, which isn't stored but derived from the installation's secret. */
export const isDemoPassword = (password: string): boolean =>
  timingSafeEqual(createHash("sha256").update(password).digest(), createHash("sha256").update(demoPassword()).digest());

const dummyHash = (): Promise<string> => perProcess("dummy-hash", () => hash("nobody's password"));
