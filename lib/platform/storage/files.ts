import { access, chmod, constants, mkdir, open, readFile as readBytes } from "node:fs/promises";
import path from "node:path";
import { Disk, errors } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { env, SettingsError } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

// File storage by key (`ab/abcd…/medium.jpg`): a local folder, or a bucket of S3 or a compatible service. Only this
// module knows which.

const disk = (): Promise<Disk> =>
  perProcess(
    "storage",
    async () => new Disk(env().S3_BUCKET ? await bucket(env().S3_BUCKET as string) : await folder()),
  );

/** A folder that only the service's user can open, whatever the umask: photos may be unpublished. */
class PrivateFolderDriver extends FSDriver {
  override async put(...given: Parameters<FSDriver["put"]>): Promise<void> {
    const file = path.join(/* turbopackIgnore: true */ String(this.options.location), given[0]);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await (await open(file, "a", 0o600)).close(); // created with its mode before it has content
    await super.put(...given);
  }

  /** The driver's own returns the whole memory that a buffer shares: for an empty file 64 KiB of other content. */
  override async getBytes(key: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await readBytes(path.join(/* turbopackIgnore: true */ String(this.options.location), key)));
  }
}

async function folder() {
  const location = path.join(/* turbopackIgnore: true */ env().DATA_DIR, "images");
  // Restricts a folder created by an earlier version; some file systems don't support modes.
  await chmod(location, 0o700).catch(() => {});
  return new PrivateFolderDriver({ location, visibility: "private" });
}

/** Loaded on demand: the S3 client is large. */
async function bucket(name: string) {
  const { S3Driver } = await import("flydrive/drivers/s3");
  const { S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PATH_STYLE } = env();
  return new S3Driver({
    bucket: name,
    visibility: "private",
    // New buckets reject ACLs; the owner's settings make the bucket private.
    supportsACL: false,
    region: S3_REGION ?? "us-east-1",
    endpoint: S3_ENDPOINT,
    forcePathStyle: S3_PATH_STYLE ?? S3_ENDPOINT !== undefined,
    ...(S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
      ? { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } }
      : {}),
    // Other services don't support AWS's optional checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 20_000 },
  });
}

/** Storage errors aren't the caller's fault, and a retry may succeed. */
async function withDisk<T>(work: (disk: Disk) => Promise<T>): Promise<T> {
  try {
    return await work(await disk());
  } catch (error) {
    throw storeUnavailable(storeError(error));
  }
}

/** The error for requests while the storage fails. */
export const storeUnavailable = (cause: unknown): AppError =>
  new AppError("unavailable", { reason: "file_store_unavailable", cause, headers: { "Retry-After": "5" } });

/** An error that names the storage and the cause, for the log. The driver's error has neither. */
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
 * Lists the bucket, if one is set. Throws {@link SettingsError} if it rejects the request, which only other settings
 * can fix; logs a bucket that doesn't respond.
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

/** Minimum milliseconds between checks of the storage, regardless of how often a monitor asks. */
const CHECK_EVERY_MS = 10_000;

/**
 * Throws `unavailable` if files can't be stored: the folder isn't writable, or the bucket rejects requests or fails.
 */
export async function checkStore(): Promise<void> {
  const last = perProcess("store-check", () => ({ at: Number.NEGATIVE_INFINITY, found: Promise.resolve() }));
  if (Date.now() - last.at >= CHECK_EVERY_MS) {
    last.at = Date.now();
    last.found = withDisk(async (disk) => {
      if (env().S3_BUCKET) await disk.listAll("");
      else await checkFolder();
    });
    last.found.catch(() => {}); // the first caller may have stopped waiting
  }
  return last.found;
}

async function checkFolder(): Promise<void> {
  const { DATA_DIR } = env();
  for (const folder of [path.join(/* turbopackIgnore: true */ DATA_DIR, "images"), DATA_DIR])
    try {
      // The trailing slash rejects a file.
      return await access(/* turbopackIgnore: true */ `${folder}/`, constants.W_OK | constants.X_OK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // the first file creates its folders
    }
}

/** Writes or replaces a file. Throws `unavailable`. */
export const writeFile = (key: string, bytes: Uint8Array): Promise<void> => withDisk((disk) => disk.put(key, bytes));

/** A file's bytes, or null if it doesn't exist. Throws `unavailable`. */
export const readFile = (key: string): Promise<Uint8Array<ArrayBuffer> | null> =>
  withDisk(async (disk) => {
    try {
      return new Uint8Array(await disk.getBytes(key));
    } catch (error) {
      if (error instanceof errors.E_CANNOT_READ_FILE && isMissing(error.cause)) return null;
      throw error;
    }
  });

/** Deletes all files below `prefix`, if any. Throws `unavailable` if some remain. */
export const removeFolder = (prefix: string): Promise<void> =>
  withDisk(async (disk) => {
    await disk.deleteAll(prefix);
    if (!env().S3_BUCKET) return;
    // S3 responds 200 with a list of failed deletions, which the driver ignores.
    const { objects } = await disk.listAll(prefix, { recursive: true });
    for (const left of objects) throw new Error(`${left.isFile ? left.key : left.prefix} could not be deleted`);
  });

const isMissing = (cause: unknown): boolean => {
  const { code, name } = (cause ?? {}) as { code?: string; name?: string };
  return code === "ENOENT" || name === "NoSuchKey";
};
