import { forgetEnv } from "@/lib/platform/env";

/** Adds settings to this process's environment. Returns what restores it, for `beforeAll` to return. */
export function changeSettings(added: Record<string, string>): () => void {
  const before = Object.keys(added).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, added);
  forgetEnv();
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    forgetEnv();
  };
}

/** Runs `work` with settings added to this process's environment. */
export async function withSettings<T>(added: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const restore = changeSettings(added);
  try {
    return await work();
  } finally {
    restore();
  }
}
