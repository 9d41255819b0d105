import { access, chmod, constants, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { Disk, errors } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { env, SettingsError } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

// Where files are kept, by key (`ab/abcd…/medium.jpg`): a folder of this machine, or a bucket of S3 or a service that
// speaks its protocol. The only place that knows which.

const disk = (): Promise<Disk> =>
  perProcess(
    "storage",
    async () => new Disk(env().S3_BUCKET ? await bucket(env().S3_BUCKET as string) : await folder()),
  );

/** A folder that the service's own user alone can open, whatever the umask: photos may show what was never published. */
class PrivateFolderDriver extends FSDriver {
  override async put(...given: Parameters<FSDriver["put"]>): Promise<void> {
    const file = path.join(/* turbopackIgnore: true */ String(this.options.location), given[0]);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await (await open(file, "a", 0o600)).close(); // made before anything is in it
    await super.put(...given);
  }
}

async function folder() {
  const location = path.join(/* turbopackIgnore: true */ env().DATA_DIR, "images");
  // One that an earlier version made is closed now, with all in it; a file system that knows no modes has none.
  await chmod(location, 0o700).catch(() => {});
  return new PrivateFolderDriver({ location, visibility: "private" });
}

/** Loaded where it is used only: the client of S3 is large. */
async function bucket(name: string) {
  const { S3Driver } = await import("flydrive/drivers/s3");
  const { S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PATH_STYLE } = env();
  return new S3Driver({
    bucket: name,
    visibility: "private",
    // Buckets of today refuse them; that this one is private is its owner's setting.
    supportsACL: false,
    region: S3_REGION ?? "us-east-1",
    endpoint: S3_ENDPOINT,
    forcePathStyle: S3_PATH_STYLE ?? S3_ENDPOINT !== undefined,
    ...(S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
      ? { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } }
      : {}),
    // What AWS adds to its protocol without need, others do not know.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 20_000 },
  });
}

/** Whatever the store fails at is not the caller's fault and may work the next time. */
async function withDisk<T>(work: (disk: Disk) => Promise<T>): Promise<T> {
  try {
    return await work(await disk());
  } catch (error) {
    throw storeUnavailable(storeError(error));
  }
}

/** What whoever needs a file is told while the store fails. */
export const storeUnavailable = (cause: unknown): AppError =>
  new AppError("unavailable", { reason: "file_store_unavailable", cause, headers: { "Retry-After": "5" } });

/** The error as the log should begin with it: which store, and why. The driver's own says neither. */
function storeError(error: unknown): Error {
  const { name, message, code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const why = code || name === "Error" || message.startsWith(name) ? message : `${name}: ${message}`;
  const { S3_BUCKET, DATA_DIR } = env();
  const store = S3_BUCKET
    ? `The bucket ${S3_BUCKET}`
    : `The folder ${path.join(/* turbopackIgnore: true */ DATA_DIR, "images")}`;
  return new Error(`${store} can't be used: ${why}`, { cause: error });
}

/**
 * Asks the bucket for a list of its files, where they are kept in one. Throws {@link SettingsError} where it refuses us, which
 * only other settings mend; one that does not answer is told in the log.
 */
export async function checkBucket(): Promise<void> {
  if (!env().S3_BUCKET) return;
  try {
    await (await disk()).listAll("");
  } catch (error) {
    const { $metadata } = ((error as Error).cause ?? error) as { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode ?? 0;
    const readableError = storeError(error);
    if (status >= 300 && status < 500 && status !== 429)
      throw new SettingsError(`Settings: ${readableError.message}`, { cause: error });
    log.warn({ err: readableError }, readableError.message);
  }
}

/** A monitor may ask as often as it likes: the store is asked once in so long. */
const CHECK_EVERY_MS = 10_000;

/** Throws `unavailable` where no file can be stored: the folder is not writable, or the bucket refuses or fails. */
export async function checkStore(): Promise<void> {
  const last = perProcess("store-check", () => ({ at: Number.NEGATIVE_INFINITY, found: Promise.resolve() }));
  if (Date.now() - last.at >= CHECK_EVERY_MS) {
    last.at = Date.now();
    last.found = withDisk(async (disk) => {
      if (env().S3_BUCKET) await disk.listAll("");
      else await checkFolder();
    });
    last.found.catch(() => {}); // whoever asks first may have stopped waiting
  }
  return last.found;
}

async function checkFolder(): Promise<void> {
  const { DATA_DIR } = env();
  for (const folder of [path.join(/* turbopackIgnore: true */ DATA_DIR, "images"), DATA_DIR])
    try {
      // With the slash at its end a file is refused.
      return await access(/* turbopackIgnore: true */ `${folder}/`, constants.W_OK | constants.X_OK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // the first file makes its folders
    }
}

/** Writes a file, in the place of one that is there. Throws `unavailable`. */
export const writeFile = (key: string, bytes: Uint8Array): Promise<void> => withDisk((disk) => disk.put(key, bytes));

/** A file's bytes, or null when there is none. Throws `unavailable`. */
export const readFile = (key: string): Promise<Uint8Array<ArrayBuffer> | null> =>
  withDisk(async (disk) => {
    try {
      return new Uint8Array(await disk.getBytes(key));
    } catch (error) {
      if (error instanceof errors.E_CANNOT_READ_FILE && isMissing(error.cause)) return null;
      throw error;
    }
  });

/** Removes all files below `prefix`; none there is fine. Throws `unavailable` while one of them is left. */
export const removeFolder = (prefix: string): Promise<void> =>
  withDisk(async (disk) => {
    await disk.deleteAll(prefix);
    if (!env().S3_BUCKET) return;
    // S3 answers 200 with a list of what it could not delete, at which the driver does not look.
    const { objects } = await disk.listAll(prefix, { recursive: true });
    for (const left of objects) throw new Error(`${left.isFile ? left.key : left.prefix} could not be deleted`);
  });

const isMissing = (cause: unknown): boolean => {
  const { code, name } = (cause ?? {}) as { code?: string; name?: string };
  return code === "ENOENT" || name === "NoSuchKey";
};
